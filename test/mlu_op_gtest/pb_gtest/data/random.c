/* SPDX-License-Identifier: MIT
 *
 * Compiled without contraction of a*b+c: the promised bits have every operation rounded. */
#include "data/random.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"

#define RANDOM_MODULUS 2147483647u
#define RANDOM_MULTIPLIER 16807u
#define RANDOM_RANGE 2147483646.0 /* number of different states */

mluopRandom mluop_random_seed(int32_t seed) {
  /* The engine takes the seed as an unsigned number. */
  const uint32_t state = (uint32_t)((uint64_t)(int64_t)seed % RANDOM_MODULUS);
  return (mluopRandom){.state = state ? state : 1};
}

uint32_t mluop_random_next(mluopRandom *random) {
  /* The modulus is 2^31 - 1: the remainder is the sum of the 31-bit halves. */
  const uint64_t product = (uint64_t)random->state * RANDOM_MULTIPLIER;
  const uint32_t sum = (uint32_t)(product & RANDOM_MODULUS) + (uint32_t)(product >> 31);
  random->state = sum >= RANDOM_MODULUS ? sum - RANDOM_MODULUS : sum;
  return random->state;
}

void mluop_random_skip(mluopRandom *random, uint64_t draws) {
  uint64_t factor = RANDOM_MULTIPLIER;
  uint64_t state = random->state;
  for (; draws; draws >>= 1) {
    if (draws & 1) {
      state = state * factor % RANDOM_MODULUS;
    }
    factor = factor * factor % RANDOM_MODULUS;
  }
  random->state = (uint32_t)state;
}

uint64_t mluop_random_below(mluopRandom *random, uint64_t bound) {
  /* Two draws are a number below range^2 (nearly 2^62); the uneven rest of it is drawn again. */
  const uint64_t range = (uint64_t)RANDOM_RANGE;
  const uint64_t all = range * range;
  const uint64_t usable = all - all % bound;
  for (;;) {
    const uint64_t high = mluop_random_next(random) - 1;
    const uint64_t value = high * range + (mluop_random_next(random) - 1);
    if (bound > all || value < usable) {
      return value % bound;
    }
  }
}

static float canonical_float(mluopRandom *random) {
  const float value = (float)(mluop_random_next(random) - 1) / 2147483648.0f;
  return value >= 1.0f ? nextafterf(1.0f, 0.0f) : value;
}

static double canonical_double(mluopRandom *random) {
  const double low = (double)(mluop_random_next(random) - 1);
  const double high = (double)(mluop_random_next(random) - 1) * RANDOM_RANGE;
  const double value = (low + high) / (RANDOM_RANGE * RANDOM_RANGE);
  return value >= 1.0 ? nextafter(1.0, 0.0) : value;
}

#define REAL float
#define SINK mluopFloatSink
#define NAME(x) x##_float
#define DRAWS 1
#define CANONICAL canonical_float
#define BELOW(x) nextafterf(x, -INFINITY)
#define LOG logf
#define SQRT sqrtf
#include "data/random_real.inc"

#define REAL double
#define SINK mluopDoubleSink
#define NAME(x) x##_double
#define DRAWS 2
#define CANONICAL canonical_double
#define BELOW(x) nextafter(x, -(double)INFINITY)
#define LOG log
#define SQRT sqrt
#include "data/random_real.inc"
