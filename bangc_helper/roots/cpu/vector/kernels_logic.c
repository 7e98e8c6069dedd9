/* SPDX-License-Identifier: MIT
 *
 * Comparisons and logic (1 or 0 in the element type), bitwise operations, shifts.
 */
#include "vector/lanes.h"
#include "vector/vector.h"

/* 1 in every lane where the mask is set. */
INLINE vf one_f(vs32 mask) {
  return (vf)(mask & (vs32)splat_f(1.0f));
}

#define FLOAT_PREDICATE(name, expression) \
  INLINE vf name##_f(vf a, vf b) {        \
    return one_f(expression);             \
  }
FLOAT_PREDICATE(eq, a == b)
FLOAT_PREDICATE(ne, a != b)
FLOAT_PREDICATE(lt, a < b)
FLOAT_PREDICATE(le, a <= b)
FLOAT_PREDICATE(gt, a > b)
FLOAT_PREDICATE(ge, a >= b)
FLOAT_PREDICATE(equ, ~((a < b) | (a > b)))
FLOAT_PREDICATE(ltu, ~(a >= b))
FLOAT_PREDICATE(leu, ~(a > b))
FLOAT_PREDICATE(gtu, ~(a <= b))
FLOAT_PREDICATE(geu, ~(a < b))
FLOAT_PREDICATE(and, (a != 0.0f) & (b != 0.0f))
FLOAT_PREDICATE(or, (a != 0.0f) | (b != 0.0f))
FLOAT_PREDICATE(xor, (a != 0.0f) ^ (b != 0.0f))

#define FOR_EACH_PREDICATE(X, ...) \
  X(eq, __VA_ARGS__)               \
  X(ne, __VA_ARGS__)               \
  X(lt, __VA_ARGS__)               \
  X(le, __VA_ARGS__)               \
  X(gt, __VA_ARGS__)               \
  X(ge, __VA_ARGS__)               \
  X(and, __VA_ARGS__)              \
  X(or, __VA_ARGS__)               \
  X(xor, __VA_ARGS__)

/* Comparisons that only floats have: true if an operand is NaN. */
#define FOR_EACH_UNORDERED(X, ...) \
  X(equ, __VA_ARGS__)              \
  X(ltu, __VA_ARGS__)              \
  X(leu, __VA_ARGS__)              \
  X(gtu, __VA_ARGS__)              \
  X(geu, __VA_ARGS__)

#define FLOAT_KERNEL(name, tag) DEFINE_BINARY(name, tag, name##_f)
#define FLOAT_KERNELS(tag)              \
  FOR_EACH_PREDICATE(FLOAT_KERNEL, tag) \
  FOR_EACH_UNORDERED(FLOAT_KERNEL, tag)
FLOAT_KERNELS(f16)
FLOAT_KERNELS(bf16)
FLOAT_KERNELS(f32)

