/* SPDX-License-Identifier: MIT
 *
 * Rounds float lanes to integral values in every mode: with NEON's instructions, and with
 * equivalent arithmetic on other instruction sets.
 */
#ifndef BANG_CPU_VECTOR_LANES_ROUND_H_
#define BANG_CPU_VECTOR_LANES_ROUND_H_

#include "bang/table.h"
#include "vector/lanes.h"

#if defined(__ARM_NEON)
INLINE vf nearest_even(vf x) {
  return (vf)vrndnq_f32((float32x4_t)x);
}

/* mode is a compile-time constant, so just one branch remains. */
INLINE vf round_lanes(vf x, int mode) {
  const float32x4_t v = (float32x4_t)x;
  switch (mode) {
    case BANG_TZ:
      return (vf)vrndq_f32(v);
    case BANG_OZ:
      return with_sign((vf)vrndpq_f32(vabsq_f32(v)), x);
    case BANG_UP:
      return (vf)vrndpq_f32(v);
    case BANG_DN:
      return (vf)vrndmq_f32(v);
    case BANG_RD:
      return (vf)vrndaq_f32(v);
    case BANG_RN:
      return nearest_even(x);
    default: { /* BANG_RM: a negative tie went away from zero, and is corrected */
      vf away = (vf)vrndaq_f32(v);
      vf back = (vf)((away - x == -0.5f) & (vs32)splat_f(1.0f));
      return with_sign(away + back, x);
    }
  }
}
#else
/* From 2^23 on every float is integral. NaN has no fraction either. */
INLINE vs32 has_fraction(vf x) {
  return abs_f(x) < 0x1p23f;
}

/* Adding and subtracting 2^23 leaves the nearest integer, ties to even. */
INLINE vf nearest_even(vf x) {
  vf magnitude = (abs_f(x) + 0x1p23f) - 0x1p23f;
  return select_f(has_fraction(x), with_sign(magnitude, x), x);
}
/* For |x| below 2^23 only. */
INLINE vf floor_of_magnitude(vf magnitude) {
  vf near = (magnitude + 0x1p23f) - 0x1p23f;
  return near - (vf)((near > magnitude) & (vs32)splat_f(1.0f));
}
INLINE vf plus_one_where(vf x, vs32 mask) {
  return x + (vf)(mask & (vs32)splat_f(1.0f));
}

/* mode is a compile-time constant, so just one branch remains. */
INLINE vf round_lanes(vf x, int mode) {
  if (mode == BANG_RN) {
    return nearest_even(x);
  }
  vf magnitude = abs_f(x);
  vf low = floor_of_magnitude(magnitude);
  vs32 inexact = low != magnitude;
  vs32 negative = (vs32)x < 0;
  vs32 away;
  if (mode == BANG_TZ) {
    away = splat_s(0);
  } else if (mode == BANG_OZ) {
    away = inexact;
  } else if (mode == BANG_UP) {
    away = inexact & ~negative;
  } else if (mode == BANG_DN) {
    away = inexact & negative;
  } else if (mode == BANG_RD) {
    away = magnitude - low >= 0.5f;
  } else { /* BANG_RM: a negative tie goes toward zero */
    vf fraction = magnitude - low;
    away = (fraction > 0.5f) | ((fraction == 0.5f) & ~negative);
  }
  return select_f(has_fraction(x), with_sign(plus_one_where(low, away), x), x);
}
#endif

#endif /* BANG_CPU_VECTOR_LANES_ROUND_H_ */
