/* SPDX-License-Identifier: MIT
 *
 * The operations of the tables on single elements. Results equal those of the CPU root's vector
 * units bit for bit, except where a library computes them (rem, pow). 16-bit floats are computed in
 * float and rounded once; integers wrap around.
 */
#ifndef BANG_OPERATIONS_H_
#define BANG_OPERATIONS_H_

#include "bang/element.h"
#include "bang/polynomials.h"
#include "bang/rounding.h"

namespace bang_impl {

template <size_t size>
struct word_of;
template <>
struct word_of<1> {
  typedef uint8_t type;
};
template <>
struct word_of<2> {
  typedef uint16_t type;
};
template <>
struct word_of<4> {
  typedef uint32_t type;
};
template <>
struct word_of<8> {
  typedef uint64_t type;
};

template <class To, class From>
BANG_INLINE To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "only the type changes");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class T>
constexpr bool is_float_element() {
  return in_set(element<T>::code, BANG_SET_FLOAT);
}

/* ---- two operands ---- */

template <int op>
BANG_INLINE float float_binary(float a, float b) {
  if constexpr (op == BANG_ADD) return a + b;
  if constexpr (op == BANG_SUB) return a - b;
  if constexpr (op == BANG_MUL) return a * b;
  if constexpr (op == BANG_DIV) return a / b;
  if constexpr (op == BANG_REM) return fmodf(a, b);
  if constexpr (op == BANG_POW) return powf(a, b);
  if constexpr (op == BANG_MAX) return b != b ? a : a > b ? a : b;
  if constexpr (op == BANG_MIN) return b != b ? a : a < b ? a : b;
  if constexpr (op == BANG_NAN_MAX) return a != a ? a : a > b ? a : b;
  if constexpr (op == BANG_NAN_MIN) return a != a ? a : a < b ? a : b;
  if constexpr (op == BANG_MAX_FIRST) return b > a ? b : a;
  if constexpr (op == BANG_MIN_FIRST) return b < a ? b : a;
  return 0.0f;
}

/* EQ ... XOR: operations with a truth value as result. */
template <int op, class V>
BANG_INLINE bool question(V a, V b) {
  if constexpr (op == BANG_EQ) return a == b;
  if constexpr (op == BANG_NE) return a != b;
  if constexpr (op == BANG_LT) return a < b;
  if constexpr (op == BANG_LE) return a <= b;
  if constexpr (op == BANG_GT) return a > b;
  if constexpr (op == BANG_GE) return a >= b;
  if constexpr (op == BANG_EQU) return !(a < b || a > b);
  if constexpr (op == BANG_LTU) return !(a >= b);
  if constexpr (op == BANG_LEU) return !(a > b);
  if constexpr (op == BANG_GTU) return !(a <= b);
  if constexpr (op == BANG_GEU) return !(a < b);
  if constexpr (op == BANG_AND) return a != V(0) && b != V(0);
  if constexpr (op == BANG_OR) return a != V(0) || b != V(0);
  if constexpr (op == BANG_XOR) return (a != V(0)) != (b != V(0));
  return false;
}
constexpr bool is_question(int op) {
  return op >= BANG_EQ && op <= BANG_XOR;
}
constexpr bool is_bitwise(int op) {
  return op == BANG_BAND || op == BANG_BOR || op == BANG_BXOR;
}
constexpr bool is_toward_zero(int op) {
  return op == BANG_ADD_TZ || op == BANG_SUB_TZ || op == BANG_MUL_TZ;
}

/* Operations with so many instructions that processing several elements at a time gains nothing. */
constexpr bool is_long_binary(int op) {
  return op == BANG_DIV || op == BANG_REM || op == BANG_POW || is_toward_zero(op);
}
constexpr bool is_long_unary(int op) {
  return op == BANG_EXP || op == BANG_EXP2 || op == BANG_LOG || op == BANG_LOG2 ||
         op == BANG_LOG10 || op == BANG_SIN || op == BANG_COS || op == BANG_TANH ||
         op == BANG_SIGMOID || op == BANG_GELU || op == BANG_GELU_TANH || op == BANG_SOFTPLUS ||
         op == BANG_RECIP || op == BANG_SQRT || op == BANG_RSQRT;
}

