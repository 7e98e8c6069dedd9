/* SPDX-License-Identifier: MIT
 *
 * The clock of time limits. It stands still while the whole process is stopped, by a signal, a
 * debugger or a frozen container: it says nothing about the other ranks, which most likely were
 * stopped as well.
 */
#ifndef CNCL_LIMIT_CLOCK_H_
#define CNCL_LIMIT_CLOCK_H_

#include <stdint.h>

/* Whoever waits reads the clock this often: between two readings it advances by no more than twice
 * that. */
#define CNCL_LIMIT_CLOCK_PERIOD_NS 1000000000u

/* Nanoseconds, never 0. */
uint64_t cncl_limit_clock_ns(void);

#endif /* CNCL_LIMIT_CLOCK_H_ */
