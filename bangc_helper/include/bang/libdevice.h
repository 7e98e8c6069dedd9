/* SPDX-License-Identifier: MIT
 *
 * Group H: the device library. __cn_scalar_* take numbers; __cn_vector_* take arrays, with the
 * count first.
 */
#ifndef BANG_LIBDEVICE_H_
#define BANG_LIBDEVICE_H_

#include "bang/inline.h"

#include <cmath>

#include "bang/element.h"
#include "bang/vector_api.h"

/* 16-bit numbers are computed in float and rounded once. */
#define BANG_CN_SCALAR1(name, function)                        \
  BANG_ON_CALL float __cn_scalar_##name##_f32(float x) {       \
    return function(x);                                        \
  }                                                            \
  BANG_ON_CALL half __cn_scalar_##name##_f16(half x) {         \
    return static_cast<half>(function(static_cast<float>(x))); \
  }
BANG_CN_SCALAR1(sin, sinf)
BANG_CN_SCALAR1(cos, cosf)
BANG_CN_SCALAR1(tan, tanf)
BANG_CN_SCALAR1(sinh, sinhf)
BANG_CN_SCALAR1(cosh, coshf)
BANG_CN_SCALAR1(tanh, tanhf)
BANG_CN_SCALAR1(asin, asinf)
BANG_CN_SCALAR1(acos, acosf)
BANG_CN_SCALAR1(atan, atanf)
BANG_CN_SCALAR1(ceil, ceilf)
BANG_CN_SCALAR1(floor, floorf)
BANG_CN_SCALAR1(round, roundf)
BANG_CN_SCALAR1(trunc, truncf)
BANG_CN_SCALAR1(abs, fabsf)
BANG_CN_SCALAR1(log, logf)
BANG_CN_SCALAR1(log2, log2f)
BANG_CN_SCALAR1(log10, log10f)
BANG_CN_SCALAR1(exp, expf)
BANG_CN_SCALAR1(exp2, exp2f)
BANG_CN_SCALAR1(erf, erff)
BANG_CN_SCALAR1(sqrt, sqrtf)
BANG_CN_SCALAR1(rsqrt, 1.0f / sqrtf)
#undef BANG_CN_SCALAR1

#define BANG_CN_SCALAR2(name, f32_name, f16_name, expression)   \
  BANG_ON_CALL float f32_name(float x, float y) {               \
    return expression;                                          \
  }                                                             \
  BANG_ON_CALL half f16_name(half a, half b) {                  \
    float x = static_cast<float>(a), y = static_cast<float>(b); \
    return static_cast<half>(expression);                       \
  }
BANG_CN_SCALAR2(add, __cn_scalar_add_f32_rn, __cn_scalar_add_f16_rn, x + y)
BANG_CN_SCALAR2(sub, __cn_scalar_sub_f32_rn, __cn_scalar_sub_f16_rn, x - y)
BANG_CN_SCALAR2(mul, __cn_scalar_mul_f32_rn, __cn_scalar_mul_f16_rn, x *y)
BANG_CN_SCALAR2(div, __cn_scalar_div_f32_rn, __cn_scalar_div_f16_rn, x / y)
BANG_CN_SCALAR2(mod, __cn_scalar_mod_f32, __cn_scalar_mod_f16, fmodf(x, y))
BANG_CN_SCALAR2(pow, __cn_scalar_pow_f32, __cn_scalar_pow_f16, powf(x, y))
BANG_CN_SCALAR2(max, __cn_scalar_max_f32, __cn_scalar_max_f16, fmaxf(x, y))
BANG_CN_SCALAR2(min, __cn_scalar_min_f32, __cn_scalar_min_f16, fminf(x, y))
BANG_CN_SCALAR2(hypot, __cn_scalar_hypot_f32, __cn_scalar_hypot_f16, hypotf(x, y))
#undef BANG_CN_SCALAR2

BANG_ON_CALL int __cn_scalar_isinf_f32(float x) {
  return std::isinf(x);
}
BANG_ON_CALL int __cn_scalar_isnan_f32(float x) {
  return std::isnan(x);
}

/* ---- arrays ---- */

