/* SPDX-License-Identifier: MIT
 *
 * Variables for debuggers. Optimised code keeps a value in a register until its last use only; with
 * debug information of variables, each gets a slot on the stack that holds the value from then on.
 */
#ifndef CARD_INSTRUMENT_HOMES_H_
#define CARD_INSTRUMENT_HOMES_H_

#include "unit.h"

/* After costs were taken: slots are no code of the kernel. */
void give_homes(struct unit *unit);

#endif /* CARD_INSTRUMENT_HOMES_H_ */
