/* SPDX-License-Identifier: MIT */
#include "data/dtype.h"

#include <math.h>
#include <string.h>

#include "mlu_op.h"

#define DTYPE(schema, library, kind, size, count, floating)                                   \
  {                                                                                           \
    MLUOPTEST__DATA_TYPE__##schema, #schema, MLUOP_##library, MLUOP_PART_##kind, size, count, \
        floating                                                                              \
  }

static const mluopDtypeInfo dtype_table[] = {
    DTYPE(DTYPE_HALF, DTYPE_HALF, HALF, 2, 1, true),
    DTYPE(DTYPE_FLOAT, DTYPE_FLOAT, FLOAT, 4, 1, true),
    DTYPE(DTYPE_INT8, DTYPE_INT8, INT8, 1, 1, false),
    DTYPE(DTYPE_INT16, DTYPE_INT16, INT16, 2, 1, false),
    DTYPE(DTYPE_INT31, DTYPE_INT31, INT32, 4, 1, false),
    DTYPE(DTYPE_INT32, DTYPE_INT32, INT32, 4, 1, false),
    DTYPE(DTYPE_BFLOAT16, DTYPE_BFLOAT16, BFLOAT16, 2, 1, true),
    DTYPE(DTYPE_DOUBLE, DTYPE_DOUBLE, DOUBLE, 8, 1, true),
    DTYPE(DTYPE_UINT8, DTYPE_UINT8, UINT8, 1, 1, false),
    DTYPE(DTYPE_UINT16, DTYPE_UINT16, UINT16, 2, 1, false),
    DTYPE(DTYPE_UINT32, DTYPE_UINT32, UINT32, 4, 1, false),
    DTYPE(DTYPE_BOOL, DTYPE_BOOL, BOOL, 1, 1, false),
    DTYPE(DTYPE_INT64, DTYPE_INT64, INT64, 8, 1, false),
    DTYPE(DTYPE_UINT64, DTYPE_UINT64, UINT64, 8, 1, false),
    DTYPE(DTYPE_COMPLEX_HALF, DTYPE_COMPLEX_HALF, HALF, 2, 2, true),
    DTYPE(DTYPE_COMPLEX_FLOAT, DTYPE_COMPLEX_FLOAT, FLOAT, 4, 2, true),
};

const mluopDtypeInfo *mluop_dtype_info(mluopTestDtype type) {
  for (size_t i = 0; i < sizeof(dtype_table) / sizeof(dtype_table[0]); ++i) {
    if (dtype_table[i].type == type) {
      return &dtype_table[i];
    }
  }
  return NULL;
}

const char *mluop_dtype_name(mluopTestDtype type) {
  const ProtobufCEnumValue *value =
      protobuf_c_enum_descriptor_get_value(&mluoptest__data_type__descriptor, (int)type);
  return value ? value->name : "an unknown dtype";
}

/* A binary float format narrower than double. */
typedef struct FloatFormat {
  int fraction; /* bits of the fraction */
  int exponent; /* bits of the exponent */
} FloatFormat;

static const FloatFormat half_format = {10, 5}, bfloat16_format = {7, 8};

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023, DOUBLE_EXPONENT_MASK = 0x7FF };

static uint64_t double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static double double_from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/* Rounds to nearest, ties to even. A double holds the product of two such numbers exactly, so this
 * is the only rounding. */
