/* SPDX-License-Identifier: MIT
 *
 * The code that bang-card puts into a device function.
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
  /* Made at the beginning of the function. */
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
  bool is_private; /* of the thread */
  bool is_part;    /* of a function of the language: only for checks */
  bool is_checked_later;
};

void inserter_init(struct inserter *in, struct unit *unit, LLVMValueRef function);
void inserter_free(struct inserter *in);

/* Counts a stretch, before the instruction that ends it. */
void insert_stretch(struct inserter *in, LLVMValueRef before, const struct stretch *stretch);
/* Looks at the address of an access before it. */
void insert_access(struct inserter *in, LLVMValueRef instruction, const struct access *access);
/* Checks an access that is counted elsewhere, if the condition holds. */
void insert_counted_access(struct inserter *in, LLVMValueRef before, const struct access *access,
                           LLVMValueRef condition);
/* Asks before a division by zero. */
void insert_division(struct inserter *in, LLVMValueRef division, uint32_t site);
/* Checks, where accesses are checked, that an access stays in a variable that it indexes. */
void insert_indexed(struct inserter *in, LLVMValueRef instruction, const struct access *access,
                    LLVMValueRef array);
/* Checks that an address stays in the variable that it was made of. */
void insert_derived(struct inserter *in, LLVMValueRef before, const struct note *note,
                    LLVMValueRef address, uint32_t site);
/* Tells the checks that variables of the function begin or end. */
void insert_stack(struct inserter *in, LLVMValueRef before, const struct stack_object *objects,
                  size_t count, enum card_stack event);
/* Tells of a memory function before it; only where accesses are checked if it is part of a function
 * of the language. */
void insert_memory(struct inserter *in, LLVMValueRef call, uint32_t site, bool is_part);
/* Calls the hook of an entry point instead of it. */
void replace_call(struct inserter *in, LLVMValueRef call, uint32_t site);
/* Gives a call that prepare() has put in its site. */
void set_site(struct inserter *in, LLVMValueRef call, uint32_t site);

/* At the beginning of a task: how much NRAM its kernel takes, and what it was compiled for. */
void insert_needs(struct unit *unit, LLVMValueRef function, uint64_t nram_bytes);

#endif /* CARD_INSTRUMENT_INSERT_H_ */
