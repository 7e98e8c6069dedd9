/* SPDX-License-Identifier: MIT
 *
 * 16-bit floats are rounded by a binary search in a table of all their values.
 */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 Wide;

static const struct {
  const char *name;
  int size, is_float, is_signed;
} types[BANG_TYPE_COUNT] = {
    [BANG_F16] = {"half", 2, 1, 1},     [BANG_BF16] = {"bfloat16_t", 2, 1, 1},
    [BANG_F32] = {"float", 4, 1, 1},    [BANG_S8] = {"int8_t", 1, 0, 1},
    [BANG_U8] = {"uint8_t", 1, 0, 0},   [BANG_S16] = {"int16_t", 2, 0, 1},
    [BANG_U16] = {"uint16_t", 2, 0, 0}, [BANG_S32] = {"int32_t", 4, 0, 1},
    [BANG_U32] = {"uint32_t", 4, 0, 0}, [BANG_S64] = {"int64_t", 8, 0, 1},
    [BANG_U64] = {"uint64_t", 8, 0, 0},
};

int oracle_size(int type) {
  return types[type].size;
}
int oracle_is_float(int type) {
  return types[type].is_float;
}
const char *oracle_type_name(int type) {
  return types[type].name;
}

/* ---- reading ---- */

static Exact small_float(unsigned bits, int mantissa_bits, int exponent_bits) {
  unsigned mantissa = bits & ((1u << mantissa_bits) - 1);
  int exponent = (int)(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
  int bias = (1 << (exponent_bits - 1)) - 1;
  Exact x;
  if (exponent == (1 << exponent_bits) - 1) {
    x = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    x = ldexpl(mantissa, 1 - bias - mantissa_bits);
  } else {
    x = ldexpl(mantissa + (1u << mantissa_bits), exponent - bias - mantissa_bits);
  }
  return bits >> 15 & 1 ? -x : x;
}

static Wide get_integer(int type, const void *p) {
  uint64_t bits = 0;
  memcpy(&bits, p, (size_t)types[type].size);
  int width = types[type].size * 8;
  if (types[type].is_signed && (bits >> (width - 1) & 1)) {
    return (Wide)bits - ((Wide)1 << width);
  }
  return (Wide)bits;
}

Exact oracle_get(int type, const void *p) {
  uint16_t bits;
  float single;
  switch (type) {
    case BANG_F16:
      memcpy(&bits, p, sizeof bits);
      return small_float(bits, 10, 5);
    case BANG_BF16:
      memcpy(&bits, p, sizeof bits);
      return small_float(bits, 7, 8);
    case BANG_F32:
      memcpy(&single, p, sizeof single);
      return single;
    default:
      return (Exact)get_integer(type, p);
  }
}

/* ---- writing ---- */

/* True if the magnitude, between the neighbours low and high, is rounded to high. */
static int goes_away(Exact magnitude, Exact low, Exact high, int negative, int high_is_even,
                     int round) {
  if (magnitude == low) {
    return 0;
  }
  switch (round) {
    case BANG_TZ:
      return 0;
    case BANG_OZ:
      return 1;
    case BANG_UP:
      return !negative;
    case BANG_DN:
      return negative;
    default:
      break;
  }
  Exact below = magnitude - low, above = high - magnitude;
  if (below != above) {
    return below > above;
  }
  return round == BANG_RD ? 1 : round == BANG_RM ? !negative : high_is_even;
}

/* Values of the non-negative bit patterns of a 16-bit format. For rounding, infinity has the value
 * of the next power of two. */
static Exact half_values[0x7c01], bfloat_values[0x7f81];

static void make_values(void) {
  if (half_values[1] == 0) {
    for (unsigned i = 0; i < 0x7c00; i++) half_values[i] = small_float(i, 10, 5);
    half_values[0x7c00] = 65536;
    for (unsigned i = 0; i < 0x7f80; i++) bfloat_values[i] = small_float(i, 7, 8);
    bfloat_values[0x7f80] = ldexpl(1, 128);
  }
}

static uint16_t round_small(Exact x, const Exact *values, unsigned infinity, int round) {
  unsigned sign = signbit(x) ? 0x8000u : 0;
  Exact magnitude = fabsl(x);
  if (isnan(x)) {
    return (uint16_t)(infinity | 0x40u | 0x200u);
  }
  if (isinf(x)) {
    return (uint16_t)(sign | infinity);
  }
  unsigned low = 0, high = infinity;
  if (magnitude >= values[infinity]) {
    int away = round == BANG_TZ ? 0 : round == BANG_UP ? !sign : round == BANG_DN ? sign != 0 : 1;
    return (uint16_t)(sign | (away ? infinity : infinity - 1));
  }
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    if (values[middle] <= magnitude) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (uint16_t)(sign | (low + (unsigned)goes_away(magnitude, values[low], values[high],
                                                      sign != 0, high % 2 == 0, round)));
}

static float round_single(Exact x, int round) {
  if (isnan(x) || isinf(x) || x == 0) {
    return (float)x;
  }
  Exact magnitude = fabsl(x);
  float near = (float)magnitude;
  float low =
      (Exact)near > magnitude ? nextafterf(near, 0) : near; /* infinity gives the largest float */
  float high = nextafterf(low, INFINITY);
  uint32_t bits;
  memcpy(&bits, &high, sizeof bits);
  Exact high_value = isinf(high) ? ldexpl(1, 128) : (Exact)high;
  int away = goes_away(magnitude, low, high_value, x < 0, bits % 2 == 0, round);
  return copysignf(away ? high : low, (float)x);
}

static Exact round_integral(Exact x, int round) {
  Exact low = floorl(fabsl(x));
  int away = goes_away(fabsl(x), low, low + 1, x < 0, fmodl(low + 1, 2) == 0, round);
  return copysignl(low + away, x);
}

static void put_integer(int type, void *p, Wide x) {
  uint64_t bits = (uint64_t)x; /* wraps modulo 2^width */
  memcpy(p, &bits, (size_t)types[type].size);
}

static void put_saturated(int type, void *p, Exact x) {
  int width = types[type].size * 8 - types[type].is_signed;
  Exact high = ldexpl(1, width) - 1, low = types[type].is_signed ? -ldexpl(1, width) : 0;
  Wide y = isnan(x) ? 0 : x <= low ? (Wide)low : x >= high ? (Wide)high : (Wide)x;
  put_integer(type, p, y);
}

void oracle_put(int type, void *p, Exact x, int round) {
  make_values();
  uint16_t bits;
  float single;
  switch (type) {
    case BANG_F16:
      bits = round_small(x, half_values, 0x7c00, round);
      memcpy(p, &bits, sizeof bits);
      break;
    case BANG_BF16:
      bits = round_small(x, bfloat_values, 0x7f80, round);
      memcpy(p, &bits, sizeof bits);
      break;
    case BANG_F32:
      single = round_single(x, round);
      memcpy(p, &single, sizeof single);
      break;
    default:
      put_saturated(type, p, isnan(x) || isinf(x) ? x : round_integral(x, round));
      break;
  }
}

/* Operations compute in float, so a 16-bit result is rounded twice: to float, then to 16 bits. */
static void put_float_result(int type, void *p, Exact x, int round) {
  oracle_put(type, p, round_single(x, round), round);
}

void oracle_convert(int dst_type, void *dst, int src_type, const void *src, int shift, int round) {
  oracle_put(dst_type, dst, ldexpl(oracle_get(src_type, src), shift), round);
}

/* ---- operations ---- */

static uint64_t get_bits(int type, const void *p) {
  uint64_t bits = 0;
  memcpy(&bits, p, (size_t)types[type].size);
  return bits;
}
static void put_bits(int type, void *p, uint64_t bits) {
  memcpy(p, &bits, (size_t)types[type].size);
}

static Exact function(int op, Exact x) {
  switch (op) {
    case BANG_ABS:
      return fabsl(x);
    case BANG_NEG:
      return -x;
    case BANG_SQUARE:
      return x * x;
    case BANG_NOT:
      return x == 0;
    case BANG_FLOOR:
      return floorl(x);
    case BANG_CEIL:
      return ceill(x);
    case BANG_TRUNC:
      return truncl(x);
    case BANG_ROUND:
      return roundl(x);
    case BANG_RINT:
      return nearbyintl(x);
    case BANG_RELU:
      return x < 0 ? 0 : x;
    case BANG_SIGN:
      return x > 0 ? 1 : x < 0 ? -1 : x;
    case BANG_SIGN_OR_ONE:
      return x >= 0 ? 1 : -1;
    case BANG_EXP:
      return expl(x);
    case BANG_EXP2:
      return exp2l(x);
    case BANG_LOG:
      return logl(x);
    case BANG_LOG2:
      return log2l(x);
    case BANG_LOG10:
      return log10l(x);
    case BANG_SIN:
      return sinl(x);
    case BANG_COS:
      return cosl(x);
    case BANG_TANH:
      return tanhl(x);
    case BANG_SIGMOID:
      return 1 / (1 + expl(-x));
    case BANG_GELU:
      return isinf(x) ? (x > 0 ? x : -0.0L) : x / 2 * erfcl(-x / sqrtl(2));
    case BANG_GELU_TANH:
      return isinf(x) ? (x > 0 ? x : -0.0L)
                      : x / (1 + expl(-2 * sqrtl(2 / acosl(-1)) * (x + 0.044715L * x * x * x)));
    case BANG_SOFTPLUS:
      return x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x));
    case BANG_RECIP:
      return 1 / x;
    case BANG_SQRT:
      return sqrtl(x);
    default:
      return 1 / sqrtl(x);
  }
}

