/* SPDX-License-Identifier: MIT
 *
 * Vector arithmetic: add, sub, mul, div, rem, max, min, with a vector or a scalar as second
 * operand. 16-bit floats are computed as in float and rounded once; integers wrap around.
 */
#include <math.h>

#include "vector/lanes.h"
#include "vector/scalar_float.h"
#include "vector/vector.h"

#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))

/* IEEE maxNum: a number beats a NaN. */
INLINE vf max_number(vf a, vf b) {
  return select_f(b != b, a, max_or_second(a, b));
}
INLINE vf min_number(vf a, vf b) {
  return select_f(b != b, a, min_or_second(a, b));
}
INLINE vf max_or_nan(vf a, vf b) {
  return select_f(a != a, a, max_or_second(a, b));
}
INLINE vf min_or_nan(vf a, vf b) {
  return select_f(a != a, a, min_or_second(a, b));
}

/* The first operand if either is NaN. */
INLINE vf max_or_first(vf a, vf b) {
  return max_or_second(b, a);
}
INLINE vf min_or_first(vf a, vf b) {
  return min_or_second(b, a);
}

#define FLOAT_ARITHMETIC(tag)                 \
  DEFINE_BINARY(add, tag, add_f)              \
  DEFINE_BINARY(sub, tag, sub_f)              \
  DEFINE_BINARY(mul, tag, mul_f)              \
  DEFINE_BINARY(div, tag, DIV)                \
  DEFINE_BINARY(max, tag, max_number)         \
  DEFINE_BINARY(min, tag, min_number)         \
  DEFINE_BINARY(nan_max, tag, max_or_nan)     \
  DEFINE_BINARY(nan_min, tag, min_or_nan)     \
  DEFINE_BINARY(max_first, tag, max_or_first) \
  DEFINE_BINARY(min_first, tag, min_or_first)

FLOAT_ARITHMETIC(f16)
FLOAT_ARITHMETIC(bf16)
FLOAT_ARITHMETIC(f32)

#if defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
/* Halves without widening. A float has more than twice the bits of a half, so rounding to float
 * first changes no sum, difference or product. */
#define HALF_LANES(name, instruction)                                                \
  INLINE vu16 name(vu16 a, vu16 b) {                                                 \
    vu16 result;                                                                     \
    __asm__("f" instruction " %0.8h, %1.8h, %2.8h" : "=w"(result) : "w"(a), "w"(b)); \
    return result;                                                                   \
  }
HALF_LANES(add_lanes, "add")
HALF_LANES(sub_lanes, "sub")
HALF_LANES(mul_lanes, "mul")

/* Of two NaNs the processor prefers a signalling one to the first. Adding -0 makes NaNs quiet and
 * changes nothing else. */
INLINE vu16 quiet(vu16 x) {
  return add_lanes(x, (vu16){0} + 0x8000);
}
#define ADD_HALVES(a, b) add_lanes(a, quiet(b))
#define SUB_HALVES(a, b) sub_lanes(a, quiet(b))
#define MUL_HALVES(a, b) mul_lanes(a, quiet(b))
DEFINE_BINARY(half_add, u16, ADD_HALVES)
DEFINE_BINARY(half_sub, u16, SUB_HALVES)
DEFINE_BINARY(half_mul, u16, MUL_HALVES)
#endif

/* Signed integers wrap around, so they are computed as unsigned. */
#define INT_WRAPPING(tag)      \
  DEFINE_BINARY(add, tag, ADD) \
  DEFINE_BINARY(sub, tag, SUB) \
  DEFINE_BINARY(mul, tag, MUL)
INT_WRAPPING(u8)
INT_WRAPPING(u16)
INT_WRAPPING(u32)
INT_WRAPPING(u64)

