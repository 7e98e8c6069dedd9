/* SPDX-License-Identifier: MIT
 *
 * The vocabulary of the tables (bang/ *.def): element types, operation codes, rounding modes.
 * Shared by the header's overloads, the C entry points, the tests and the generator of the support
 * table, so it is plain C.
 */
#ifndef BANG_TABLE_H_
#define BANG_TABLE_H_

/* Element types: X(code, tag, C++ type). */
#define BANG_TYPE_LIST(X)        \
  X(BANG_F16, f16, half)         \
  X(BANG_BF16, bf16, bfloat16_t) \
  X(BANG_F32, f32, float)        \
  X(BANG_S8, s8, int8_t)         \
  X(BANG_U8, u8, uint8_t)        \
  X(BANG_S16, s16, int16_t)      \
  X(BANG_U16, u16, uint16_t)     \
  X(BANG_S32, s32, int32_t)      \
  X(BANG_U32, u32, uint32_t)     \
  X(BANG_S64, s64, int64_t)      \
  X(BANG_U64, u64, uint64_t)

enum {
#define BANG_TYPE_CODE(code, tag, type) code,
  BANG_TYPE_LIST(BANG_TYPE_CODE)
#undef BANG_TYPE_CODE
      BANG_TYPE_COUNT
};

/* An additional operand type of the tensor unit: floats that it rounds to TF32 (a 10-bit mantissa).
 */
enum { BANG_TF32 = BANG_TYPE_COUNT };

/* Sets of types. */
#define BANG_SET(code) (1u << (code))
#define BANG_SET_FLOAT (BANG_SET(BANG_F16) | BANG_SET(BANG_BF16) | BANG_SET(BANG_F32))
#define BANG_SET_SIGNED \
  (BANG_SET(BANG_S8) | BANG_SET(BANG_S16) | BANG_SET(BANG_S32) | BANG_SET(BANG_S64))
#define BANG_SET_UNSIGNED \
  (BANG_SET(BANG_U8) | BANG_SET(BANG_U16) | BANG_SET(BANG_U32) | BANG_SET(BANG_U64))
#define BANG_SET_INT (BANG_SET_SIGNED | BANG_SET_UNSIGNED)
#define BANG_SET_ALL (BANG_SET_FLOAT | BANG_SET_INT)
#define BANG_SET_INT32 (BANG_SET_INT & ~(BANG_SET(BANG_S64) | BANG_SET(BANG_U64)))

/* Two-operand operations: X(code, text). The second operand is a vector, a scalar or a repeated
 * segment. */
#define BANG_BINARY_OP_LIST(X)                 \
  X(ADD, "a + b")                              \
  X(SUB, "a - b")                              \
  X(MUL, "a * b")                              \
  X(DIV, "a / b")                              \
  X(REM, "a rem b")                            \
  X(MAX, "max(a, b)")                          \
  X(MIN, "min(a, b)")                          \
  X(NAN_MAX, "max(a, b), NaN wins")            \
  X(NAN_MIN, "min(a, b), NaN wins")            \
  X(MAX_FIRST, "max(a, b), a when one is NaN") \
  X(MIN_FIRST, "min(a, b), a when one is NaN") \
  X(ADD_TZ, "a + b toward zero")               \
  X(SUB_TZ, "a - b toward zero")               \
  X(MUL_TZ, "a * b toward zero")               \
  X(POW, "a to the power b")                   \
  X(ADDS, "a + b, saturated")                  \
  X(SUBS, "a - b, saturated")                  \
  X(MULH, "upper half of a * b")               \
  X(EQ, "a == b")                              \
  X(NE, "a != b")                              \
  X(LT, "a < b")                               \
  X(LE, "a <= b")                              \
  X(GT, "a > b")                               \
  X(GE, "a >= b")                              \
  X(EQU, "a == b or a NaN")                    \
  X(LTU, "a < b or a NaN")                     \
  X(LEU, "a <= b or a NaN")                    \
  X(GTU, "a > b or a NaN")                     \
  X(GEU, "a >= b or a NaN")                    \
  X(AND, "a && b")                             \
  X(OR, "a || b")                              \
  X(XOR, "!a != !b")                           \
  X(BAND, "a & b")                             \
  X(BOR, "a | b")                              \
  X(BXOR, "a ^ b")                             \
  X(SLL, "a << b")                             \
  X(SRL, "a >> b, zeros in")                   \
  X(SRA, "a >> b, sign in")                    \
  X(ROL, "a rotated left by b")                \
  X(ROR, "a rotated right by b")

