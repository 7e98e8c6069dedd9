/* SPDX-License-Identifier: MIT
 *
 * How long a card's scalar unit takes for a stretch of straight code. Costs come from the
 * developers' guide and from a published loop of 30 cycles (docs/card_model.md).
 */
#ifndef CARD_INSTRUMENT_SCHEDULE_H_
#define CARD_INSTRUMENT_SCHEDULE_H_

#include <stdint.h>

#include <llvm-c/Core.h>

#include "places.h"

/* Times are in half cycles. */
struct step {
  LLVMValueRef instruction;
  uint32_t site;
  enum layer layer;
  /* Results. */
  uint32_t cycles, waits; /* half cycles that the schedule grew by when it was issued */
  uint32_t slots;         /* half cycles it takes to issue; 0: no instruction of a card's */
  bool loads, stores;
};

/* Schedules steps in program order; results go into the steps. */
void schedule(struct step *steps, size_t count);

#endif /* CARD_INSTRUMENT_SCHEDULE_H_ */
