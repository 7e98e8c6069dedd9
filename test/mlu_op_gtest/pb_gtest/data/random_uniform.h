/* SPDX-License-Identifier: MIT
 *
 * The inner loop of uniform floats, in which a case of a gigabyte spends its generating, and that
 * of the states they come from. */
#ifndef MLUOP_TEST_DATA_RANDOM_UNIFORM_H_
#define MLUOP_TEST_DATA_RANDOM_UNIFORM_H_

#include <stdbool.h>

#include "data/dtype.h"
#include "data/random.h"

/* The next n values in [lower, lower + width], each from one draw: its state less one, as a share
 * of 2^31, times the width. Every operation is rounded on its own. */
void mluop_random_uniform_block_float(mluopRandom *random, float lower, float width, float *values,
                                      size_t n);

/* Elements of a float type that such values are rounded to, or the states they come from. */
typedef struct mluopUniformRun {
  mluopPartKind part; /* FLOAT, HALF or BFLOAT16; UINT32: states */
  void *to;
  bool streamed;   /* see base/stream.h */
  bool sums;       /* adds to `digest` what the elements do to that of a block ... */
  uint64_t place;  /* ... in which the first lies in this word */
  uint64_t digest; /* see base/digest.h */
} mluopUniformRun;

/* Makes elements of the next values without a stop in the caches, as many of n as this machine can
 * make so where `to` is; possibly none. Returns their number. */
size_t mluop_random_uniform_run(mluopRandom *random, float lower, float width, mluopUniformRun *run,
                                size_t n);

/* The next n states: the same as n calls of mluop_random_next. */
void mluop_random_next_many(mluopRandom *random, uint32_t *states, size_t n);

#endif /* MLUOP_TEST_DATA_RANDOM_UNIFORM_H_ */
