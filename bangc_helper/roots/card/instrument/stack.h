/* SPDX-License-Identifier: MIT
 *
 * Variables of a function that can be reached by an address, and where they begin and end.
 */
#ifndef CARD_INSTRUMENT_STACK_H_
#define CARD_INSTRUMENT_STACK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct stack_object {
  LLVMValueRef variable;
  uint64_t bytes;
  bool is_marked; /* instructions say where it begins; else it is there with its function */
};

struct stack {
  struct stack_object *objects;
  size_t count, room;
  LLVMValueRef after; /* the first instruction that all of them are there for */
};

/* The function must be as optimisation has left it. */
void stack_find(struct stack *stack, LLVMValueRef function, LLVMTargetDataRef layout);
void stack_free(struct stack *stack);
/* The variable that begins or ends with the instruction; NULL: none. */
const struct stack_object *stack_marked(const struct stack *stack, LLVMValueRef instruction,
                                        bool *begins);

#endif /* CARD_INSTRUMENT_STACK_H_ */