template <int op, class T>
BANG_INLINE T integer_binary(T a, T b) {
  typedef typename std::make_unsigned<T>::type U;
  constexpr int bits = 8 * sizeof(T);
  const U x = (U)a, y = (U)b;
  if constexpr (op == BANG_ADD || op == BANG_ADD_TZ) return (T)(U)(x + y);
  if constexpr (op == BANG_SUB || op == BANG_SUB_TZ) return (T)(U)(x - y);
  if constexpr (op == BANG_MUL || op == BANG_MUL_TZ) return (T)(U)((uint64_t)x * (uint64_t)y);
  if constexpr (op == BANG_DIV) {
    if (b == 0) return 0;
    if (std::is_signed<T>::value && b == (T)-1) return (T)(U)(0 - x);
    return (T)(a / b);
  }
  if constexpr (op == BANG_REM) {
    if (b == 0) return a;
    if (std::is_signed<T>::value && b == (T)-1) return 0;
    return (T)(a % b);
  }
  if constexpr (op == BANG_MAX || op == BANG_NAN_MAX || op == BANG_MAX_FIRST) return a > b ? a : b;
  if constexpr (op == BANG_MIN || op == BANG_NAN_MIN || op == BANG_MIN_FIRST) return a < b ? a : b;
  if constexpr (op == BANG_ADDS || op == BANG_SUBS) {
    constexpr int64_t high =
        std::is_signed<T>::value ? ((int64_t)1 << (bits - 1)) - 1 : (int64_t)(U)-1;
    constexpr int64_t low = std::is_signed<T>::value ? -high - 1 : 0;
    const int64_t exact = op == BANG_ADDS ? (int64_t)a + (int64_t)b : (int64_t)a - (int64_t)b;
    return (T)(exact < low ? low : exact > high ? high : exact);
  }
  if constexpr (op == BANG_MULH) {
    if (std::is_signed<T>::value) return (T)(((int64_t)a * (int64_t)b) >> (bits & 63));
    return (T)(((uint64_t)x * (uint64_t)y) >> (bits & 63));
  }
  if constexpr (op == BANG_ROL || op == BANG_ROR) {
    const unsigned by = (unsigned)(y % bits), left = op == BANG_ROL ? by : (bits - by) % bits;
    return (T)(U)((uint64_t)x << left | (uint64_t)x >> ((bits - left) & 63));
  }
  if constexpr (op == BANG_SLL) return y >= bits ? (T)0 : (T)(U)((uint64_t)x << y);
  if constexpr (op == BANG_SRL) return y >= bits ? (T)0 : (T)(U)(x >> y);
  if constexpr (op == BANG_SRA) {
    typedef typename std::make_signed<T>::type S;
    return (T)(S)((S)a >> (y >= bits ? bits - 1 : (int)y));
  }
  return a;
}

/* Compares two pairs of 16-bit floats: all bits of an element are set if true. */
#define BANG_PAIR_QUESTION(name, question)                                            \
  template <class T>                                                                  \
  BANG_INLINE uint32_t name(uint32_t a, uint32_t b) {                                 \
    uint32_t answer;                                                                  \
    if constexpr (std::is_same<T, half>::value) {                                     \
      asm("set." question ".u32.f16x2 %0, %1, %2;" : "=r"(answer) : "r"(a), "r"(b));  \
    } else {                                                                          \
      asm("set." question ".u32.bf16x2 %0, %1, %2;" : "=r"(answer) : "r"(a), "r"(b)); \
    }                                                                                 \
    return answer;                                                                    \
  }
BANG_PAIR_QUESTION(greater_of_pairs, "gt")
BANG_PAIR_QUESTION(less_of_pairs, "lt")
BANG_PAIR_QUESTION(unequal_of_pairs, "neu")
#undef BANG_PAIR_QUESTION

/* The larger or smaller of 16-bit floats: the bits of one operand, with a NaN made quiet. */
template <int op, class T>
constexpr bool is_extreme_of_pairs() {
  return is_small_float<T>::value &&
         (op == BANG_MAX || op == BANG_MIN || op == BANG_NAN_MAX || op == BANG_NAN_MIN);
}
template <int op, class T>
BANG_INLINE uint32_t extreme_of_pairs(uint32_t a, uint32_t b) {
  constexpr uint32_t quiet = std::is_same<T, half>::value ? 0x02000200u : 0x00400040u;
  /* A NaN in the second operand is ignored, one in the first operand is kept. */
  const uint32_t deciding = op == BANG_MAX || op == BANG_MIN ? b : a;
  const uint32_t takes_a =
      (op == BANG_MAX || op == BANG_NAN_MAX ? greater_of_pairs<T>(a, b) : less_of_pairs<T>(a, b)) |
      unequal_of_pairs<T>(deciding, deciding);
  const uint32_t result = (a & takes_a) | (b & ~takes_a);
  return result | (unequal_of_pairs<T>(result, result) & quiet);
}

template <int op, class T>
BANG_INLINE T binary_element(T a, T b) {
  if constexpr (is_extreme_of_pairs<op, T>()) {
    return T::from_bits(extreme_of_pairs<op, T>(a.value, b.value) & 0xffffu);
  } else if constexpr (is_bitwise(op)) {
    typedef typename word_of<sizeof(T)>::type Word;
    Word x = same_bits<Word>(a), y = same_bits<Word>(b);
    return same_bits<T>((Word)(op == BANG_BAND ? x & y : op == BANG_BOR ? x | y : x ^ y));
  } else if constexpr (is_float_element<T>()) {
    if constexpr (is_question(op)) {
      return T(question<op, float>(float(a), float(b)) ? 1.0f : 0.0f);
    } else if constexpr (is_toward_zero(op)) {
      double x = float(a), y = float(b);
      return from_exact<T>(op == BANG_MUL_TZ ? x * y : odd_sum(x, op == BANG_SUB_TZ ? -y : y),
                           BANG_TZ);
    } else {
      return T(float_binary<op>(float(a), float(b)));
    }
  } else if constexpr (is_question(op)) {
    return (T)(question<op, T>(a, b) ? 1 : 0);
  } else {
    return integer_binary<op, T>(a, b);
  }
}

