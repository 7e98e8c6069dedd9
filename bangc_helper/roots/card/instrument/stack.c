/* SPDX-License-Identifier: MIT */
#include "stack.h"

#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "support.h"

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* True if a lifetime marker uses the address or a cast of it. */
static bool has_marker(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsABitCastInst(user) != NULL
            ? has_marker(user)
            : LLVMIsACallInst(user) != NULL &&
                  begins_with(called_name(user), "llvm.lifetime.start.")) {
      return true;
    }
  }
  return false;
}

static bool has_variable_index(LLVMValueRef element) {
  for (int i = 1; i < LLVMGetNumOperands(element); ++i) {
    if (LLVMIsAConstantInt(LLVMGetOperand(element, (unsigned)i)) == NULL) {
      return true;
    }
  }
  return false;
}

/* True if the address is used other than by accesses at constant offsets. Functions of the language
 * do not keep addresses. */
static bool is_reached(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) != NULL ||
        (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) != address)) {
      continue;
    }
    if (LLVMIsABitCastInst(user) != NULL ||
        (LLVMIsAGetElementPtrInst(user) != NULL && !has_variable_index(user))) {
      if (is_reached(user)) {
        return true;
      }
      continue;
    }
    const char *called = LLVMIsACallInst(user) != NULL ? called_name(user) : "";
    if (!begins_with(called, "llvm.") && !begins_with(called, "__bang_")) {
      return true;
    }
  }
  return false;
}

void stack_find(struct stack *stack, LLVMValueRef function, LLVMTargetDataRef layout) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  *stack = (struct stack){0};
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i != NULL; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsAAllocaInst(i) == NULL) {
      stack->after = stack->after == NULL ? i : stack->after;
      continue;
    }
    if (LLVMIsAConstantInt(LLVMGetOperand(i, 0)) == NULL || !is_reached(i)) {
      continue;
    }
    stack->objects = grow(stack->objects, stack->count, &stack->room, sizeof(*stack->objects));
    stack->objects[stack->count++] =
        (struct stack_object){i,
                              LLVMABISizeOfType(layout, LLVMGetAllocatedType(i)) *
                                  LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)),
                              has_marker(i)};
    stack->after = NULL;
  }
}

void stack_free(struct stack *stack) {
  free(stack->objects);
}

const struct stack_object *stack_marked(const struct stack *stack, LLVMValueRef instruction,
                                        bool *begins) {
  const char *name = LLVMIsACallInst(instruction) != NULL ? called_name(instruction) : "";
  if (!begins_with(name, "llvm.lifetime.")) {
    return NULL;
  }
  *begins = begins_with(name, "llvm.lifetime.start.");
  LLVMValueRef variable = LLVMGetOperand(instruction, 1);
  while (LLVMIsABitCastInst(variable) != NULL) {
    variable = LLVMGetOperand(variable, 0);
  }
  for (size_t i = 0; i < stack->count; ++i) {
    if (stack->objects[i].variable == variable) {
      return &stack->objects[i];
    }
  }
  return NULL;
}
