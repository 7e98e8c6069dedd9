/* SPDX-License-Identifier: MIT
 *
 * What a program can ask about the times of this root. It finds the function by its name at run
 * time: other roots, whose times are measured, do not have it.
 */
#ifndef CARD_CLOCK_ESTIMATE_H_
#define CARD_CLOCK_ESTIMATE_H_

#include "clock/timing.h"

/* A launch was played. */
void card_estimate_note(const struct card_timing *timing);
/* "estimated, MLU370-X4, copy-bound +-10 %"; an extrapolation is called so. */
void card_estimate_class(char *text, size_t size, const struct card_board *board,
                         enum card_bound bound);

/* The memory bandwidth that efficiencies are given by, in GB/s, and how exact the times of the
 * launches since the last call are, by what bounds most of their time. False: no board. */
__attribute__((visibility("default"))) bool cnrtxEstimate(double *gb_per_s, char *text,
                                                          size_t size);

#endif /* CARD_CLOCK_ESTIMATE_H_ */