/* A binary operation on two elements, and on two words of two elements if there are instructions
 * for that. */
template <int op, class T>
struct Binary {
  enum { is_for_pairs = is_extreme_of_pairs<op, T>() };
  BANG_MEMBER T operator()(T a, T b) const { return binary_element<op, T>(a, b); }
  BANG_MEMBER uint32_t pair(uint32_t a, uint32_t b) const { return extreme_of_pairs<op, T>(a, b); }
};

/* ---- one operand ---- */

template <int op>
BANG_INLINE float float_unary(float x) {
  if constexpr (op == BANG_ABS) return float_of(bits_of(x) & 0x7fffffffu);
  if constexpr (op == BANG_NEG) return float_of(bits_of(x) ^ 0x80000000u);
  if constexpr (op == BANG_SQUARE) return x * x;
  if constexpr (op == BANG_NOT) return x == 0.0f ? 1.0f : 0.0f;
  if constexpr (op == BANG_RELU) return x < 0.0f ? 0.0f : x;
  if constexpr (op == BANG_SIGN) return x == 0.0f || x != x ? x : copysignf(1.0f, x);
  if constexpr (op == BANG_SIGN_OR_ONE) return x >= 0.0f ? 1.0f : -1.0f;
  if constexpr (op == BANG_FLOOR) return floorf(x);
  if constexpr (op == BANG_CEIL) return ceilf(x);
  if constexpr (op == BANG_TRUNC) return truncf(x);
  if constexpr (op == BANG_ROUND) return roundf(x);
  if constexpr (op == BANG_RINT) return rintf(x);
  if constexpr (op == BANG_EXP) return exp_polynomial_of(x);
  if constexpr (op == BANG_EXP2) return exp2_polynomial_of(x);
  if constexpr (op == BANG_LOG) return log_polynomial_of(x);
  if constexpr (op == BANG_LOG2) return log2_polynomial_of(x);
  if constexpr (op == BANG_LOG10) return log10_polynomial_of(x);
  if constexpr (op == BANG_SIN) return fabsf(x) < 0x1p28f ? (float)sin_in_double(x) : sinf(x);
  if constexpr (op == BANG_COS) return fabsf(x) < 0x1p28f ? (float)cos_in_double(x) : cosf(x);
  if constexpr (op == BANG_TANH) return (float)tanh_in_double(x);
  if constexpr (op == BANG_SIGMOID) return (float)sigmoid_in_double(x);
  if constexpr (op == BANG_GELU) return (float)gelu_in_double(x);
  if constexpr (op == BANG_GELU_TANH) return (float)gelu_tanh_in_double(x);
  if constexpr (op == BANG_SOFTPLUS) return (float)softplus_in_double(x);
  if constexpr (op == BANG_RECIP) return 1.0f / x;
  if constexpr (op == BANG_SQRT) return sqrtf(x);
  if constexpr (op == BANG_RSQRT) return (float)(1.0 / sqrt((double)x));
  return x;
}

template <int op, class T>
BANG_INLINE T unary_element(T x) {
  if constexpr (op == BANG_BNOT) {
    typedef typename word_of<sizeof(T)>::type Word;
    return same_bits<T>((Word)~same_bits<Word>(x));
  } else if constexpr (is_float_element<T>()) {
    return T(float_unary<op>(float(x)));
  } else {
    typedef typename std::make_unsigned<T>::type U;
    if constexpr (op == BANG_ABS) return x < 0 ? (T)(U)(0 - (U)x) : x;
    if constexpr (op == BANG_NEG) return (T)(U)(0 - (U)x);
    if constexpr (op == BANG_SQUARE) return (T)(U)((uint64_t)(U)x * (uint64_t)(U)x);
    if constexpr (op == BANG_NOT) return x == 0 ? 1 : 0;
    if constexpr (op == BANG_RELU) return x < 0 ? 0 : x;
    if constexpr (op == BANG_SIGN) return x < 0 ? -1 : x > 0 ? 1 : 0;
    if constexpr (op == BANG_SIGN_OR_ONE) return x < 0 ? -1 : 1;
    if constexpr (op == BANG_POPCNT) return (T)__popcll((uint64_t)(U)x);
    if constexpr (op == BANG_NSA) {
      constexpr int bits = 8 * sizeof(T), sign = std::is_signed<T>::value ? 1 : 0;
      const U other = sign && x < 0 ? (U)~x : (U)x;
      return (T)(__clzll((uint64_t)other) - (64 - bits) - sign);
    }
    return x;
  }
}

}  // namespace bang_impl

#endif /* BANG_OPERATIONS_H_ */
