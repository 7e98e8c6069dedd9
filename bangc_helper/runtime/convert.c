/* SPDX-License-Identifier: MIT
 *
 * cnrtCastDataType and related functions: conversions of arrays on the host. Values pass through
 * long double, which represents every value of every type exactly; common conversions from float
 * have a faster path.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

_Static_assert(LDBL_MANT_DIG >= 64, "long double must hold 64-bit integers exactly");

struct cnrtQuantizedParam {
  int position;
  float scale;
  int offset;
};

/* Rounding modes are those of cnrtRoundingMode_t and one more. */
enum { ROUND_HALF_AWAY = cnrtRounding_max };

/* A binary floating-point format. */
struct format {
  int precision;      /* bits of the significand, hidden one included */
  int least_exponent; /* of normal numbers */
  int most_exponent;
};

static const struct format half_format = {11, -14, 15};
static const struct format bfloat_format = {8, -126, 127};
static const struct format float_format = {24, -126, 127};
static const struct format double_format = {53, -1022, 1023};

static size_t element_size(cnrtDataType_V2_t type) {
  switch (type) {
    case cnrtUchar:
    case cnrtChar:
    case cnrtBoolean:
      return 1;
    case cnrtHalf:
    case cnrtBfloat:
    case cnrtUshort:
    case cnrtShort:
      return 2;
    case cnrtFloat:
    case cnrtUint:
    case cnrtInt:
      return 4;
    case cnrtDouble:
    case cnrtUlonglong:
    case cnrtLonglong:
      return 8;
    default:
      return 0;
  }
}

static const struct format *float_format_of(cnrtDataType_V2_t type) {
  switch (type) {
    case cnrtHalf:
      return &half_format;
    case cnrtBfloat:
      return &bfloat_format;
    case cnrtFloat:
      return &float_format;
    case cnrtDouble:
      return &double_format;
    default:
      return NULL;
  }
}

/* ---- Reading ---- */

