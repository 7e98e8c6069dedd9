/* SPDX-License-Identifier: MIT
 *
 * Functions of integers of up to 32 bits only: saturated sums, upper halves of products, rotations,
 * bit counts. Scalar code, with sums in 64 bits and products in twice the element's width. Wider
 * products would be wrong: gcc 12.2 for x86-64 then takes the upper half of an unsigned product for
 * signed numbers.
 */
#include "vector/lanes.h"
#include "vector/vector.h"

#define DEFINE_UNARY_ELEMENT(name, tag, element, fn)         \
  static void name(void *dst, const void *src, int64_t n) {  \
    for (int64_t i = 0; i < n; i++) {                        \
      element x, y;                                          \
      memcpy(&x, (const char *)src + i * S_##tag, sizeof x); \
      y = fn(x);                                             \
      memcpy((char *)dst + i * S_##tag, &y, sizeof y);       \
    }                                                        \
  }

INLINE int64_t within(int64_t x, int64_t low, int64_t high) {
  return x < low ? low : x > high ? high : x;
}

#define ARITHMETIC(tag, element, low, high)                     \
  INLINE element adds_of_##tag(element a, element b) {          \
    return (element)within((int64_t)a + (int64_t)b, low, high); \
  }                                                             \
  INLINE element subs_of_##tag(element a, element b) {          \
    return (element)within((int64_t)a - (int64_t)b, low, high); \
  }                                                             \
  DEFINE_BINARY_ELEMENT(adds, tag, element, adds_of_##tag)      \
  DEFINE_BINARY_ELEMENT(subs, tag, element, subs_of_##tag)      \
  DEFINE_BINARY_ELEMENT(mulh, tag, element, mulh_of_##tag)      \
  DEFINE_UNARY_ELEMENT(nsa_##tag, tag, element, nsa_of_##tag)

#define SIGNED(tag, element, width, wide)                                             \
  INLINE element mulh_of_##tag(element a, element b) {                                \
    return (element)(((wide)a * (wide)b) >> width);                                   \
  }                                                                                   \
  INLINE element nsa_of_##tag(element x) {                                            \
    const uint64_t other = (uint64_t)(x < 0 ? ~(int64_t)x : (int64_t)x);              \
    return (element)(other == 0 ? width - 1 : __builtin_clzll(other) - (65 - width)); \
  }                                                                                   \
  ARITHMETIC(tag, element, -((int64_t)1 << (width - 1)), ((int64_t)1 << (width - 1)) - 1)
#define UNSIGNED(tag, element, width, wide)                                \
  INLINE element mulh_of_##tag(element a, element b) {                     \
    return (element)(((wide)a * (wide)b) >> width);                        \
  }                                                                        \
  INLINE element nsa_of_##tag(element x) {                                 \
    return (element)(x == 0 ? width : __builtin_clzll(x) - (64 - width));  \
  }                                                                        \
  INLINE element rol_of_##tag(element a, element b) {                      \
    const unsigned left = b % width;                                       \
    return (element)((uint64_t)a << left | (uint64_t)a >> (width - left)); \
  }                                                                        \
  INLINE element ror_of_##tag(element a, element b) {                      \
    return rol_of_##tag(a, (element)(width - b % width));                  \
  }                                                                        \
  INLINE element popcnt_of_##tag(element x) {                              \
    return (element)__builtin_popcountll(x);                               \
  }                                                                        \
  DEFINE_BINARY_ELEMENT(rol, tag, element, rol_of_##tag)                   \
  DEFINE_BINARY_ELEMENT(ror, tag, element, ror_of_##tag)                   \
  DEFINE_UNARY_ELEMENT(popcnt_##tag, tag, element, popcnt_of_##tag)        \
  ARITHMETIC(tag, element, 0, ((int64_t)1 << width) - 1)

SIGNED(s8, int8_t, 8, int16_t)
SIGNED(s16, int16_t, 16, int32_t)
SIGNED(s32, int32_t, 32, int64_t)
UNSIGNED(u8, uint8_t, 8, uint16_t)
UNSIGNED(u16, uint16_t, 16, uint32_t)
UNSIGNED(u32, uint32_t, 32, uint64_t)

/* Rotations and bit counts ignore the sign. */
#define FILL(code, tag, utag)                    \
  SET_BINARY(table, BANG_ADDS, code, adds, tag); \
  SET_BINARY(table, BANG_SUBS, code, subs, tag); \
  SET_BINARY(table, BANG_MULH, code, mulh, tag); \
  SET_BINARY(table, BANG_ROL, code, rol, utag);  \
  SET_BINARY(table, BANG_ROR, code, ror, utag);  \
  table->unary[BANG_NSA][code] = nsa_##tag;      \
  table->unary[BANG_POPCNT][code] = popcnt_##utag

void PER_ISA(bang_fill_integer)(bangIsaTable *table) {
  FILL(BANG_S8, s8, u8);
  FILL(BANG_U8, u8, u8);
  FILL(BANG_S16, s16, u16);
  FILL(BANG_U16, u16, u16);
  FILL(BANG_S32, s32, u32);
  FILL(BANG_U32, u32, u32);
}