static int bits_set(int type, uint64_t bits) {
  int n = 0;
  for (int i = 0; i < types[type].size * 8; i++) n += (int)(bits >> i & 1);
  return n;
}

/* Unsigned: the number of leading zeros. Signed: the number of bits after the sign bit that equal
 * it. */
static int equal_leading_bits(int type, uint64_t bits) {
  int width = types[type].size * 8, n = 0;
  uint64_t wanted = types[type].is_signed ? bits >> (width - 1) & 1 : 0;
  while (n < width && (bits >> (width - 1 - n) & 1) == wanted) n++;
  return n - types[type].is_signed;
}

void oracle_unary(int op, int type, void *dst, const void *a) {
  if (op == BANG_BNOT) {
    put_bits(type, dst, ~get_bits(type, a));
  } else if (types[type].is_float) {
    put_float_result(type, dst, function(op, oracle_get(type, a)), BANG_RN);
  } else {
    Wide x = get_integer(type, a);
    Wide y = op == BANG_ABS           ? (x < 0 ? -x : x)
             : op == BANG_NEG         ? -x
             : op == BANG_SQUARE      ? (Wide)((uint64_t)x * (uint64_t)x)
             : op == BANG_NOT         ? x == 0
             : op == BANG_RELU        ? (x < 0 ? 0 : x)
             : op == BANG_SIGN_OR_ONE ? (x < 0 ? -1 : 1)
             : op == BANG_POPCNT      ? bits_set(type, get_bits(type, a))
             : op == BANG_NSA         ? equal_leading_bits(type, get_bits(type, a))
                                      : (x > 0) - (x < 0);
    put_integer(type, dst, y);
  }
}

