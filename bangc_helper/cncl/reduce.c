/* SPDX-License-Identifier: MIT
 *
 * A block of elements at a time is combined in an accumulator that stays in the nearest cache.
 */
#include "reduce.h"

#include <string.h>

enum { BLOCK = 1024 };

typedef void (*combine_function)(void *accumulator, const void *operand, size_t count);
typedef void (*convert_function)(void *to, const void *from, size_t count);

/* ---- Combining ---- */

#define COMBINE(name, element, expression)                                 \
  static void name(void *accumulator, const void *operand, size_t count) { \
    element *restrict into = accumulator;                                  \
    const element *restrict from = operand;                                \
    for (size_t i = 0; i < count; ++i) {                                   \
      const element a = into[i];                                           \
      const element b = from[i];                                           \
      into[i] = (element)(expression);                                     \
    }                                                                      \
  }

/* Integers wrap around: sums and products are computed unsigned and at least 32 bits wide. */
#define COMBINE_INTEGER(name, element, wide)         \
  COMBINE(name##_sum, element, (wide)a + (wide)b)    \
  COMBINE(name##_product, element, (wide)a *(wide)b) \
  COMBINE(name##_maximum, element, b > a ? b : a)    \
  COMBINE(name##_minimum, element, b < a ? b : a)

COMBINE(float_sum, float, a + b)
COMBINE(float_product, float, a *b)
COMBINE(float_maximum, float, ((b > a) | (b != b)) ? b : a)
COMBINE(float_minimum, float, ((b < a) | (b != b)) ? b : a)
COMBINE_INTEGER(int8, int8_t, uint32_t)
COMBINE_INTEGER(int16, int16_t, uint32_t)
COMBINE_INTEGER(int32, int32_t, uint32_t)
COMBINE_INTEGER(int64, int64_t, uint64_t)
COMBINE_INTEGER(uint8, uint8_t, uint32_t)
COMBINE_INTEGER(uint16, uint16_t, uint32_t)
COMBINE_INTEGER(uint32, uint32_t, uint32_t)
COMBINE_INTEGER(uint64, uint64_t, uint64_t)

/* ---- 16-bit floats; without branches so that the compiler can use vectors ---- */

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static void half_to_float(void *to, const void *from, size_t count) {
  float *restrict floats = to;
  const uint16_t *restrict halves = from;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t magnitude = halves[i] & 0x7fffu;
    const uint32_t sign = (uint32_t)(halves[i] & 0x8000u) << 16;
    /* The multiplication shifts the exponent and normalises subnormal numbers. */
    const uint32_t finite = bits_of(float_of(magnitude << 13) * 0x1p112f);
    const uint32_t special = 0x7f800000u | magnitude << 13;
    floats[i] = float_of(sign | (magnitude >= 0x7c00u ? special : finite));
  }
}

static void float_to_half(void *to, const void *from, size_t count) {
  uint16_t *restrict halves = to;
  const float *restrict floats = from;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = bits_of(floats[i]);
    const uint32_t magnitude = bits & 0x7fffffffu;
    /* Nearest, ties to even; a carry out of the largest number makes infinity. */
    const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    /* Adding 0.5 aligns the last bit with the unit of subnormal halves, so the addition rounds. */
    const uint32_t small = bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f);
    const uint32_t large = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const uint32_t finite = magnitude < 0x38800000u ? small : normal;
    const uint32_t half = magnitude >= 0x47800000u ? large : finite;
    halves[i] = (uint16_t)(half | (bits >> 16 & 0x8000u));
  }
}

static void bfloat_to_float(void *to, const void *from, size_t count) {
  float *restrict floats = to;
  const uint16_t *restrict bfloats = from;
  for (size_t i = 0; i < count; ++i) {
    floats[i] = float_of((uint32_t)bfloats[i] << 16);
  }
}

static void float_to_bfloat(void *to, const void *from, size_t count) {
  uint16_t *restrict bfloats = to;
  const float *restrict floats = from;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = bits_of(floats[i]);
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    bfloats[i] = (uint16_t)(is_nan ? bits >> 16 | 0x40u : rounded);
  }
}

/* ---- The table ---- */

struct arithmetic {
  uint32_t type;
  convert_function widen; /* NULL: computed in its own type */
  convert_function narrow;
  combine_function combine[4]; /* by operation */
};

#define COMBINERS(name) \
  { name##_sum, name##_product, name##_maximum, name##_minimum }

static const struct arithmetic table[] = {
    {cnclFloat16, half_to_float, float_to_half, COMBINERS(float)},
    {cnclBfloat16, bfloat_to_float, float_to_bfloat, COMBINERS(float)},
    {cnclFloat32, NULL, NULL, COMBINERS(float)},
    {cnclInt8, NULL, NULL, COMBINERS(int8)},
    {cnclInt16, NULL, NULL, COMBINERS(int16)},
    {cnclInt32, NULL, NULL, COMBINERS(int32)},
    {cnclInt64, NULL, NULL, COMBINERS(int64)},
    {cnclUint8, NULL, NULL, COMBINERS(uint8)},
    {cnclUint16, NULL, NULL, COMBINERS(uint16)},
    {cnclUint32, NULL, NULL, COMBINERS(uint32)},
    {cnclUint64, NULL, NULL, COMBINERS(uint64)},
};

static const struct arithmetic *arithmetic_of(uint32_t type) {
  const struct arithmetic *found = table;
  while (found->type != type) {
    ++found; /* types are checked where calls are made */
  }
  return found;
}

void cncl_reduce(char *const *targets, int target_count, const char *const *sources,
                 int source_count, size_t first, size_t count, uint32_t type, uint32_t op) {
  _Alignas(64) char accumulator[BLOCK * sizeof(uint64_t)];
  _Alignas(64) char operand[BLOCK * sizeof(uint64_t)];
  const struct arithmetic *arithmetic = arithmetic_of(type);
  const combine_function combine = arithmetic->combine[op];
  const size_t size = cncl_type_size(type);
  for (size_t start = 0; start < count; start += BLOCK) {
    const size_t elements = count - start < BLOCK ? count - start : BLOCK;
    const size_t offset = (first + start) * size;
    for (int s = 0; s < source_count; ++s) {
      void *const to = s == 0 ? accumulator : operand;
      /* Copied even without a conversion, since buffers need not be aligned. */
      if (arithmetic->widen != NULL) {
        arithmetic->widen(to, sources[s] + offset, elements);
      } else {
        memcpy(to, sources[s] + offset, elements * size);
      }
      if (s != 0) {
        combine(accumulator, operand, elements);
      }
    }
    if (arithmetic->narrow != NULL) {
      arithmetic->narrow(operand, accumulator, elements);
    }
    const char *result = arithmetic->narrow != NULL ? operand : accumulator;
    for (int t = 0; t < target_count; ++t) {
      memcpy(targets[t] + offset, result, elements * size);
    }
  }
}
