/* SPDX-License-Identifier: MIT
 *
 * Computes how much NRAM each kernel needs: all variables that its tasks can reach.
 */
#include <stdlib.h>
#include <string.h>

#include "insert.h"
#include "language.h"
#include "onchip.h"
#include "unit.h"

static const char attribute[] = "bang-card-nram"; /* attribute of functions that start tasks */

static const char *name_of(LLVMValueRef value) {
  size_t length = 0;
  return LLVMGetValueName2(value, &length);
}

struct sum {
  const struct unit *unit;
  struct map places; /* variables that were counted */
  uint64_t bytes;
};

/* A key for the variable whose address a call returns; 0 if the call returns none. */
static uint64_t key_of(LLVMValueRef call, LLVMValueRef called) {
  const char *name = name_of(called);
  if (strstr(name, "L9bangSpace0E") == NULL) {
    return 0;
  }
  struct onchip variable;
  if (onchip_variable(call, &variable)) {
    return 2 * variable.at + 1;
  }
  if (strstr(name, "12__bang_local") != NULL) { /* identified by its mark variable */
    return (uint64_t)(uintptr_t)LLVMGetOperand(call, 0);
  }
  return strstr(name, "17__bang_space_slot") != NULL ? (uint64_t)(uintptr_t)called : 0;
}

static void count_call(struct sum *sum, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  const uint64_t key = LLVMIsAFunction(called) != NULL ? key_of(call, called) : 0;
  const uint64_t bytes = key != 0 ? onchip_bytes(called) : 0;
  bool is_new = false;
  if (bytes != 0) {
    map_put(&sum->places, key, &is_new);
  }
  if (is_new) {
    sum->bytes += bytes;
  }
}

static bool is_call(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) != NULL || LLVMIsAInvokeInst(instruction) != NULL;
}

static void for_instructions(LLVMValueRef function, void (*take)(void *, LLVMValueRef),
                             void *argument) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
         i = LLVMGetNextInstruction(i)) {
      take(argument, i);
    }
  }
}

static void count_instruction(void *sum, LLVMValueRef instruction) {
  if (is_call(instruction)) {
    count_call(sum, instruction);
  }
}

/* Members and lambdas use a thread-local reference; the variable that it is bound to counts. */
struct reference {
  struct sum *sum;
  LLVMValueRef variable;
};

static void count_store(void *argument, LLVMValueRef instruction) {
  const struct reference *reference = argument;
  if (LLVMIsAStoreInst(instruction) != NULL &&
      LLVMGetOperand(instruction, 1) == reference->variable &&
      is_call(LLVMGetOperand(instruction, 0))) {
    count_call(reference->sum, LLVMGetOperand(instruction, 0));
  }
}

static void count_reference(void *argument, LLVMValueRef variable) {
  struct reference reference = {.sum = argument, .variable = variable};
  if (!LLVMIsThreadLocal(variable)) {
    return;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(reference.sum->unit->module); f != NULL;
       f = LLVMGetNextFunction(f)) {
    for_instructions(f, count_store, &reference);
  }
}

/* The function that initialises all variables of the file belongs to no kernel. */
static bool is_of_kernels(LLVMValueRef function) {
  const char *name = name_of(function);
  return !language_is_thread_setup(name) && strstr(name, "__bang_unit_begin") == NULL;
}

static uint64_t bytes_of_task(struct unit *unit, LLVMValueRef task) {
  struct sum sum = {.unit = unit};
  const struct visitor visitor = {is_of_kernels, count_reference, &sum};
  struct map functions = {0};
  reach(task, &functions, &visitor);
  for (size_t i = 0; i < functions.room; ++i) {
    if (functions.entries[i].key != 0) {
      for_instructions((LLVMValueRef)(uintptr_t)functions.entries[i].key, count_instruction, &sum);
    }
  }
  map_free(&functions);
  map_free(&sum.places);
  return sum.bytes;
}

void count_nram(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (starts_task(f) && !LLVMIsDeclaration(f)) {
      char text[24];
      snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes_of_task(unit, f));
      LLVMAddAttributeAtIndex(
          f, LLVMAttributeFunctionIndex,
          LLVMCreateStringAttribute(unit->context, attribute, sizeof(attribute) - 1, text,
                                    (unsigned)strlen(text)));
    }
  }
}

void check_needs(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    LLVMAttributeRef note = LLVMIsDeclaration(f)
                                ? NULL
                                : LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                                                attribute, sizeof(attribute) - 1);
    unsigned length = 0;
    if (note != NULL) {
      insert_needs(unit, f, strtoull(LLVMGetStringAttributeValue(note, &length), NULL, 10));
    }
  }
}
