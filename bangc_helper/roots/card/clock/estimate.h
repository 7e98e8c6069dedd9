/* SPDX-License-Identifier: MIT
 *
 * The accuracy of this root's times, for programs. They look up cnrtxEstimate by name at run time,
 * since other roots, which measure times, do not have it.
 */
#ifndef CARD_CLOCK_ESTIMATE_H_
#define CARD_CLOCK_ESTIMATE_H_

#include "clock/timing.h"

/* Call it for every simulated launch. */
void card_estimate_note(const struct card_timing *timing);
/* Writes "estimated, MLU370-X4, copy-bound +-10 %", or "extrapolated, ...". */
void card_estimate_class(char *text, size_t size, const struct card_board *board,
                         enum card_bound bound);

/* Returns the peak memory bandwidth in GB/s, the base of efficiencies, and the accuracy of the
 * launches since the last call, by what bounds most of their time. False: no board. */
__attribute__((visibility("default"))) bool cnrtxEstimate(double *gb_per_s, char *text,
                                                          size_t size);

#endif /* CARD_CLOCK_ESTIMATE_H_ */
