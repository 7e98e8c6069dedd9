/* SPDX-License-Identifier: MIT
 *
 * Local variables whose address is used, and where their lifetimes begin and end.
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
  bool is_marked; /* has lifetime markers; otherwise it lives as long as its function */
};

struct stack {
  struct stack_object *objects;
  size_t count, room;
  LLVMValueRef after; /* the first instruction after the allocas */
};

/* Call it before the function is instrumented. */
void stack_find(struct stack *stack, LLVMValueRef function, LLVMTargetDataRef layout);
void stack_free(struct stack *stack);
/* The variable whose lifetime begins or ends with the instruction; NULL if none does. */
const struct stack_object *stack_marked(const struct stack *stack, LLVMValueRef instruction,
                                        bool *begins);

#endif /* CARD_INSTRUMENT_STACK_H_ */
