/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_DATA_RANDOM_INTEGER_H_
#define MLUOP_TEST_DATA_RANDOM_INTEGER_H_

#include "data/random.h"

/* Uniform integer in [0, bound), bound > 0, without bias. */
uint64_t mluop_random_below(mluopRandom *random, uint64_t bound);

/* The next n of them. False where one of them takes more than two draws, which happens once in
 * 2^62 / bound: then only as many calls of the other tell what they are. */
bool mluop_random_below_many(mluopRandom *random, uint64_t bound, uint64_t *values, size_t n);

#endif /* MLUOP_TEST_DATA_RANDOM_INTEGER_H_ */
