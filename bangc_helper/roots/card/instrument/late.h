/* SPDX-License-Identifier: MIT
 *
 * Checks of speculated loads, where their values are used (speculate.h).
 */
#ifndef CARD_INSTRUMENT_LATE_H_
#define CARD_INSTRUMENT_LATE_H_

#include "insert.h"
#include "speculate.h"

struct late_check {
  LLVMValueRef load;
  struct access access; /* set when the load is instrumented; bytes 0: no check needed */
  struct speculated_uses uses;
  LLVMValueRef marks[MAX_USES]; /* where the uses are checked */
  size_t mark_count;
};

struct late_checks {
  struct late_check *list;
  size_t count, room;
};

/* Finds the speculated loads of a function and marks the places of their checks. Call it before the
 * function is instrumented. */
void late_find(struct late_checks *late, struct unit *unit, LLVMValueRef function);
/* The check of a load; NULL: the load is not speculated. */
struct late_check *late_of(const struct late_checks *late, LLVMValueRef load);
/* The load's place in the source, as hooks get it; `otherwise` if it is unknown. */
uint32_t late_site(struct unit *unit, const struct late_check *check, uint32_t otherwise);
/* Inserts the checks and removes the marks. Call it after costs were computed: the checks add uses
 * of conditions. */
void late_insert(const struct late_checks *late, struct inserter *in);
void late_free(struct late_checks *late);

#endif /* CARD_INSTRUMENT_LATE_H_ */
