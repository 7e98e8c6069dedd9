/* SPDX-License-Identifier: MIT
 *
 * A core's program.
 */
#ifndef CARD_CLOCK_PROGRAM_H_
#define CARD_CLOCK_PROGRAM_H_

#include "clock/state.h"

/* Runs the program until it has to wait. */
void program_run(struct play *play, struct core *core);

#endif /* CARD_CLOCK_PROGRAM_H_ */
