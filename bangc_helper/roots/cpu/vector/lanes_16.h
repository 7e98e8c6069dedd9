/* SPDX-License-Identifier: MIT
 *
 * 16-bit floats, AT_ONCE vectors at a time: with short vectors, one whole-register load or store
 * serves two of them. Stored values must not be signalling NaNs. */
#ifndef BANG_CPU_VECTOR_LANES_16_H_
#define BANG_CPU_VECTOR_LANES_16_H_

#include "vector/lanes.h"

#if defined(__ARM_NEON)
/* The upper half of two vectors. A core converts by one of its pipes only; the product with 1, to
 * which -0 is added, is the same and uses others. */
INLINE vf upper_halves(float16x8_t two) {
#if defined(__ARM_FEATURE_FP16_FML)
  return (vf)vfmlalq_high_f16(vdupq_n_f32(-0.0f), two, vdupq_n_f16(1.0f));
#else
  return (vf)vcvt_high_f32_f16(two);
#endif
}
INLINE void load_vectors_f16(const void *p, vf *x) {
  for (int k = 0; k < AT_ONCE; k += 2) {
    float16x8_t two = vreinterpretq_f16_u16(vld1q_u16((const uint16_t *)p + k * LANES));
    x[k] = (vf)vcvt_f32_f16(vget_low_f16(two));
    x[k + 1] = upper_halves(two);
  }
}
INLINE void load_vectors_bf16(const void *p, vf *x) {
  for (int k = 0; k < AT_ONCE; k += 2) {
    uint16x8_t two = vld1q_u16((const uint16_t *)p + k * LANES), zero = vdupq_n_u16(0);
    x[k] = (vf)vzip1q_u16(zero, two);
    x[k + 1] = (vf)vzip2q_u16(zero, two);
  }
}
INLINE void store_vectors_f16(void *p, const vf *x) {
  for (int k = 0; k < AT_ONCE; k += 2) {
    float16x8_t two = vcvt_high_f16_f32(vcvt_f16_f32((float32x4_t)x[k]), (float32x4_t)x[k + 1]);
    vst1q_u16((uint16_t *)p + k * LANES, vreinterpretq_u16_f16(two));
  }
}
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
INLINE void store_vectors_bf16(void *p, const vf *x) {
  for (int k = 0; k < AT_ONCE; k += 2) {
    bfloat16x8_t one = vcvtq_low_bf16_f32((float32x4_t)x[k]);
    vst1q_bf16((bfloat16_t *)p + k * LANES, vcvtq_high_bf16_f32(one, (float32x4_t)x[k + 1]));
  }
}
#else
/* Rounded to nearest even; the result is in the upper half of each lane. */
INLINE uint16x8_t upper_bfloats(vf x) {
  uint32x4_t bits = (uint32x4_t)x, is_odd = vtstq_u32(bits, vdupq_n_u32(0x10000));
  uint32x4_t addend = vsubq_u32(vdupq_n_u32(0x7fff), is_odd); /* a lane of all ones is -1 */
  uint32x4_t is_number = vceqq_f32((float32x4_t)x, (float32x4_t)x);
  return vreinterpretq_u16_u32(vaddq_u32(bits, vandq_u32(addend, is_number)));
}
INLINE void store_vectors_bf16(void *p, const vf *x) {
  for (int k = 0; k < AT_ONCE; k += 2) {
    uint16x8_t two = vuzp2q_u16(upper_bfloats(x[k]), upper_bfloats(x[k + 1]));
    vst1q_u16((uint16_t *)p + k * LANES, two);
  }
}
#endif
#else
INLINE void load_vectors_f16(const void *p, vf *x) {
  x[0] = load_f16(p);
}
INLINE void load_vectors_bf16(const void *p, vf *x) {
  x[0] = load_bf16(p);
}
INLINE void store_vectors_f16(void *p, const vf *x) {
  store_f16(p, x[0]);
}
INLINE void store_vectors_bf16(void *p, const vf *x) {
  store_bf16(p, x[0]);
}
#endif

#endif /* BANG_CPU_VECTOR_LANES_16_H_ */
