/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_DATA_INTEGERS_H_
#define MLUOP_TEST_DATA_INTEGERS_H_

#include "data/dtype.h"
#include "data/random.h"
#include "data/random_integer.h"

/* An interval of integers [low, low + size). */
typedef struct mluopIntegerRange {
  int64_t low;
  uint64_t size;
} mluopIntegerRange;

/* Fills n parts with independent integers of the range, on all cores. The values are those of n
 * calls of mluop_random_below. */
void mluop_integers_fill(mluopRandom random, mluopIntegerRange range, const mluopDtypeInfo *info,
                         void *data, size_t n);

#endif /* MLUOP_TEST_DATA_INTEGERS_H_ */
