/* SPDX-License-Identifier: MIT
 *
 * Finds the functions that tasks run: all that a task's `run` reaches through calls or addresses.
 * Host functions are not instrumented.
 */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

struct worklist {
  LLVMValueRef *values;
  size_t count, room;
};

static void push(struct worklist *list, struct map *seen, LLVMValueRef value) {
  bool is_new = false;
  map_put(seen, (uint64_t)(uintptr_t)value, &is_new);
  if (is_new) {
    list->values = grow(list->values, list->count, &list->room, sizeof(*list->values));
    list->values[list->count++] = value;
  }
}

/* True for functions, variables, and constants that may refer to them. */
static bool leads_on(LLVMValueRef value) {
  return LLVMIsAFunction(value) != NULL || LLVMIsAGlobalVariable(value) != NULL ||
         LLVMIsAGlobalAlias(value) != NULL || LLVMIsAConstantExpr(value) != NULL ||
         LLVMIsAConstantArray(value) != NULL || LLVMIsAConstantStruct(value) != NULL;
}

static void push_operands(struct worklist *list, struct map *seen, LLVMValueRef user) {
  const int count = LLVMGetNumOperands(user);
  for (int i = 0; i < count; ++i) {
    LLVMValueRef operand = LLVMGetOperand(user, (unsigned)i);
    if (operand != NULL && leads_on(operand)) {
      push(list, seen, operand);
    }
  }
}

static void push_body(struct worklist *list, struct map *seen, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
         i = LLVMGetNextInstruction(i)) {
      push_operands(list, seen, i);
    }
  }
}

/* __bang_task<...>::run starts a task. */
bool starts_task(LLVMValueRef function) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  return strstr(name, "11__bang_task") != NULL && strstr(name, "3runEPKv") != NULL;
}

void reach(LLVMValueRef start, struct map *functions, const struct visitor *visitor) {
  struct worklist list = {0};
  struct map seen = {0};
  push(&list, &seen, start);
  while (list.count != 0) {
    LLVMValueRef value = list.values[--list.count];
    if (LLVMIsAFunction(value) != NULL) {
      if (!LLVMIsDeclaration(value) && (visitor == NULL || visitor->enters(value))) {
        map_put(functions, (uint64_t)(uintptr_t)value, NULL);
        push_body(&list, &seen, value);
      }
    } else if (LLVMIsAGlobalVariable(value) != NULL) {
      LLVMValueRef initial = LLVMGetInitializer(value);
      if (visitor != NULL) {
        visitor->take_variable(visitor->argument, value);
      }
      if (initial != NULL && leads_on(initial)) {
        push(&list, &seen, initial);
      }
    } else {
      push_operands(&list, &seen, value);
    }
  }
  free(list.values);
  map_free(&seen);
}

void find_devices(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (starts_task(f)) {
      reach(f, &unit->devices, NULL);
    }
  }
}