static uint16_t float_round(double value, FloatFormat format) {
  const int bias = (1 << (format.exponent - 1)) - 1;
  const uint64_t infinity = ((UINT64_C(1) << format.exponent) - 1) << format.fraction;
  const uint64_t bits = double_bits(value);
  const uint16_t sign = (uint16_t)(bits >> 63 << (format.fraction + format.exponent));
  const int stored = (int)(bits >> DOUBLE_FRACTION) & DOUBLE_EXPONENT_MASK;
  const uint64_t fraction = bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1);
  if (stored == DOUBLE_EXPONENT_MASK) {
    return (uint16_t)(sign | infinity | (fraction ? UINT64_C(1) << (format.fraction - 1) : 0));
  }
  int exponent = stored - DOUBLE_BIAS + bias;
  int drop = DOUBLE_FRACTION - format.fraction; /* number of bits dropped */
  if (exponent < 1) {
    drop += 1 - exponent; /* subnormal: fixed last place */
    exponent = 1;
  }
  if (!stored || drop > DOUBLE_FRACTION + 1) {
    return sign;
  }
  const uint64_t whole = fraction | UINT64_C(1) << DOUBLE_FRACTION;
  const uint64_t odd = whole >> drop & 1;
  const uint64_t rounded = (whole + (UINT64_C(1) << (drop - 1)) - 1 + odd) >> drop;
  /* The implicit one, and a carry out of the fraction, add to the exponent field. */
  const uint64_t result = rounded + ((uint64_t)(exponent - 1) << format.fraction);
  return (uint16_t)(sign | (result > infinity ? infinity : result));
}

static double float_expand(uint16_t bits, FloatFormat format) {
  const int bias = (1 << (format.exponent - 1)) - 1;
  const uint64_t mask = (UINT64_C(1) << format.exponent) - 1;
  const uint64_t sign = (uint64_t)(bits >> (format.fraction + format.exponent)) << 63;
  const uint64_t fraction = bits & ((UINT64_C(1) << format.fraction) - 1);
  const uint64_t stored = bits >> format.fraction & mask;
  if (!stored) {
    const double magnitude = ldexp((double)fraction, 1 - bias - format.fraction);
    return sign ? -magnitude : magnitude;
  }
  const uint64_t exponent =
      stored == mask ? DOUBLE_EXPONENT_MASK : stored + (uint64_t)(DOUBLE_BIAS - bias);
  return double_from_bits(sign | exponent << DOUBLE_FRACTION |
                          fraction << (DOUBLE_FRACTION - format.fraction));
}

uint16_t mluop_half_from_double(double value) {
  return float_round(value, half_format);
}
double mluop_half_to_double(uint16_t bits) {
  return float_expand(bits, half_format);
}
uint16_t mluop_bfloat16_from_double(double value) {
  return float_round(value, bfloat16_format);
}
double mluop_bfloat16_to_double(uint16_t bits) {
  return float_expand(bits, bfloat16_format);
}

#define LOAD(type, data, index)                                      \
  ({                                                                 \
    type value_;                                                     \
    memcpy(&value_, (const type *)(data) + (index), sizeof(value_)); \
    value_;                                                          \
  })

double mluop_part_load(const mluopDtypeInfo *info, const void *data, size_t index) {
  switch (info->part) {
    case MLUOP_PART_HALF:
      return mluop_half_to_double(LOAD(uint16_t, data, index));
    case MLUOP_PART_BFLOAT16:
      return mluop_bfloat16_to_double(LOAD(uint16_t, data, index));
    case MLUOP_PART_FLOAT:
      return (double)LOAD(float, data, index);
    case MLUOP_PART_DOUBLE:
      return LOAD(double, data, index);
    case MLUOP_PART_INT8:
      return LOAD(int8_t, data, index);
    case MLUOP_PART_INT16:
      return LOAD(int16_t, data, index);
    case MLUOP_PART_INT32:
      return LOAD(int32_t, data, index);
    case MLUOP_PART_INT64:
      return (double)LOAD(int64_t, data, index);
    case MLUOP_PART_UINT8:
    case MLUOP_PART_BOOL:
      return LOAD(uint8_t, data, index);
    case MLUOP_PART_UINT16:
      return LOAD(uint16_t, data, index);
    case MLUOP_PART_UINT32:
      return LOAD(uint32_t, data, index);
    case MLUOP_PART_UINT64:
      return (double)LOAD(uint64_t, data, index);
  }
  return 0;
}

