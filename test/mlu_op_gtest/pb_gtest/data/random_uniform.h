/* SPDX-License-Identifier: MIT
 *
 * The inner loop of uniform floats, in which a case of a gigabyte spends its generating. */
#ifndef MLUOP_TEST_DATA_RANDOM_UNIFORM_H_
#define MLUOP_TEST_DATA_RANDOM_UNIFORM_H_

#include "data/random.h"

/* The next n values in [lower, lower + width], each from one draw: its state less one, as a share
 * of 2^31, times the width. Every operation is rounded on its own. */
void mluop_random_uniform_block_float(mluopRandom *random, float lower, float width, float *values,
                                      size_t n);

#endif /* MLUOP_TEST_DATA_RANDOM_UNIFORM_H_ */
