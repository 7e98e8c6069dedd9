/* SPDX-License-Identifier: MIT
 *
 * One-operand arithmetic and logic: abs, neg, square, not, bnot, relu, sign, rounding to integral
 * values.
 */
#include "vector/lanes.h"
#include "vector/lanes_round.h"
#include "vector/vector.h"

INLINE vf neg_f(vf x) {
  return (vf)((vu32)x ^ 0x80000000u);
}
INLINE vf square_f(vf x) {
  return x * x;
}
INLINE vf not_f(vf x) {
  return (vf)((x == 0.0f) & (vs32)splat_f(1.0f));
}
/* NaN stays NaN */
INLINE vf relu_f(vf x) {
  return (vf)(~(vs32)(x < 0.0f) & (vs32)x);
}
INLINE vf sign_f(vf x) {
  vf one = with_sign(splat_f(1.0f), x);
  return select_f((x == 0.0f) | (x != x), x, one);
}
INLINE vf sign_or_one_f(vf x) {
  return select_f(x >= 0.0f, splat_f(1.0f), splat_f(-1.0f));
}
INLINE vf floor_f(vf x) {
  return round_lanes(x, BANG_DN);
}
INLINE vf ceil_f(vf x) {
  return round_lanes(x, BANG_UP);
}
INLINE vf trunc_f(vf x) {
  return round_lanes(x, BANG_TZ);
}
INLINE vf round_f(vf x) {
  return round_lanes(x, BANG_RD);
}

#define FLOAT_KERNELS(tag)                            \
  DEFINE_UNARY(abs_##tag, tag, abs_f)                 \
  DEFINE_UNARY(neg_##tag, tag, neg_f)                 \
  DEFINE_UNARY(square_##tag, tag, square_f)           \
  DEFINE_UNARY(not_##tag, tag, not_f)                 \
  DEFINE_UNARY(relu_##tag, tag, relu_f)               \
  DEFINE_UNARY(sign_##tag, tag, sign_f)               \
  DEFINE_UNARY(sign_or_one_##tag, tag, sign_or_one_f) \
  DEFINE_UNARY(floor_##tag, tag, floor_f)             \
  DEFINE_UNARY(ceil_##tag, tag, ceil_f)               \
  DEFINE_UNARY(trunc_##tag, tag, trunc_f)             \
  DEFINE_UNARY(round_##tag, tag, round_f)             \
  DEFINE_UNARY(rint_##tag, tag, nearest_even)
FLOAT_KERNELS(f16)
FLOAT_KERNELS(bf16)
FLOAT_KERNELS(f32)

/* Signed values are negated and squared as unsigned, so that they wrap around. */
#define INT_KERNELS(tag, utag)                     \
  INLINE V_##tag neg_of_##tag(V_##tag x) {         \
    return (V_##tag)(0 - (V_##utag)x);             \
  }                                                \
  INLINE V_##tag square_of_##tag(V_##tag x) {      \
    return (V_##tag)((V_##utag)x * (V_##utag)x);   \
  }                                                \
  INLINE V_##tag not_of_##tag(V_##tag x) {         \
    return (V_##tag)(x == 0) & 1;                  \
  }                                                \
  DEFINE_UNARY(neg_##tag, tag, neg_of_##tag)       \
  DEFINE_UNARY(square_##tag, tag, square_of_##tag) \
  DEFINE_UNARY(not_##tag, tag, not_of_##tag)
#define SIGNED_KERNELS(tag, utag)                            \
  INT_KERNELS(tag, utag)                                     \
  INLINE V_##tag abs_of_##tag(V_##tag x) {                   \
    V_##utag negative = (V_##utag)(x < 0);                   \
    return (V_##tag)(((V_##utag)x ^ negative) - negative);   \
  }                                                          \
  INLINE V_##tag relu_of_##tag(V_##tag x) {                  \
    return x & ~(V_##tag)(x < 0);                            \
  }                                                          \
  INLINE V_##tag sign_of_##tag(V_##tag x) {                  \
    return (V_##tag)(x < 0) | ((V_##tag)(x > 0) & 1);        \
  }                                                          \
  INLINE V_##tag sign_or_one_of_##tag(V_##tag x) {           \
    return (V_##tag)(x < 0) | 1;                             \
  }                                                          \
  DEFINE_UNARY(sign_or_one_##tag, tag, sign_or_one_of_##tag) \
  DEFINE_UNARY(abs_##tag, tag, abs_of_##tag)                 \
  DEFINE_UNARY(relu_##tag, tag, relu_of_##tag)               \
  DEFINE_UNARY(sign_##tag, tag, sign_of_##tag)
#define BNOT(x) (~(x))
#define UNSIGNED_KERNELS(tag) INT_KERNELS(tag, tag) DEFINE_UNARY(bnot_##tag, tag, BNOT)
UNSIGNED_KERNELS(u8)
UNSIGNED_KERNELS(u16)
UNSIGNED_KERNELS(u32)
UNSIGNED_KERNELS(u64)
SIGNED_KERNELS(s8, u8)
SIGNED_KERNELS(s16, u16)
SIGNED_KERNELS(s32, u32)
SIGNED_KERNELS(s64, u64)

#define SET(op, code, kernel) table->unary[op][code] = kernel
#define FILL_FLOAT(code, tag, utag)               \
  SET(BANG_ABS, code, abs_##tag);                 \
  SET(BANG_NEG, code, neg_##tag);                 \
  SET(BANG_SQUARE, code, square_##tag);           \
  SET(BANG_NOT, code, not_##tag);                 \
  SET(BANG_BNOT, code, bnot_##utag);              \
  SET(BANG_RELU, code, relu_##tag);               \
  SET(BANG_SIGN, code, sign_##tag);               \
  SET(BANG_SIGN_OR_ONE, code, sign_or_one_##tag); \
  SET(BANG_FLOOR, code, floor_##tag);             \
  SET(BANG_CEIL, code, ceil_##tag);               \
  SET(BANG_TRUNC, code, trunc_##tag);             \
  SET(BANG_ROUND, code, round_##tag);             \
  SET(BANG_RINT, code, rint_##tag)
#define FILL_INT(code, tag, utag)       \
  SET(BANG_NEG, code, neg_##tag);       \
  SET(BANG_SQUARE, code, square_##tag); \
  SET(BANG_NOT, code, not_##tag);       \
  SET(BANG_BNOT, code, bnot_##utag)
#define FILL_SIGNED(code, tag, utag) \
  FILL_INT(code, tag, utag);         \
  SET(BANG_ABS, code, abs_##tag);    \
  SET(BANG_RELU, code, relu_##tag);  \
  SET(BANG_SIGN, code, sign_##tag);  \
  SET(BANG_SIGN_OR_ONE, code, sign_or_one_##tag)

void PER_ISA(bang_fill_unary)(bangIsaTable *table) {
  FILL_FLOAT(BANG_F16, f16, u16);
  FILL_FLOAT(BANG_BF16, bf16, u16);
  FILL_FLOAT(BANG_F32, f32, u32);
  FILL_SIGNED(BANG_S8, s8, u8);
  FILL_SIGNED(BANG_S16, s16, u16);
  FILL_SIGNED(BANG_S32, s32, u32);
  FILL_SIGNED(BANG_S64, s64, u64);
  FILL_INT(BANG_U8, u8, u8);
  FILL_INT(BANG_U16, u16, u16);
  FILL_INT(BANG_U32, u32, u32);
  FILL_INT(BANG_U64, u64, u64);
}
