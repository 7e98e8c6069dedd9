/* SPDX-License-Identifier: MIT
 *
 * Loads that optimisation moves above the branch that guards them. They run and cost time even when
 * the source does not read, so they are checked only where their value is used.
 */
#ifndef CARD_INSTRUMENT_SPECULATE_H_
#define CARD_INSTRUMENT_SPECULATE_H_

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#include "unit.h"

enum { MAX_CONDITIONS = 8, MAX_USES = 32 };

/* One way to use a load's value: all conditions must hold. */
struct speculated_use {
  LLVMValueRef before; /* where the check goes */
  struct {
    LLVMValueRef value;
    bool wanted;
  } conditions[MAX_CONDITIONS];
  size_t condition_count;
};

struct speculated_uses {
  struct speculated_use list[MAX_USES];
  size_t count;
};

/* Before optimisation: remembers the source location of every load. */
void remember_loads(struct unit *unit);
/* After optimisation: true if the load has left its place in the source. */
bool is_speculated(const struct unit *unit, LLVMValueRef load);
/* The source location of a load, without callers; NULL if optimisation created the load. */
LLVMMetadataRef remembered_location(const struct unit *unit, LLVMValueRef load);
/* Finds where a speculated load is used. Call it before the function is instrumented. */
void find_speculated_uses(struct speculated_uses *uses, LLVMValueRef load);

#endif /* CARD_INSTRUMENT_SPECULATE_H_ */
