/* SPDX-License-Identifier: MIT
 *
 * Keeps variables visible for debuggers. Optimised code drops a value after its last use. If there
 * is debug information of variables, each variable gets a stack slot that keeps its latest value.
 */
#ifndef CARD_INSTRUMENT_HOMES_H_
#define CARD_INSTRUMENT_HOMES_H_

#include "unit.h"

/* Call it after costs were computed: slots must not count as kernel code. */
void give_homes(struct unit *unit);

#endif /* CARD_INSTRUMENT_HOMES_H_ */
