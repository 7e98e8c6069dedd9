/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_BASE_CLOCK_H_
#define MLUOP_TEST_BASE_CLOCK_H_

#include <time.h>

/* Microseconds of a clock that never jumps. */
static inline double mluop_clock_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

#endif /* MLUOP_TEST_BASE_CLOCK_H_ */