int oracle_predicate(int op, Exact a, Exact b) {
  switch (op) {
    case BANG_EQ:
      return a == b;
    case BANG_NE:
      return a != b;
    case BANG_LT:
      return a < b;
    case BANG_LE:
      return a <= b;
    case BANG_GT:
      return a > b;
    case BANG_GE:
      return a >= b;
    case BANG_EQU:
      return isnan(a) || isnan(b) || a == b;
    case BANG_LTU:
      return isnan(a) || isnan(b) || a < b;
    case BANG_LEU:
      return isnan(a) || isnan(b) || a <= b;
    case BANG_GTU:
      return isnan(a) || isnan(b) || a > b;
    case BANG_GEU:
      return isnan(a) || isnan(b) || a >= b;
    case BANG_AND:
      return a != 0 && b != 0;
    case BANG_OR:
      return a != 0 || b != 0;
    default:
      return (a != 0) != (b != 0);
  }
}

static Exact float_binary(int op, Exact a, Exact b) {
  switch (op) {
    case BANG_ADD:
    case BANG_ADD_TZ:
      return a + b;
    case BANG_SUB:
    case BANG_SUB_TZ:
      return a - b;
    case BANG_MUL:
    case BANG_MUL_TZ:
      return a * b;
    case BANG_DIV:
      return a / b;
    case BANG_REM:
      return fmodl(a, b);
    case BANG_POW:
      return powl(a, b);
    case BANG_MAX:
      return fmaxl(a, b);
    case BANG_MIN:
      return fminl(a, b);
    case BANG_NAN_MAX:
      return isnan(a) || isnan(b) ? NAN : fmaxl(a, b);
    case BANG_MAX_FIRST:
      return isnan(a) || isnan(b) ? a : fmaxl(a, b);
    case BANG_MIN_FIRST:
      return isnan(a) || isnan(b) ? a : fminl(a, b);
    default:
      return isnan(a) || isnan(b) ? NAN : fminl(a, b);
  }
}

static Wide integer_binary(int op, Wide a, Wide b) {
  switch (op) {
    case BANG_ADD:
    case BANG_ADD_TZ:
      return a + b;
    case BANG_SUB:
    case BANG_SUB_TZ:
      return a - b;
    case BANG_MUL:
    case BANG_MUL_TZ:
      return (Wide)((uint64_t)a * (uint64_t)b);
    case BANG_DIV:
      return b == 0 ? 0 : a / b;
    case BANG_REM:
      return b == 0 ? a : a % b;
    case BANG_MAX:
    case BANG_NAN_MAX:
    case BANG_MAX_FIRST:
      return a > b ? a : b;
    default:
      return a < b ? a : b;
  }
}

