/* SPDX-License-Identifier: MIT
 *
 * The random engine that existing case files rely on: s = 16807 * s mod (2^31 - 1). */
#ifndef MLUOP_TEST_DATA_RANDOM_H_
#define MLUOP_TEST_DATA_RANDOM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MLUOP_RANDOM_SEED_DEFAULT 23
#define MLUOP_RANDOM_MODULUS 2147483647u
#define MLUOP_RANDOM_MULTIPLIER 16807u
#define MLUOP_RANDOM_RANGE 2147483646.0 /* number of different states */

typedef struct mluopRandom {
  uint32_t state; /* 1 .. 2^31 - 2 */
} mluopRandom;

/* state * factor mod the modulus. */
static inline uint32_t mluop_random_multiply(uint32_t state, uint32_t factor) {
  /* The modulus is 2^31 - 1, so the remainder is the sum of the 31-bit halves. */
  const uint64_t product = (uint64_t)state * factor;
  const uint32_t sum = (uint32_t)(product & MLUOP_RANDOM_MODULUS) + (uint32_t)(product >> 31);
  return sum >= MLUOP_RANDOM_MODULUS ? sum - MLUOP_RANDOM_MODULUS : sum;
}

mluopRandom mluop_random_seed(int32_t seed);

/* The next state, 1 .. 2^31 - 2. */
uint32_t mluop_random_next(mluopRandom *random);

/* The next n states, the same as n calls but several at a time. mluop_random_next_many is faster on
 * some machines. */
void mluop_random_next_lanes(mluopRandom *random, uint32_t *states, size_t n);

/* Advances as if `draws` values had been drawn. */
void mluop_random_skip(mluopRandom *random, uint64_t draws);

#endif /* MLUOP_TEST_DATA_RANDOM_H_ */