void mluop_parts_load(const mluopDtypeInfo *info, const void *data, size_t first, size_t step,
                      size_t n, double *values) {
  if (info->part == MLUOP_PART_FLOAT) {
    const float *floats = (const float *)data + first;
    for (size_t i = 0; i < n; ++i) {
      values[i] = (double)floats[i * step];
    }
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    values[i] = mluop_part_load(info, data, first + i * step);
  }
}

/* 2^63 and 2^64 are the first doubles that the type cannot hold. */
static int64_t saturate_signed(double value, int bits) {
  const double bound = (double)(UINT64_C(1) << (bits - 1));
  if (isnan(value)) {
    return 0;
  }
  if (value >= bound) {
    return (int64_t)((UINT64_C(1) << (bits - 1)) - 1);
  }
  if (value <= -bound) {
    return -(int64_t)((UINT64_C(1) << (bits - 1)) - 1) - 1;
  }
  return (int64_t)value;
}

static uint64_t saturate_unsigned(double value, int bits) {
  if (isnan(value) || value <= 0) {
    return 0;
  }
  if (value >= 2 * (double)(UINT64_C(1) << (bits - 1))) {
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  }
  return (uint64_t)value;
}

#define STORE(type, data, index, value)                        \
  do {                                                         \
    const type value_ = (type)(value);                         \
    memcpy((type *)(data) + (index), &value_, sizeof(value_)); \
  } while (0)

void mluop_part_store(const mluopDtypeInfo *info, void *data, size_t index, double value) {
  switch (info->part) {
    case MLUOP_PART_HALF:
      STORE(uint16_t, data, index, mluop_half_from_double(value));
      break;
    case MLUOP_PART_BFLOAT16:
      STORE(uint16_t, data, index, mluop_bfloat16_from_double(value));
      break;
    case MLUOP_PART_FLOAT:
      STORE(float, data, index, value);
      break;
    case MLUOP_PART_DOUBLE:
      STORE(double, data, index, value);
      break;
    case MLUOP_PART_INT8:
      STORE(int8_t, data, index, saturate_signed(value, 8));
      break;
    case MLUOP_PART_INT16:
      STORE(int16_t, data, index, saturate_signed(value, 16));
      break;
    case MLUOP_PART_INT32:
      STORE(int32_t, data, index, saturate_signed(value, 32));
      break;
    case MLUOP_PART_INT64:
      STORE(int64_t, data, index, saturate_signed(value, 64));
      break;
    case MLUOP_PART_BOOL: /* stored as a signed byte, so that a drawn -1 is preserved */
      STORE(int8_t, data, index, saturate_signed(value, 8));
      break;
    case MLUOP_PART_UINT8:
      STORE(uint8_t, data, index, saturate_unsigned(value, 8));
      break;
    case MLUOP_PART_UINT16:
      STORE(uint16_t, data, index, saturate_unsigned(value, 16));
      break;
    case MLUOP_PART_UINT32:
      STORE(uint32_t, data, index, saturate_unsigned(value, 32));
      break;
    case MLUOP_PART_UINT64:
      STORE(uint64_t, data, index, saturate_unsigned(value, 64));
      break;
  }
}

bool mluop_part_store_bits(const mluopDtypeInfo *info, void *data, size_t index, uint64_t bits) {
  if (info->part_size < 8 && bits >> (8 * info->part_size)) {
    return false;
  }
  memcpy((char *)data + index * info->part_size, &bits, info->part_size);
  return true;
}

uint64_t mluop_part_bits(const mluopDtypeInfo *info, const void *data, size_t index) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)data + index * info->part_size, info->part_size);
  return bits;
}

bool mluop_part_is_nan(const mluopDtypeInfo *info, const void *data, size_t index) {
  return info->is_float && isnan(mluop_part_load(info, data, index));
}