#define BANG_CN_VECTOR1(name, op)                                                       \
  BANG_ON_CALL void __cn_vector_##name##_f32(int64_t n, float *dst, const float *src) { \
    __bang_vec_unary(op, BANG_F32, dst, src, n);                                        \
  }                                                                                     \
  BANG_ON_CALL void __cn_vector_##name##_f16(int64_t n, half *dst, const half *src) {   \
    __bang_vec_unary(op, BANG_F16, dst, src, n);                                        \
  }
BANG_CN_VECTOR1(sin, BANG_SIN)
BANG_CN_VECTOR1(cos, BANG_COS)
BANG_CN_VECTOR1(tanh, BANG_TANH)
BANG_CN_VECTOR1(exp, BANG_EXP)
BANG_CN_VECTOR1(exp2, BANG_EXP2)
BANG_CN_VECTOR1(log, BANG_LOG)
BANG_CN_VECTOR1(log2, BANG_LOG2)
BANG_CN_VECTOR1(log10, BANG_LOG10)
BANG_CN_VECTOR1(sqrt, BANG_SQRT)
BANG_CN_VECTOR1(rsqrt, BANG_RSQRT)
BANG_CN_VECTOR1(recip, BANG_RECIP)
BANG_CN_VECTOR1(abs, BANG_ABS)
BANG_CN_VECTOR1(floor, BANG_FLOOR)
BANG_CN_VECTOR1(ceil, BANG_CEIL)
BANG_CN_VECTOR1(round, BANG_ROUND)
BANG_CN_VECTOR1(trunc, BANG_TRUNC)
#undef BANG_CN_VECTOR1

#define BANG_CN_VECTOR2(name, op, code, type)                                  \
  BANG_ON_CALL void name(int64_t n, type *dst, const type *a, const type *b) { \
    __bang_vec_binary(op, code, dst, a, b, n);                                 \
  }
BANG_CN_VECTOR2(__cn_vector_add_f32_rn, BANG_ADD, BANG_F32, float)
BANG_CN_VECTOR2(__cn_vector_sub_f32_rn, BANG_SUB, BANG_F32, float)
BANG_CN_VECTOR2(__cn_vector_mul_f32_rn, BANG_MUL, BANG_F32, float)
BANG_CN_VECTOR2(__cn_vector_div_f32_rn, BANG_DIV, BANG_F32, float)
BANG_CN_VECTOR2(__cn_vector_div_f16_rn, BANG_DIV, BANG_F16, half)
BANG_CN_VECTOR2(__cn_vector_div_s32, BANG_DIV, BANG_S32, int32_t)
BANG_CN_VECTOR2(__cn_vector_div_u32, BANG_DIV, BANG_U32, uint32_t)
BANG_CN_VECTOR2(__cn_vector_mod_s32, BANG_REM, BANG_S32, int32_t)
BANG_CN_VECTOR2(__cn_vector_mod_u32, BANG_REM, BANG_U32, uint32_t)
BANG_CN_VECTOR2(__cn_vector_pow_f32, BANG_POW, BANG_F32, float)
BANG_CN_VECTOR2(__cn_vector_pow_f16, BANG_POW, BANG_F16, half)
#undef BANG_CN_VECTOR2

BANG_ON_CALL void __cn_vector_hypot_f32(int64_t n, float *dst, const float *a, const float *b) {
  for (int64_t i = 0; i < n; i++) {
    dst[i] = hypotf(a[i], b[i]);
  }
}
BANG_ON_CALL void __cn_vector_mod_scalar_u64(int64_t n, uint64_t *dst, const uint64_t *src,
                                             uint64_t divisor) {
  __bang_vec_scalar(BANG_REM, BANG_U64, dst, src, &divisor, n);
}
BANG_ON_CALL void __cn_vector_cast_f32_to_s32(int64_t n, int32_t *dst, const float *src) {
  __bang_vec_convert(BANG_S32, dst, BANG_F32, src, n, 0, BANG_TZ);
}
BANG_ON_CALL void __cn_vector_cast_s32_to_f32(int64_t n, float *dst, const int32_t *src) {
  __bang_vec_convert(BANG_F32, dst, BANG_S32, src, n, 0, BANG_RN);
}

#endif /* BANG_LIBDEVICE_H_ */