#define INT_MAX_MIN(tag)                              \
  INLINE V_##tag max_of_##tag(V_##tag a, V_##tag b) { \
    V_##tag m = (V_##tag)(a > b);                     \
    return (m & a) | (~m & b);                        \
  }                                                   \
  INLINE V_##tag min_of_##tag(V_##tag a, V_##tag b) { \
    V_##tag m = (V_##tag)(a < b);                     \
    return (m & a) | (~m & b);                        \
  }                                                   \
  DEFINE_BINARY(max, tag, max_of_##tag)               \
  DEFINE_BINARY(min, tag, min_of_##tag)

/* Nothing traps: x / 0 is 0, x rem 0 is x, and the one overflowing signed division wraps around. */
#define INT_DIVISION(tag, element, is_minus_one)                                      \
  INLINE element div_of_##tag(element a, element b) {                                 \
    return b == 0 ? 0 : is_minus_one ? (element)(0 - (uint64_t)a) : (element)(a / b); \
  }                                                                                   \
  INLINE element rem_of_##tag(element a, element b) {                                 \
    return b == 0 ? a : is_minus_one ? 0 : (element)(a % b);                          \
  }                                                                                   \
  DEFINE_BINARY_ELEMENT(div, tag, element, div_of_##tag)                              \
  DEFINE_BINARY_ELEMENT(rem, tag, element, rem_of_##tag)

#define SIGNED_INT(tag, element) INT_MAX_MIN(tag) INT_DIVISION(tag, element, (b == -1))
#define UNSIGNED_INT(tag, element) INT_MAX_MIN(tag) INT_DIVISION(tag, element, 0)
SIGNED_INT(s8, int8_t)
SIGNED_INT(s16, int16_t)
SIGNED_INT(s32, int32_t)
SIGNED_INT(s64, int64_t)
UNSIGNED_INT(u8, uint8_t)
UNSIGNED_INT(u16, uint16_t)
UNSIGNED_INT(u32, uint32_t)
UNSIGNED_INT(u64, uint64_t)

/* ---- one element at a time: rem, pow and the operations that round toward zero ---- */

/* The exact a + b or a * b of two floats, rounded to odd in double: enough bits for one correct
 * rounding afterwards. */
static double exact_sum(double a, double b) {
  if (isnan(a) || isnan(b)) {
    return isnan(a) ? a : b;
  }
  double sum = a + b;
  if (!isfinite(sum)) {
    return sum;
  }
  double part = sum - a;
  double error = (a - (sum - part)) + (b - part);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (error != 0 && (bits & 1) == 0) {
    bits += (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
    memcpy(&sum, &bits, sizeof sum);
  }
  return sum;
}
#define SUM_TZ(a, b) exact_sum(a, b)
#define DIFFERENCE_TZ(a, b) exact_sum(a, -(double)(b))
static double exact_product(double a, double b) {
  return isnan(a) ? a : isnan(b) ? b : a * b;
}

#define WIDEN_f16(x) bang_half_to_float(x)
#define WIDEN_bf16(x) bang_bfloat_to_float(x)
#define WIDEN_f32(x) (x)
#define NARROW_f16(x, mode) bang_exact_half_bits(bang_round_half(x, mode))
#define NARROW_bf16(x, mode) bang_exact_bfloat_bits(bang_round_bfloat(x, mode))
#define NARROW_f32(x, mode) ((float)bang_round_float(x, mode))

/* powf tells signalling NaNs from quiet ones. Here every NaN is alike: 1^NaN and NaN^0 are 1. */
static float power(float a, float b) {
  return a == 1.0f || b == 0.0f ? 1.0f : powf(a, b);
}

#define FLOAT_ELEMENTS(tag, element)                                             \
  INLINE element rem_of_##tag(element a, element b) {                            \
    return NARROW_##tag(fmodf(WIDEN_##tag(a), WIDEN_##tag(b)), BANG_RN);         \
  }                                                                              \
  INLINE element pow_of_##tag(element a, element b) {                            \
    return NARROW_##tag(power(WIDEN_##tag(a), WIDEN_##tag(b)), BANG_RN);         \
  }                                                                              \
  INLINE element add_tz_of_##tag(element a, element b) {                         \
    return NARROW_##tag(SUM_TZ(WIDEN_##tag(a), WIDEN_##tag(b)), BANG_TZ);        \
  }                                                                              \
  INLINE element sub_tz_of_##tag(element a, element b) {                         \
    return NARROW_##tag(DIFFERENCE_TZ(WIDEN_##tag(a), WIDEN_##tag(b)), BANG_TZ); \
  }                                                                              \
  INLINE element mul_tz_of_##tag(element a, element b) {                         \
    return NARROW_##tag(exact_product(WIDEN_##tag(a), WIDEN_##tag(b)), BANG_TZ); \
  }                                                                              \
  DEFINE_BINARY_ELEMENT(rem, tag, element, rem_of_##tag)                         \
  DEFINE_BINARY_ELEMENT(pow, tag, element, pow_of_##tag)                         \
  DEFINE_BINARY_ELEMENT(add_tz, tag, element, add_tz_of_##tag)                   \
  DEFINE_BINARY_ELEMENT(sub_tz, tag, element, sub_tz_of_##tag)                   \
  DEFINE_BINARY_ELEMENT(mul_tz, tag, element, mul_tz_of_##tag)

FLOAT_ELEMENTS(f16, uint16_t)
FLOAT_ELEMENTS(bf16, uint16_t)
FLOAT_ELEMENTS(f32, float)

/* ---- the table ---- */

#define FILL_FLOAT(code, tag)                              \
  SET_BINARY(table, BANG_ADD, code, add, tag);             \
  SET_BINARY(table, BANG_SUB, code, sub, tag);             \
  SET_BINARY(table, BANG_MUL, code, mul, tag);             \
  SET_BINARY(table, BANG_DIV, code, div, tag);             \
  SET_BINARY(table, BANG_REM, code, rem, tag);             \
  SET_BINARY(table, BANG_POW, code, pow, tag);             \
  SET_BINARY(table, BANG_MAX, code, max, tag);             \
  SET_BINARY(table, BANG_MIN, code, min, tag);             \
  SET_BINARY(table, BANG_NAN_MAX, code, nan_max, tag);     \
  SET_BINARY(table, BANG_NAN_MIN, code, nan_min, tag);     \
  SET_BINARY(table, BANG_MAX_FIRST, code, max_first, tag); \
  SET_BINARY(table, BANG_MIN_FIRST, code, min_first, tag); \
  SET_BINARY(table, BANG_ADD_TZ, code, add_tz, tag);       \
  SET_BINARY(table, BANG_SUB_TZ, code, sub_tz, tag);       \
  SET_BINARY(table, BANG_MUL_TZ, code, mul_tz, tag)

/* Integers need no rounding and have no NaN. */
#define FILL_INT(code, tag, wrapping)                  \
  SET_BINARY(table, BANG_ADD, code, add, wrapping);    \
  SET_BINARY(table, BANG_SUB, code, sub, wrapping);    \
  SET_BINARY(table, BANG_MUL, code, mul, wrapping);    \
  SET_BINARY(table, BANG_ADD_TZ, code, add, wrapping); \
  SET_BINARY(table, BANG_SUB_TZ, code, sub, wrapping); \
  SET_BINARY(table, BANG_MUL_TZ, code, mul, wrapping); \
  SET_BINARY(table, BANG_DIV, code, div, tag);         \
  SET_BINARY(table, BANG_REM, code, rem, tag);         \
  SET_BINARY(table, BANG_MAX, code, max, tag);         \
  SET_BINARY(table, BANG_MIN, code, min, tag);         \
  SET_BINARY(table, BANG_NAN_MAX, code, max, tag);     \
  SET_BINARY(table, BANG_NAN_MIN, code, min, tag);     \
  SET_BINARY(table, BANG_MAX_FIRST, code, max, tag);   \
  SET_BINARY(table, BANG_MIN_FIRST, code, min, tag)

void PER_ISA(bang_fill_arith)(bangIsaTable *table) {
  FILL_FLOAT(BANG_F16, f16);
#if defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
  SET_BINARY(table, BANG_ADD, BANG_F16, half_add, u16);
  SET_BINARY(table, BANG_SUB, BANG_F16, half_sub, u16);
  SET_BINARY(table, BANG_MUL, BANG_F16, half_mul, u16);
#endif
  FILL_FLOAT(BANG_BF16, bf16);
  FILL_FLOAT(BANG_F32, f32);
  FILL_INT(BANG_S8, s8, u8);
  FILL_INT(BANG_U8, u8, u8);
  FILL_INT(BANG_S16, s16, u16);
  FILL_INT(BANG_U16, u16, u16);
  FILL_INT(BANG_S32, s32, u32);
  FILL_INT(BANG_U32, u32, u32);
  FILL_INT(BANG_S64, s64, u64);
  FILL_INT(BANG_U64, u64, u64);
}
