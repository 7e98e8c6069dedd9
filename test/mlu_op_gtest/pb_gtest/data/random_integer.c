/* SPDX-License-Identifier: MIT */
#include "data/random_integer.h"

#include <math.h>

#include "data/isa_clones.h"
#include "data/random_uniform.h"

/* Two draws make a number below range^2 (nearly 2^62). The result is its remainder, unless the
 * number is after the last multiple of the bound, which would be biased: then it is drawn again.
 */
static const uint64_t random_range = (uint64_t)MLUOP_RANDOM_RANGE;

static inline bool below_of(uint32_t first, uint32_t second, uint64_t bound, uint64_t *remainder) {
  const uint64_t all = random_range * random_range;
  const uint64_t value = (first - 1) * random_range + (second - 1);
  *remainder = value % bound;
  return bound > all || value - *remainder <= all - bound;
}

uint64_t mluop_random_below(mluopRandom *random, uint64_t bound) {
  /* Computes the second draw without waiting for the first. */
  static const uint32_t twice = (uint32_t)((uint64_t)MLUOP_RANDOM_MULTIPLIER *
                                           MLUOP_RANDOM_MULTIPLIER % MLUOP_RANDOM_MODULUS);
  uint64_t remainder;
  bool good;
  do {
    const uint32_t first = mluop_random_multiply(random->state, MLUOP_RANDOM_MULTIPLIER);
    random->state = mluop_random_multiply(random->state, twice);
    good = below_of(first, random->state, bound, &remainder);
  } while (!good);
  return remainder;
}

/* x mod size for whole numbers with x below 2^34; every step is exact. */
static inline double small_remainder(double x, double size, double inverse) {
  double rest = x - floor(x * inverse) * size;
  rest = rest < 0 ? rest + size : rest;
  return rest >= size ? rest - size : rest;
}

/* For bounds up to 2^16, where vectors of doubles suffice for the division. */
static FOR_EACH_ISA bool below_small(const uint32_t *states, uint64_t bound, uint64_t *values,
                                     size_t n) {
  const double size = (double)bound, inverse = 1 / size;
  const double range_rest = (double)(random_range % bound);
  /* Numbers to be redrawn all have the largest first draw. */
  const uint32_t last = (uint32_t)random_range;
  const uint32_t uneven = (uint32_t)(random_range - random_range * random_range % bound);
  uint32_t again = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t first = states[2 * i], second = states[2 * i + 1];
    const double high = small_remainder((double)(int32_t)(first - 1), size, inverse);
    const double rest =
        small_remainder(high * range_rest + (double)(int32_t)(second - 1), size, inverse);
    values[i] = (uint64_t)(uint32_t)(int32_t)rest;
    again |= (uint32_t)(first == last) & (uint32_t)(second > uneven);
  }
  return !again;
}

bool mluop_random_below_many(mluopRandom *random, uint64_t bound, uint64_t *values, size_t n) {
  enum { BLOCK = 512 };
  uint32_t states[2 * BLOCK];
  bool good = true;
  for (size_t at = 0; at < n; at += BLOCK) {
    const size_t block = n - at < BLOCK ? n - at : BLOCK;
    mluop_random_next_many(random, states, 2 * block);
    if (bound <= 1 << 16) {
      good &= below_small(states, bound, values + at, block);
      continue;
    }
    for (size_t i = 0; i < block; ++i) {
      good &= below_of(states[2 * i], states[2 * i + 1], bound, &values[at + i]);
    }
  }
  return good;
}