/* BANG_MULH: the upper half of the product, which has twice the bits. Else a saturated sum or
 * difference. */
static Wide saturated_or_upper(int op, int type, Wide a, Wide b) {
  int width = types[type].size * 8;
  if (op == BANG_MULH) return (a * b) >> width;
  Wide high = ((Wide)1 << (width - types[type].is_signed)) - 1;
  Wide low = types[type].is_signed ? -high - 1 : 0, x = op == BANG_ADDS ? a + b : a - b;
  return x < low ? low : x > high ? high : x;
}

static void shift(int op, int type, void *dst, const void *a, const void *b) {
  int width = types[type].size * 8;
  uint64_t x = get_bits(type, a), count = get_bits(type, b);
  if (op == BANG_ROL || op == BANG_ROR) {
    uint64_t rotated = 0;
    for (int i = 0; i < width; i++) {
      int to = (int)((op == BANG_ROL ? (uint64_t)i + count % (uint64_t)width
                                     : (uint64_t)i + (uint64_t)width - count % (uint64_t)width) %
                     (uint64_t)width);
      rotated |= (x >> i & 1) << to;
    }
    put_bits(type, dst, rotated);
    return;
  }
  if (op == BANG_SRA) {
    Wide value = (Wide)x;
    value = x >> (width - 1) & 1 ? value - ((Wide)1 << width) : value;
    put_integer(type, dst, value >> (count >= (uint64_t)width ? width - 1 : (int)count));
  } else if (count >= (uint64_t)width) {
    put_bits(type, dst, 0);
  } else {
    put_bits(type, dst, op == BANG_SLL ? x << count : x >> count);
  }
}

void oracle_binary(int op, int type, void *dst, const void *a, const void *b) {
  if (op >= BANG_SLL) {
    shift(op, type, dst, a, b);
  } else if (op >= BANG_BAND) {
    uint64_t x = get_bits(type, a), y = get_bits(type, b);
    put_bits(type, dst, op == BANG_BAND ? x & y : op == BANG_BOR ? x | y : x ^ y);
  } else if (op >= BANG_EQ) {
    oracle_put(type, dst, oracle_predicate(op, oracle_get(type, a), oracle_get(type, b)), BANG_RN);
  } else if (types[type].is_float) {
    int toward_zero = op == BANG_ADD_TZ || op == BANG_SUB_TZ || op == BANG_MUL_TZ;
    put_float_result(type, dst, float_binary(op, oracle_get(type, a), oracle_get(type, b)),
                     toward_zero ? BANG_TZ : BANG_RN);
  } else if (op == BANG_ADDS || op == BANG_SUBS || op == BANG_MULH) {
    put_integer(type, dst,
                saturated_or_upper(op, type, get_integer(type, a), get_integer(type, b)));
  } else {
    put_integer(type, dst, integer_binary(op, get_integer(type, a), get_integer(type, b)));
  }
}

/* ---- closeness ---- */

int oracle_tolerance_unary(int op, int type) {
  switch (op) {
    case BANG_EXP:
    case BANG_EXP2:
    case BANG_LOG:
    case BANG_LOG2:
    case BANG_LOG10:
      return type == BANG_F32 ? 2 : 1;
    case BANG_SIN:
    case BANG_COS:
    case BANG_TANH:
    case BANG_SIGMOID:
    case BANG_GELU:
    case BANG_GELU_TANH:
    case BANG_SOFTPLUS:
    case BANG_RSQRT:
      return 1;
    default:
      return 0;
  }
}
int oracle_tolerance_binary(int op, int type) {
  (void)type;
  return op == BANG_POW ? 1 : 0;
}

/* Maps the bits of a float to an integer, in the order of the values; neighbours differ by 1. */
static int64_t ordered(int type, const void *p) {
  int width = types[type].size * 8;
  int64_t bits = (int64_t)get_bits(type, p);
  int64_t magnitude = bits & (((int64_t)1 << (width - 1)) - 1);
  return bits == magnitude ? magnitude : -magnitude;
}

int64_t oracle_distance(int type, const void *a, const void *b) {
  if (!types[type].is_float) {
    return memcmp(a, b, (size_t)types[type].size) == 0 ? 0 : INT64_MAX;
  }
  int a_is_nan = isnan(oracle_get(type, a)), b_is_nan = isnan(oracle_get(type, b));
  if (a_is_nan || b_is_nan) {
    return a_is_nan && b_is_nan ? 0 : INT64_MAX;
  }
  int64_t distance = ordered(type, a) - ordered(type, b);
  return distance < 0 ? -distance : distance;
}
