/* SPDX-License-Identifier: MIT
 *
 * Time that a card's scalar unit takes for a stretch of straight code. Costs come from the
 * developers' guide and a published loop of 30 cycles (docs/card_model.md).
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
  uint32_t cycles, waits; /* half cycles that it adds to the schedule */
  uint32_t slots;         /* half cycles to issue it; 0: a card has no such instruction */
  bool loads, stores;
};

/* Schedules steps, given in program order, and stores the results in them. */
void schedule(struct step *steps, size_t count);

#endif /* CARD_INSTRUMENT_SCHEDULE_H_ */