static float bits_to_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static uint32_t float_to_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float half_to_float(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  const uint32_t exponent = half >> 10 & 0x1f;
  const uint32_t fraction = half & 0x3ffu;
  if (exponent == 0x1f) {
    return bits_to_float(sign | 0x7f800000u | fraction << 13);
  }
  if (exponent == 0) {
    const float magnitude = (float)fraction * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return bits_to_float(sign | (exponent + 112) << 23 | fraction << 13);
}

#define READ_AS(c_type)                    \
  do {                                     \
    c_type value;                          \
    memcpy(&value, source, sizeof(value)); \
    return (long double)value;             \
  } while (0)

static long double read_element(const char *source, cnrtDataType_V2_t type) {
  uint16_t bits = 0;
  switch (type) {
    case cnrtDouble:
      READ_AS(double);
    case cnrtFloat:
      READ_AS(float);
    case cnrtHalf:
      memcpy(&bits, source, sizeof(bits));
      return half_to_float(bits);
    case cnrtBfloat:
      memcpy(&bits, source, sizeof(bits));
      return bits_to_float((uint32_t)bits << 16);
    case cnrtUlonglong:
      READ_AS(uint64_t);
    case cnrtUint:
      READ_AS(uint32_t);
    case cnrtUshort:
      READ_AS(uint16_t);
    case cnrtUchar:
      READ_AS(uint8_t);
    case cnrtLonglong:
      READ_AS(int64_t);
    case cnrtInt:
      READ_AS(int32_t);
    case cnrtShort:
      READ_AS(int16_t);
    case cnrtChar:
      READ_AS(int8_t);
    default:
      return *source != 0;
  }
}

/* ---- Rounding ---- */

static long double round_to_integer(long double value, int mode) {
  const long double below = floorl(value);
  const long double rest = value - below; /* exact */
  bool up = false;
  switch (mode) {
    case cnrtRounding_rn:
      up = rest > 0.5L || (rest == 0.5L && fmodl(below, 2.0L) != 0);
      break;
    case cnrtRounding_rz:
      up = rest != 0 && value < 0;
      break;
    case cnrtRounding_rd:
      break;
    case cnrtRounding_ru:
      up = rest != 0;
      break;
    case cnrtRounding_ro:
      up = rest != 0 && value > 0;
      break;
    case cnrtRounding_rm:
      up = rest >= 0.5L;
      break;
    default:
      up = rest > 0.5L || (rest == 0.5L && value > 0);
      break;
  }
  return copysignl(up ? below + 1 : below, value);
}

/* Whether a magnitude beyond the largest finite number becomes infinite. */
static bool overflow_is_infinite(bool negative, int mode) {
  switch (mode) {
    case cnrtRounding_rz:
      return false;
    case cnrtRounding_rd:
      return negative;
    case cnrtRounding_ru:
      return !negative;
    default:
      return true;
  }
}

/* The value of the format that `value` rounds to. */
static long double round_to_format(long double value, const struct format *format, int mode) {
  if (value == 0 || isnan(value) || isinf(value)) {
    return value;
  }
  int exponent = 0;
  frexpl(value, &exponent);
  --exponent;
  if (exponent < format->least_exponent) {
    exponent = format->least_exponent;
  }
  const int unit = exponent - (format->precision - 1);
  const long double rounded = ldexpl(round_to_integer(ldexpl(value, -unit), mode), unit);
  const long double largest =
      ldexpl(ldexpl(1, format->precision) - 1, format->most_exponent - (format->precision - 1));
  if (fabsl(rounded) <= largest) {
    return rounded;
  }
  return copysignl(overflow_is_infinite(value < 0, mode) ? INFINITY : largest, value);
}

/* Float to a 16-bit format in integer arithmetic. */
static uint16_t narrow(float value, const struct format *format, int mode) {
  const int stored = format->precision - 1; /* bits of the fraction */
  const uint32_t bits = float_to_bits(value);
  const bool negative = bits >> 31 != 0;
  const uint32_t sign = negative ? 0x8000u : 0;
  const uint32_t infinity = (uint32_t)(2 * format->most_exponent + 1) << stored;
  const uint32_t exponent = bits >> 23 & 0xff;
  uint32_t significand = bits & 0x7fffffu;
  if (exponent == 0xff) {
    const uint32_t quiet = 1u << (stored - 1);
    return (uint16_t)(sign | infinity |
                      (significand != 0 ? quiet | significand >> (23 - stored) : 0));
  }
  significand |= exponent != 0 ? 0x800000u : 0;
  int target = (exponent != 0 ? (int)exponent : 1) - 127 + format->most_exponent;
  int shift = 23 - stored;
  if (target < 1) { /* below the normal numbers of the format: subnormal */
    shift += 1 - target;
    shift = shift > 31 ? 31 : shift;
    target = 1;
  }
  uint32_t result = ((uint32_t)(target - 1) << stored) + (significand >> shift);
  const uint32_t rest = significand & ((1u << shift) - 1);
  const uint32_t middle = 1u << (shift - 1);
  bool away = false;
  switch (mode) {
    case cnrtRounding_rn:
      away = rest > middle || (rest == middle && (result & 1) != 0);
      break;
    case cnrtRounding_rz:
      break;
    case cnrtRounding_rd:
      away = rest != 0 && negative;
      break;
    case cnrtRounding_ru:
      away = rest != 0 && !negative;
      break;
    case cnrtRounding_ro:
      away = rest != 0;
      break;
    default: /* cnrtRounding_rm */
      away = rest > middle || (rest == middle && !negative);
      break;
  }
  result += away;
  if (result >= infinity) {
    result = overflow_is_infinite(negative, mode) ? infinity : infinity - 1;
  }
  return (uint16_t)(sign | result);
}

/* ---- Writing ---- */

#define WRITE_AS(c_type, value_)                   \
  do {                                             \
    const c_type converted = (c_type)(value_);     \
    memcpy(target, &converted, sizeof(converted)); \
    return;                                        \
  } while (0)

static long double saturate(long double value, long double low, long double high) {
  if (isnan(value)) {
    return 0;
  }
  return value < low ? low : value > high ? high : value;
}

static void write_element(char *target, cnrtDataType_V2_t type, long double value, int mode) {
  const struct format *format = float_format_of(type);
  if (format != NULL) {
    const long double rounded = round_to_format(value, format, mode);
    switch (type) {
      case cnrtDouble:
        WRITE_AS(double, rounded);
      case cnrtFloat:
        WRITE_AS(float, rounded);
      default: /* already exact in any mode */
        WRITE_AS(uint16_t, narrow((float)rounded, format, cnrtRounding_rz));
    }
  }
  if (type == cnrtBoolean) {
    WRITE_AS(uint8_t, value != 0);
  }
  const long double whole = round_to_integer(value, mode);
  switch (type) {
    case cnrtUlonglong:
      WRITE_AS(uint64_t, saturate(whole, 0, (long double)UINT64_MAX));
    case cnrtUint:
      WRITE_AS(uint32_t, saturate(whole, 0, UINT32_MAX));
    case cnrtUshort:
      WRITE_AS(uint16_t, saturate(whole, 0, UINT16_MAX));
    case cnrtUchar:
      WRITE_AS(uint8_t, saturate(whole, 0, UINT8_MAX));
    case cnrtLonglong:
      WRITE_AS(int64_t, saturate(whole, (long double)INT64_MIN, (long double)INT64_MAX));
    case cnrtInt:
      WRITE_AS(int32_t, saturate(whole, INT32_MIN, INT32_MAX));
    case cnrtShort:
      WRITE_AS(int16_t, saturate(whole, INT16_MIN, INT16_MAX));
    default:
      WRITE_AS(int8_t, saturate(whole, INT8_MIN, INT8_MAX));
  }
}

/* ---- Arrays ---- */

struct conversion {
  cnrtDataType_V2_t from, to;
  const struct cnrtQuantizedParam *quantization;
  int mode;
};

static void convert_element(const struct conversion *conversion, const char *source, char *target) {
  const struct cnrtQuantizedParam *quantization = conversion->quantization;
  const cnrtDataType_V2_t to = conversion->to;
  if (quantization == NULL && conversion->from == cnrtFloat &&
      (to == cnrtHalf || to == cnrtBfloat)) {
    float value;
    memcpy(&value, source, sizeof(value));
    const uint16_t bits = narrow(value, float_format_of(to), conversion->mode);
    memcpy(target, &bits, sizeof(bits));
    return;
  }
  long double value = read_element(source, conversion->from);
  if (quantization != NULL) {
    if (float_format_of(conversion->from) != NULL) {
      value = ldexpl(value * quantization->scale, -quantization->position);
      value = round_to_integer(value, conversion->mode) + quantization->offset;
    } else {
      value = ldexpl((value - quantization->offset) / quantization->scale, quantization->position);
    }
  }
  write_element(target, to, value, conversion->mode);
}

static void convert_array(const struct conversion *conversion, const char *source, char *target,
                          size_t count) {
  const size_t source_size = element_size(conversion->from);
  const size_t target_size = element_size(conversion->to);
  if (conversion->from == conversion->to && conversion->quantization == NULL) {
    memmove(target, source, count * source_size);
    return;
  }
  /* In place, widening goes from the end so that nothing is overwritten before it is read. */
  const bool backwards = target_size > source_size;
  for (size_t i = 0; i < count; ++i) {
    const size_t at = backwards ? count - 1 - i : i;
    convert_element(conversion, source + at * source_size, target + at * target_size);
  }
}

static cnrtRet_t convert(const struct conversion *conversion, const void *source, void *target,
                         int count) {
  const bool from_float = float_format_of(conversion->from) != NULL;
  const bool to_float = float_format_of(conversion->to) != NULL;
  if (element_size(conversion->from) == 0 || element_size(conversion->to) == 0 || count < 0 ||
      (count > 0 && (source == NULL || target == NULL))) {
    return cnrtErrorArgsInvalid;
  }
  if (conversion->quantization != NULL &&
      (from_float == to_float || conversion->from == cnrtBoolean ||
       conversion->to == cnrtBoolean)) {
    return cnrtErrorArgsInvalid;
  }
  convert_array(conversion, source, target, (size_t)count);
  return cnrtSuccess;
}

/* ---- CNRT ---- */

RT_EXPORT cnrtRet_t cnrtCreateQuantizedParam(cnrtQuantizedParam_t *param, int pos, float scale,
                                             int offset) {
  if (param == NULL || !isfinite(scale) || scale == 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *param = malloc(sizeof(**param));
  if (*param == NULL) {
    return rt_fail(cnrtErrorSysNoMem);
  }
  (*param)->position = pos;
  (*param)->scale = scale;
  (*param)->offset = offset;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDestroyQuantizedParam(cnrtQuantizedParam_t param) {
  if (param == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  free(param);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtCastDataType_V2(const void *src, cnrtDataType_V2_t srcDataType, void *dst,
                                        cnrtDataType_V2_t dstDataType, int count,
                                        cnrtQuantizedParam_t param, cnrtRoundingMode_t mode) {
  if ((unsigned)mode >= cnrtRounding_max) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct conversion conversion = {srcDataType, dstDataType, param, (int)mode};
  return rt_fail(convert(&conversion, src, dst, count));
}

static cnrtDataType_V2_t second_generation(cnrtDataType_t type) {
  switch (type) {
    case cnrtFloat16:
      return cnrtHalf;
    case cnrtFloat32:
      return cnrtFloat;
    case cnrtFloat64:
      return cnrtDouble;
    case cnrtInt8:
      return cnrtChar;
    case cnrtInt16:
      return cnrtShort;
    case cnrtInt32:
      return cnrtInt;
    case cnrtInt64:
      return cnrtLonglong;
    case cnrtUInt8:
      return cnrtUchar;
    case cnrtUInt16:
      return cnrtUshort;
    case cnrtUInt32:
      return cnrtUint;
    case cnrtBool:
      return cnrtBoolean;
    default:
      return cnrtUnknown;
  }
}

RT_EXPORT cnrtRet_t cnrtCastDataType(void *src, cnrtDataType_t srcDataType, void *dst,
                                     cnrtDataType_t dstDataType, int count,
                                     cnrtQuantizedParam_t param) {
  const cnrtDataType_V2_t to = second_generation(dstDataType);
  const bool to_float = float_format_of(to) != NULL;
  const struct conversion conversion = {second_generation(srcDataType), to, param,
                                        to_float ? cnrtRounding_rn : ROUND_HALF_AWAY};
  return rt_fail(convert(&conversion, src, dst, count));
}
