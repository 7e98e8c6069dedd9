/* SPDX-License-Identifier: MIT
 *
 * Inserts instrumentation code into a device function.
 */
#ifndef CARD_INSTRUMENT_INSERT_H_
#define CARD_INSTRUMENT_INSERT_H_

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "derive.h"
#include "module.h"
#include "stack.h"
#include "unit.h"

#define PART_OF_FUNCTION CARD_PART_OF_FUNCTION

struct inserter {
  struct unit *unit;
  LLVMValueRef function;
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
  LLVMTypeRef word, wide, bytes, counters_type;
  /* Values computed at the function's entry. */
  LLVMValueRef counters, stretches;
};

struct stretch {
  uint32_t number;
  uint32_t cycles, waits; /* half cycles */
  uint32_t accesses;
};

struct access {
  LLVMValueRef pointer;
  uint32_t site, bytes;
  bool writes, is_atomic;
  bool is_private; /* a variable of the host's thread, which a card does not have */
  bool is_part;    /* part of a function of the language: checked, not counted */
  bool is_checked_later;
};

void inserter_init(struct inserter *in, struct unit *unit, LLVMValueRef function);
void inserter_free(struct inserter *in);

/* Counts a stretch of straight code, before the instruction that ends it. */
void insert_stretch(struct inserter *in, LLVMValueRef before, const struct stretch *stretch);
/* Counts and checks an access, before it happens. */
void insert_access(struct inserter *in, LLVMValueRef instruction, const struct access *access);
/* Checks an access that is counted elsewhere, if the condition holds. */
void insert_counted_access(struct inserter *in, LLVMValueRef before, const struct access *access,
                           LLVMValueRef condition);
/* Reports a division by zero, before it happens. */
void insert_division(struct inserter *in, LLVMValueRef division, uint32_t site);
/* Checks that an indexed access stays inside its array. */
void insert_indexed(struct inserter *in, LLVMValueRef instruction, const struct access *access,
                    LLVMValueRef array);
/* Checks that an address stays inside the variable it was computed from. */
void insert_derived(struct inserter *in, LLVMValueRef before, const struct note *note,
                    LLVMValueRef address, uint32_t site);
/* Reports to the checks that local variables begin or end. */
void insert_stack(struct inserter *in, LLVMValueRef before, const struct stack_object *objects,
                  size_t count, enum card_stack event);
/* Counts and checks memcpy, memmove or memset, before it runs. Inside functions of the language it
 * is only checked. */
void insert_memory(struct inserter *in, LLVMValueRef call, uint32_t site, bool is_part);
/* Replaces the call of an entry point by a call of its hook. */
void replace_call(struct inserter *in, LLVMValueRef call, uint32_t site);
/* Sets the site of a hook call that prepare() inserted. */
void set_site(struct inserter *in, LLVMValueRef call, uint32_t site);

/* Reports at the start of a task how much NRAM its kernel needs and which architecture it was
 * compiled for. */
void insert_needs(struct unit *unit, LLVMValueRef function, uint64_t nram_bytes);

#endif /* CARD_INSTRUMENT_INSERT_H_ */
