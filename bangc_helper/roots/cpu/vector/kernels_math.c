/* SPDX-License-Identifier: MIT
 *
 * Elementary functions over arrays. 16-bit floats are computed in float and rounded once.
 */
#include "vector/lanes_math.h"
#include "vector/vector.h"

INLINE vf recip_lanes(vf x) {
  return 1.0f / x;
}
INLINE vf sqrt_lanes(vf x) {
#if defined(__AVX512F__)
  return (vf)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
  return (vf)_mm256_sqrt_ps((__m256)x);
#else
  for (int i = 0; i < LANES; i++) {
    x[i] = sqrtf(x[i]);
  }
  return x;
#endif
}
/* The square root in double, so that only the final division rounds. */
INLINE vd sqrt_d(vd x) {
#if defined(__AVX512F__)
  return (vd)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX2__)
  return (vd)_mm256_sqrt_pd((__m256d)x);
#else
  for (int i = 0; i < LANES / 2; i++) {
    x[i] = sqrt(x[i]);
  }
  return x;
#endif
}
INLINE vf rsqrt_lanes(vf x) {
  return float_lanes(1.0 / sqrt_d(double_low(x)), 1.0 / sqrt_d(double_high(x)));
}
/* Arguments too large for the reduction in double go to the C library, lane by lane. */
#define TRIGONOMETRIC(name, library)                        \
  INLINE vf name##_any(vf x) {                              \
    vs32 ordinary = abs_f(x) < 0x1p28f;                     \
    vf y = name##_lanes(select_f(ordinary, x, splat_f(0))); \
    for (int i = 0; i < LANES; i++) {                       \
      if (__builtin_expect(!ordinary[i], 0)) {              \
        y[i] = library(x[i]);                               \
      }                                                     \
    }                                                       \
    return y;                                               \
  }
TRIGONOMETRIC(sin, sinf)
TRIGONOMETRIC(cos, cosf)

#define FLOAT_KERNELS(tag)                            \
  DEFINE_UNARY(exp_##tag, tag, exp_lanes)             \
  DEFINE_UNARY(exp2_##tag, tag, exp2_lanes)           \
  DEFINE_UNARY(log_##tag, tag, log_lanes)             \
  DEFINE_UNARY(log2_##tag, tag, log2_lanes)           \
  DEFINE_UNARY(log10_##tag, tag, log10_lanes)         \
  DEFINE_UNARY(sin_##tag, tag, sin_any)               \
  DEFINE_UNARY(cos_##tag, tag, cos_any)               \
  DEFINE_UNARY(tanh_##tag, tag, tanh_lanes)           \
  DEFINE_UNARY(sigmoid_##tag, tag, sigmoid_lanes)     \
  DEFINE_UNARY(gelu_##tag, tag, gelu_lanes)           \
  DEFINE_UNARY(gelu_tanh_##tag, tag, gelu_tanh_lanes) \
  DEFINE_UNARY(softplus_##tag, tag, softplus_lanes)   \
  DEFINE_UNARY(recip_##tag, tag, recip_lanes)         \
  DEFINE_UNARY(sqrt_##tag, tag, sqrt_lanes)           \
  DEFINE_UNARY(rsqrt_##tag, tag, rsqrt_lanes)
FLOAT_KERNELS(f16)
FLOAT_KERNELS(bf16)
FLOAT_KERNELS(f32)

#define SET(op, code, kernel) table->unary[op][code] = kernel
#define FILL(code, tag)                       \
  SET(BANG_EXP, code, exp_##tag);             \
  SET(BANG_EXP2, code, exp2_##tag);           \
  SET(BANG_LOG, code, log_##tag);             \
  SET(BANG_LOG2, code, log2_##tag);           \
  SET(BANG_LOG10, code, log10_##tag);         \
  SET(BANG_SIN, code, sin_##tag);             \
  SET(BANG_COS, code, cos_##tag);             \
  SET(BANG_TANH, code, tanh_##tag);           \
  SET(BANG_SIGMOID, code, sigmoid_##tag);     \
  SET(BANG_GELU, code, gelu_##tag);           \
  SET(BANG_GELU_TANH, code, gelu_tanh_##tag); \
  SET(BANG_SOFTPLUS, code, softplus_##tag);   \
  SET(BANG_RECIP, code, recip_##tag);         \
  SET(BANG_SQRT, code, sqrt_##tag);           \
  SET(BANG_RSQRT, code, rsqrt_##tag)

void PER_ISA(bang_fill_math)(bangIsaTable *table) {
  FILL(BANG_F16, f16);
  FILL(BANG_BF16, bf16);
  FILL(BANG_F32, f32);
}
