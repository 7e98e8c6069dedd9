/* SPDX-License-Identifier: MIT
 *
 * Compiled without contraction of a*b+c, because every operation must round to give the specified
 * bits. */
#include "data/random_array.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "data/isa_clones.h"
#include "data/random_uniform.h"

/* From one state; n / 2^31 is exact except for the rounding of n itself. */
static inline float canonical_float(const uint32_t *states) {
  const float value = (float)(int32_t)(states[0] - 1) * 0x1p-31f;
  return value >= 1.0f ? 0x1.fffffep-1f : value;
}

static inline double canonical_double(const uint32_t *states) {
  const double low = (double)(states[0] - 1);
  const double high = (double)(states[1] - 1) * MLUOP_RANDOM_RANGE;
  const double value = (low + high) / (MLUOP_RANDOM_RANGE * MLUOP_RANDOM_RANGE);
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