enum {
#define BANG_OP_CODE(code, text) BANG_##code,
  BANG_BINARY_OP_LIST(BANG_OP_CODE)
#undef BANG_OP_CODE
      BANG_BINARY_COUNT
};

/* One-operand operations: X(code, text). */
#define BANG_UNARY_OP_LIST(X)                                                         \
  X(ABS, "|a|")                                                                       \
  X(NEG, "-a")                                                                        \
  X(SQUARE, "a * a")                                                                  \
  X(NOT, "a == 0")                                                                    \
  X(BNOT, "~a")                                                                       \
  X(FLOOR, "floor(a)")                                                                \
  X(CEIL, "ceil(a)")                                                                  \
  X(TRUNC, "trunc(a)")                                                                \
  X(ROUND, "nearest integer, ties away from zero")                                    \
  X(RINT, "nearest integer, ties to even")                                            \
  X(RELU, "max(a, 0)")                                                                \
  X(SIGN, "-1, 0 or 1")                                                               \
  X(SIGN_OR_ONE, "1 if a >= 0, else -1")                                              \
  X(POPCNT, "number of bits set")                                                     \
  X(NSA, "leading zeros; of a signed integer the bits after the first that equal it") \
  X(EXP, "e^a")                                                                       \
  X(EXP2, "2^a")                                                                      \
  X(LOG, "ln(a)")                                                                     \
  X(LOG2, "log2(a)")                                                                  \
  X(LOG10, "log10(a)")                                                                \
  X(SIN, "sin(a)")                                                                    \
  X(COS, "cos(a)")                                                                    \
  X(TANH, "tanh(a)")                                                                  \
  X(SIGMOID, "1 / (1 + e^-a)")                                                        \
  X(GELU, "a / 2 * (1 + erf(a / sqrt 2))")                                            \
  X(GELU_TANH, "a / 2 * (1 + tanh(sqrt(2 / pi) * (a + 0.044715 a^3)))")               \
  X(SOFTPLUS, "ln(1 + e^a)")                                                          \
  X(RECIP, "1 / a")                                                                   \
  X(SQRT, "sqrt(a)")                                                                  \
  X(RSQRT, "1 / sqrt(a)")

enum {
#define BANG_OP_CODE(code, text) BANG_##code,
  BANG_UNARY_OP_LIST(BANG_OP_CODE)
#undef BANG_OP_CODE
      BANG_UNARY_COUNT
};

/* Rounding of conversions: X(code, suffix, text). */
#define BANG_ROUND_LIST(X)                      \
  X(TZ, _tz, "toward zero")                     \
  X(OZ, _oz, "away from zero")                  \
  X(UP, _up, "toward +inf")                     \
  X(DN, _dn, "toward -inf")                     \
  X(RD, _rd, "to nearest, ties away from zero") \
  X(RN, _rn, "to nearest, ties to even")        \
  X(RM, _rm, "to nearest, ties toward +inf")

enum {
#define BANG_ROUND_CODE(code, suffix, text) BANG_##code,
  BANG_ROUND_LIST(BANG_ROUND_CODE)
#undef BANG_ROUND_CODE
      BANG_ROUND_COUNT
};

#endif /* BANG_TABLE_H_ */
