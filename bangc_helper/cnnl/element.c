/* SPDX-License-Identifier: MIT */
#include "element.h"

#include <math.h>
#include <string.h>

size_t cnnl_size(cnnlDataType_t type) {
  switch (type) {
    case CNNL_DTYPE_INT8:
    case CNNL_DTYPE_UINT8:
    case CNNL_DTYPE_BOOL:
      return 1;
    case CNNL_DTYPE_HALF:
    case CNNL_DTYPE_BFLOAT16:
    case CNNL_DTYPE_INT16:
    case CNNL_DTYPE_UINT16:
      return 2;
    case CNNL_DTYPE_FLOAT:
    case CNNL_DTYPE_INT31:
    case CNNL_DTYPE_INT32:
    case CNNL_DTYPE_UINT32:
    case CNNL_DTYPE_COMPLEX_HALF:
      return 4;
    case CNNL_DTYPE_DOUBLE:
    case CNNL_DTYPE_INT64:
    case CNNL_DTYPE_UINT64:
    case CNNL_DTYPE_COMPLEX_FLOAT:
      return 8;
    default:
      return 0;
  }
}

enum cnnl_kind cnnl_kind(cnnlDataType_t type) {
  switch (type) {
    case CNNL_DTYPE_HALF:
    case CNNL_DTYPE_BFLOAT16:
    case CNNL_DTYPE_FLOAT:
    case CNNL_DTYPE_DOUBLE:
      return CNNL_KIND_FLOAT;
    case CNNL_DTYPE_COMPLEX_HALF:
    case CNNL_DTYPE_COMPLEX_FLOAT:
      return CNNL_KIND_COMPLEX;
    default:
      return CNNL_KIND_INTEGER;
  }
}

cnnlDataType_t cnnl_part(cnnlDataType_t type) {
  switch (type) {
    case CNNL_DTYPE_COMPLEX_HALF:
      return CNNL_DTYPE_HALF;
    case CNNL_DTYPE_COMPLEX_FLOAT:
      return CNNL_DTYPE_FLOAT;
    default:
      return type;
  }
}

/* ---- Floats of 16 bits ---- */

static double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double value;
  if (exponent == 31) {
    value = fraction != 0 ? (double)NAN : (double)INFINITY;
  } else if (exponent == 0) {
    value = ldexp(fraction, -24);
  } else {
    value = ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

static uint16_t half_bits(double value) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  const double size = fabs(value);
  if (isnan(value)) {
    return sign | 0x7e00;
  }
  if (size >= 65520.0) { /* halfway to the power of two after the largest number */
    return sign | 0x7c00;
  }
  if (size < 0x1p-14) {
    /* Subnormals in units of the smallest exponent; rounding up to 1024 gives the first normal
     * number. */
    return sign | (uint16_t)nearbyint(ldexp(size, 24));
  }
  int exponent;
  const double fraction = frexp(size, &exponent); /* 0.5 to 1 */
  /* A carry out of the fraction correctly increments the exponent. */
  return sign | (uint16_t)(((exponent + 13) << 10) + (int)nearbyint(ldexp(fraction, 11)));
}

static float float_value(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static uint16_t bfloat_bits(double value) {
  const float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof(bits));
  if (isnan(narrow)) {
    return (uint16_t)(bits >> 16 | 0x40);
  }
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* ---- Numbers in memory, which need not be aligned ---- */

double cnnl_get(cnnlDataType_t type, const void *element) {
  uint16_t bits;
  float single;
  double value;
  switch (type) {
    case CNNL_DTYPE_FLOAT:
      memcpy(&single, element, sizeof(single));
      return (double)single;
    case CNNL_DTYPE_HALF:
      memcpy(&bits, element, sizeof(bits));
      return half_value(bits);
    case CNNL_DTYPE_BFLOAT16:
      memcpy(&bits, element, sizeof(bits));
      return (double)float_value((uint32_t)bits << 16);
    default:
      memcpy(&value, element, sizeof(value));
      return value;
  }
}

void cnnl_put(cnnlDataType_t type, void *element, double value) {
  uint16_t bits;
  float single;
  switch (type) {
    case CNNL_DTYPE_FLOAT:
      single = (float)value;
      memcpy(element, &single, sizeof(single));
      break;
    case CNNL_DTYPE_HALF:
      bits = half_bits(value);
      memcpy(element, &bits, sizeof(bits));
      break;
    case CNNL_DTYPE_BFLOAT16:
      bits = bfloat_bits(value);
      memcpy(element, &bits, sizeof(bits));
      break;
    default:
      memcpy(element, &value, sizeof(value));
      break;
  }
}

static bool is_unsigned(cnnlDataType_t type) {
  return type == CNNL_DTYPE_UINT8 || type == CNNL_DTYPE_UINT16 || type == CNNL_DTYPE_UINT32 ||
         type == CNNL_DTYPE_BOOL;
}

int64_t cnnl_get_integer(cnnlDataType_t type, const void *element) {
  const size_t size = cnnl_size(type);
  uint8_t byte;
  uint16_t word;
  uint32_t twice;
  int64_t value;
  switch (size) {
    case 1:
      memcpy(&byte, element, sizeof(byte));
      return is_unsigned(type) ? (int64_t)byte : (int64_t)(int8_t)byte;
    case 2:
      memcpy(&word, element, sizeof(word));
      return is_unsigned(type) ? (int64_t)word : (int64_t)(int16_t)word;
    case 4:
      memcpy(&twice, element, sizeof(twice));
      return is_unsigned(type) ? (int64_t)twice : (int64_t)(int32_t)twice;
    default:
      memcpy(&value, element, sizeof(value));
      return value;
  }
}

void cnnl_put_integer(cnnlDataType_t type, void *element, int64_t value) {
  const uint8_t byte = (uint8_t)value;
  const uint16_t word = (uint16_t)value;
  const uint32_t twice = (uint32_t)value;
  switch (cnnl_size(type)) {
    case 1:
      memcpy(element, &byte, sizeof(byte));
      break;
    case 2:
      memcpy(element, &word, sizeof(word));
      break;
    case 4:
      memcpy(element, &twice, sizeof(twice));
      break;
    default:
      memcpy(element, &value, sizeof(value));
      break;
  }
}