#define INT_PREDICATE(name, tag, expression)             \
  INLINE V_##tag name##_of_##tag(V_##tag a, V_##tag b) { \
    return (V_##tag)(expression)&1;                      \
  }                                                      \
  DEFINE_BINARY(name, tag, name##_of_##tag)
#define INT_PREDICATES(tag)                    \
  INT_PREDICATE(eq, tag, a == b)               \
  INT_PREDICATE(ne, tag, a != b)               \
  INT_PREDICATE(lt, tag, a < b)                \
  INT_PREDICATE(le, tag, a <= b)               \
  INT_PREDICATE(gt, tag, a > b)                \
  INT_PREDICATE(ge, tag, a >= b)               \
  INT_PREDICATE(and, tag, (a != 0) & (b != 0)) \
  INT_PREDICATE(or, tag, (a | b) != 0)         \
  INT_PREDICATE(xor, tag, (a != 0) ^ (b != 0))
INT_PREDICATES(s8)
INT_PREDICATES(u8)
INT_PREDICATES(s16)
INT_PREDICATES(u16)
INT_PREDICATES(s32)
INT_PREDICATES(u32)
INT_PREDICATES(s64)
INT_PREDICATES(u64)

#define BAND(a, b) ((a) & (b))
#define BOR(a, b) ((a) | (b))
#define BXOR(a, b) ((a) ^ (b))
#define BITWISE(tag)             \
  DEFINE_BINARY(band, tag, BAND) \
  DEFINE_BINARY(bor, tag, BOR)   \
  DEFINE_BINARY(bxor, tag, BXOR)
BITWISE(u8)
BITWISE(u16)
BITWISE(u32)
BITWISE(u64)

/* Counts are unsigned; a count of the width or more shifts all bits out. */
#define SHIFTS(utag, uelement, stag, selement, width)               \
  INLINE uelement sll_of_##utag(uelement a, uelement b) {           \
    return b >= width ? 0 : (uelement)((uint64_t)a << b);           \
  }                                                                 \
  INLINE uelement srl_of_##utag(uelement a, uelement b) {           \
    return b >= width ? 0 : (uelement)(a >> b);                     \
  }                                                                 \
  INLINE selement sra_of_##stag(selement a, selement b) {           \
    return (selement)(a >> ((uelement)b >= width ? width - 1 : b)); \
  }                                                                 \
  DEFINE_BINARY_ELEMENT(sll, utag, uelement, sll_of_##utag)         \
  DEFINE_BINARY_ELEMENT(srl, utag, uelement, srl_of_##utag)         \
  DEFINE_BINARY_ELEMENT(sra, stag, selement, sra_of_##stag)
SHIFTS(u8, uint8_t, s8, int8_t, 8)
SHIFTS(u16, uint16_t, s16, int16_t, 16)
SHIFTS(u32, uint32_t, s32, int32_t, 32)
SHIFTS(u64, uint64_t, s64, int64_t, 64)

/* ---- the table ---- */

#define FILL_PREDICATES(code, tag)             \
  SET_BINARY(table, BANG_EQ, code, eq, tag);   \
  SET_BINARY(table, BANG_NE, code, ne, tag);   \
  SET_BINARY(table, BANG_LT, code, lt, tag);   \
  SET_BINARY(table, BANG_LE, code, le, tag);   \
  SET_BINARY(table, BANG_GT, code, gt, tag);   \
  SET_BINARY(table, BANG_GE, code, ge, tag);   \
  SET_BINARY(table, BANG_AND, code, and, tag); \
  SET_BINARY(table, BANG_OR, code, or, tag);   \
  SET_BINARY(table, BANG_XOR, code, xor, tag)

#define FILL_UNORDERED(code, tag)              \
  SET_BINARY(table, BANG_EQU, code, equ, tag); \
  SET_BINARY(table, BANG_LTU, code, ltu, tag); \
  SET_BINARY(table, BANG_LEU, code, leu, tag); \
  SET_BINARY(table, BANG_GTU, code, gtu, tag); \
  SET_BINARY(table, BANG_GEU, code, geu, tag)

#define FILL_BITWISE(code, utag)                  \
  SET_BINARY(table, BANG_BAND, code, band, utag); \
  SET_BINARY(table, BANG_BOR, code, bor, utag);   \
  SET_BINARY(table, BANG_BXOR, code, bxor, utag)

#define FILL_INT(code, tag, utag, stag)         \
  FILL_PREDICATES(code, tag);                   \
  FILL_BITWISE(code, utag);                     \
  SET_BINARY(table, BANG_SLL, code, sll, utag); \
  SET_BINARY(table, BANG_SRL, code, srl, utag); \
  SET_BINARY(table, BANG_SRA, code, sra, stag)

void PER_ISA(bang_fill_logic)(bangIsaTable *table) {
  FILL_PREDICATES(BANG_F16, f16);
  FILL_UNORDERED(BANG_F16, f16);
  FILL_PREDICATES(BANG_BF16, bf16);
  FILL_UNORDERED(BANG_BF16, bf16);
  FILL_PREDICATES(BANG_F32, f32);
  FILL_UNORDERED(BANG_F32, f32);
  FILL_BITWISE(BANG_F16, u16);
  FILL_BITWISE(BANG_BF16, u16);
  FILL_BITWISE(BANG_F32, u32);
  FILL_INT(BANG_S8, s8, u8, s8);
  FILL_INT(BANG_U8, u8, u8, s8);
  FILL_INT(BANG_S16, s16, u16, s16);
  FILL_INT(BANG_U16, u16, u16, s16);
  FILL_INT(BANG_S32, s32, u32, s32);
  FILL_INT(BANG_U32, u32, u32, s32);
  FILL_INT(BANG_S64, s64, u64, s64);
  FILL_INT(BANG_U64, u64, u64, s64);
}
