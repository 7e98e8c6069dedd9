/* SPDX-License-Identifier: MIT
 *
 * The inner loops of uniform floats, which dominate the time to generate large cases, and of the
 * states they come from. */
#ifndef MLUOP_TEST_DATA_RANDOM_UNIFORM_H_
#define MLUOP_TEST_DATA_RANDOM_UNIFORM_H_

#include <stdbool.h>

#include "data/dtype.h"
#include "data/random.h"

/* The next n values in [lower, lower + width], each from one draw: (state - 1) / 2^31 * width +
 * lower. Every operation rounds. */
void mluop_random_uniform_block_float(mluopRandom *random, float lower, float width, float *values,
                                      size_t n);

/* An array of elements rounded from such values, or of the states themselves. */
typedef struct mluopUniformRun {
  mluopPartKind part; /* FLOAT, HALF or BFLOAT16; UINT32: states */
  void *to;
  bool streamed;   /* see base/stream.h */
  bool sums;       /* adds the elements' contribution to a block's digest to `digest` */
  uint64_t place;  /* index of the first element's word in that block */
  uint64_t digest; /* see base/digest.h */
} mluopUniformRun;

/* Writes elements of the next values directly to memory: as many of n as this machine supports at
 * the address `to`, possibly none. Returns their number. */
size_t mluop_random_uniform_run(mluopRandom *random, float lower, float width, mluopUniformRun *run,
                                size_t n);

/* The next n states: the same as n calls of mluop_random_next. */
void mluop_random_next_many(mluopRandom *random, uint32_t *states, size_t n);

#endif /* MLUOP_TEST_DATA_RANDOM_UNIFORM_H_ */
