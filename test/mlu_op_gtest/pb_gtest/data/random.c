/* SPDX-License-Identifier: MIT
 *
 * Compiled without contraction of a*b+c: the promised bits have every operation rounded. */
#include "data/random.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "data/random_uniform.h"

/* The same code for several instruction sets, chosen when the program starts. Sanitizers are not
 * ready by then. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_ISA __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define FOR_EACH_ISA
#endif

#define RANDOM_MODULUS 2147483647u
#define RANDOM_MULTIPLIER 16807u
#define RANDOM_RANGE 2147483646.0 /* number of different states */

mluopRandom mluop_random_seed(int32_t seed) {
  /* The engine takes the seed as an unsigned number. */
  const uint32_t state = (uint32_t)((uint64_t)(int64_t)seed % RANDOM_MODULUS);
  return (mluopRandom){.state = state ? state : 1};
}

static inline uint32_t multiply(uint32_t state, uint32_t factor) {
  /* The modulus is 2^31 - 1: the remainder is the sum of the 31-bit halves. */
  const uint64_t product = (uint64_t)state * factor;
  const uint32_t sum = (uint32_t)(product & RANDOM_MODULUS) + (uint32_t)(product >> 31);
  return sum >= RANDOM_MODULUS ? sum - RANDOM_MODULUS : sum;
}

uint32_t mluop_random_next(mluopRandom *random) {
  random->state = multiply(random->state, RANDOM_MULTIPLIER);
  return random->state;
}

/* A state depends on the one before, so one sequence cannot be computed faster than a
 * multiplication takes. As many sequences as there are lanes, each a lane apart from the next, can:
 * they move by multiplier^LANES. */
static FOR_EACH_ISA void next_in_lanes(mluopRandom *random, uint32_t *states, size_t n) {
  enum { LANES = 16 };
  size_t i = 0;
  for (; i < n && i < LANES; ++i) {
    states[i] = mluop_random_next(random);
  }
  mluopRandom power = {.state = 1};
  mluop_random_skip(&power, LANES);
  const uint32_t factor = power.state;
  for (; i + LANES <= n; i += LANES) {
    for (size_t k = 0; k < LANES; ++k) {
      states[i + k] = multiply(states[i + k - LANES], factor);
    }
  }
  for (; i < n; ++i) {
    states[i] = multiply(states[i - LANES], factor);
  }
  if (n) {
    random->state = states[n - 1];
  }
}

void mluop_random_next_many(mluopRandom *random, uint32_t *states, size_t n) {
  mluopUniformRun run = {.part = MLUOP_PART_UINT32, .to = states};
  const size_t done = mluop_random_uniform_run(random, 0, 1, &run, n);
  next_in_lanes(random, states + done, n - done);
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

/* Two draws are a number below range^2 (nearly 2^62), and its remainder the integer that is wanted,
 * unless it lies in the uneven rest behind the last multiple of the bound: then they are drawn
 * again. */
static const uint64_t random_range = (uint64_t)RANDOM_RANGE;

static inline bool below_of(uint32_t first, uint32_t second, uint64_t bound, uint64_t *remainder) {
  const uint64_t all = random_range * random_range;
  const uint64_t value = (first - 1) * random_range + (second - 1);
  *remainder = value % bound;
  return bound > all || value - *remainder <= all - bound;
}

uint64_t mluop_random_below(mluopRandom *random, uint64_t bound) {
  /* The second draw need not wait for the first. */
  static const uint32_t twice =
      (uint32_t)((uint64_t)RANDOM_MULTIPLIER * RANDOM_MULTIPLIER % RANDOM_MODULUS);
  uint64_t remainder;
  bool good;
  do {
    const uint32_t first = multiply(random->state, RANDOM_MULTIPLIER);
    random->state = multiply(random->state, twice);
    good = below_of(first, random->state, bound, &remainder);
  } while (!good);
  return remainder;
}

/* x mod size, both whole numbers, x below 2^34: every step is exact. */
static inline double small_remainder(double x, double size, double inverse) {
  double rest = x - floor(x * inverse) * size;
  rest = rest < 0 ? rest + size : rest;
  return rest >= size ? rest - size : rest;
}

/* For bounds up to 2^16, where a vector of doubles holds what a division needs. */
static FOR_EACH_ISA bool below_small(const uint32_t *states, uint64_t bound, uint64_t *values,
                                     size_t n) {
  const double size = (double)bound, inverse = 1 / size;
  const double range_rest = (double)(random_range % bound);
  /* The uneven rest lies behind the greatest first draw. */
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

/* From one state; n / 2^31 is exact but for the rounding of n itself. */
static inline float canonical_float(const uint32_t *states) {
  const float value = (float)(int32_t)(states[0] - 1) * 0x1p-31f;
  return value >= 1.0f ? 0x1.fffffep-1f : value;
}

static inline double canonical_double(const uint32_t *states) {
  const double low = (double)(states[0] - 1);
  const double high = (double)(states[1] - 1) * RANDOM_RANGE;
  const double value = (low + high) / (RANDOM_RANGE * RANDOM_RANGE);
  return value >= 1.0 ? 0x1.fffffffffffffp-1 : value;
}

static void uniform_block_double(mluopRandom *random, double lower, double width, double *values,
                                 size_t n) {
  enum { BLOCK = 512 };
  uint32_t states[2 * BLOCK];
  for (size_t at = 0; at < n; at += BLOCK) {
    const size_t block = n - at < BLOCK ? n - at : BLOCK;
    mluop_random_next_many(random, states, 2 * block);
    for (size_t i = 0; i < block; ++i) {
      values[at + i] = canonical_double(states + 2 * i) * width + lower;
    }
  }
}

float mluop_random_width_float(float lower, float upper) {
  return nextafterf(upper, -INFINITY) - lower;
}

static double mluop_random_width_double(double lower, double upper) {
  return nextafter(upper, -(double)INFINITY) - lower;
}

#define REAL float
#define SINK mluopFloatSink
#define NAME(x) x##_float
#define DRAWS 1
#define CANONICAL canonical_float
#define UNIFORM_BLOCK mluop_random_uniform_block_float
#define LOG logf
#define SQRT sqrtf
#include "data/random_real.inc"

#define REAL double
#define SINK mluopDoubleSink
#define NAME(x) x##_double
#define DRAWS 2
#define CANONICAL canonical_double
#define UNIFORM_BLOCK uniform_block_double
#define LOG log
#define SQRT sqrt
#include "data/random_real.inc"
