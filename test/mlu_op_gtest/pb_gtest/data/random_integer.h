/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_DATA_RANDOM_INTEGER_H_
#define MLUOP_TEST_DATA_RANDOM_INTEGER_H_

#include "data/random.h"

/* Uniform integer in [0, bound), bound > 0, without bias. */
uint64_t mluop_random_below(mluopRandom *random, uint64_t bound);

/* The next n of them. False if one takes more than two draws, with probability bound / 2^62; the
 * caller must then call mluop_random_below n times instead. */
bool mluop_random_below_many(mluopRandom *random, uint64_t bound, uint64_t *values, size_t n);

#endif /* MLUOP_TEST_DATA_RANDOM_INTEGER_H_ */
