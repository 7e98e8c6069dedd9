/* SPDX-License-Identifier: MIT
 *
 * Exact conversions, one element at a time: every pair of types, every rounding mode, any
 * fixed-point position.
 */
#include <math.h>

#include "vector/scalar_float.h"
#include "vector/vector.h"

#define AS_DOUBLE(tag, element, widen)                  \
  static inline double as_double_##tag(const char *p) { \
    element x;                                          \
    memcpy(&x, p, sizeof x);                            \
    return (double)(widen(x));                          \
  }
#define SAME(x) (x)
AS_DOUBLE(f16, uint16_t, bang_half_to_float)
AS_DOUBLE(bf16, uint16_t, bang_bfloat_to_float)
AS_DOUBLE(f32, float, SAME)
AS_DOUBLE(s8, int8_t, SAME)
AS_DOUBLE(u8, uint8_t, SAME)
AS_DOUBLE(s16, int16_t, SAME)
AS_DOUBLE(u16, uint16_t, SAME)
AS_DOUBLE(s32, int32_t, SAME)
AS_DOUBLE(u32, uint32_t, SAME)

/* 64 bits do not fit a double. Rounding to odd keeps enough for the later rounding to be correct.
 */
static inline double odd_double(uint64_t magnitude, int negative) {
  int shift = 0;
  while ((magnitude >> shift) >= ((uint64_t)1 << 53)) {
    shift++;
  }
  uint64_t kept = magnitude >> shift;
  kept |= (kept << shift) != magnitude;
  double x = ldexp((double)kept, shift);
  return negative ? -x : x;
}
static inline double as_double_s64(const char *p) {
  int64_t x;
  memcpy(&x, p, sizeof x);
  return odd_double(x < 0 ? 0 - (uint64_t)x : (uint64_t)x, x < 0);
}
static inline double as_double_u64(const char *p) {
  uint64_t x;
  memcpy(&x, p, sizeof x);
  return odd_double(x, 0);
}

#define PUT_INT(tag, element, low, high)                                        \
  static inline void put_##tag(char *p, double x, int mode) {                   \
    x = x != x ? 0 : bang_round_integral(x, mode);                              \
    element y = x <= (double)low ? low : x >= (double)high ? high : (element)x; \
    memcpy(p, &y, sizeof y);                                                    \
  }
PUT_INT(s8, int8_t, INT8_MIN, INT8_MAX)
PUT_INT(u8, uint8_t, 0, UINT8_MAX)
PUT_INT(s16, int16_t, INT16_MIN, INT16_MAX)
PUT_INT(u16, uint16_t, 0, UINT16_MAX)
PUT_INT(s32, int32_t, INT32_MIN, INT32_MAX)
PUT_INT(u32, uint32_t, 0, UINT32_MAX)
PUT_INT(s64, int64_t, INT64_MIN, INT64_MAX)
PUT_INT(u64, uint64_t, 0, UINT64_MAX)

static inline void put_f16(char *p, double x, int mode) {
  uint16_t bits = bang_exact_half_bits(bang_round_half(x, mode));
  memcpy(p, &bits, sizeof bits);
}
static inline void put_bf16(char *p, double x, int mode) {
  uint16_t bits = bang_exact_bfloat_bits(bang_round_bfloat(x, mode));
  memcpy(p, &bits, sizeof bits);
}
static inline void put_f32(char *p, double x, int mode) {
  float y = (float)bang_round_float(x, mode);
  memcpy(p, &y, sizeof y);
}

/* Integer to integer without a scale needs no rounding, only clamping. */
static int64_t clamp_signed(int64_t x, int64_t low, int64_t high) {
  return x < low ? low : x > high ? high : x;
}

typedef struct Integer {
  uint64_t magnitude;
  int negative;
} Integer;

static Integer get_integer(const char *p, int type) {
  union {
    int8_t s8;
    uint8_t u8;
    int16_t s16;
    uint16_t u16;
    int32_t s32;
    uint32_t u32;
    int64_t s64;
    uint64_t u64;
  } x;
  memcpy(&x, p, (size_t)bang_type_size(type));
  int64_t value = 0;
  switch (type) {
    case BANG_S8:
      value = x.s8;
      break;
    case BANG_U8:
      value = x.u8;
      break;
    case BANG_S16:
      value = x.s16;
      break;
    case BANG_U16:
      value = x.u16;
      break;
    case BANG_S32:
      value = x.s32;
      break;
    case BANG_U32:
      value = x.u32;
      break;
    case BANG_S64:
      value = x.s64;
      break;
    default:
      return (Integer){x.u64, 0};
  }
  return (Integer){value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0};
}

static void put_integer(char *p, int type, Integer x) {
  if (type == BANG_U64) {
    uint64_t y = x.negative ? 0 : x.magnitude;
    memcpy(p, &y, sizeof y);
    return;
  }
  int64_t value = x.negative
                      ? (x.magnitude > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)x.magnitude)
                      : (x.magnitude > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)x.magnitude);
  static const int64_t low[BANG_TYPE_COUNT] = {
      [BANG_S8] = INT8_MIN, [BANG_S16] = INT16_MIN, [BANG_S32] = INT32_MIN, [BANG_S64] = INT64_MIN};
  static const int64_t high[BANG_TYPE_COUNT] = {
      [BANG_S8] = INT8_MAX,    [BANG_U8] = UINT8_MAX,  [BANG_S16] = INT16_MAX,
      [BANG_U16] = UINT16_MAX, [BANG_S32] = INT32_MAX, [BANG_U32] = UINT32_MAX,
      [BANG_S64] = INT64_MAX};
  value = clamp_signed(value, low[type], high[type]);
  memcpy(p, &value, (size_t)bang_type_size(type)); /* little endian: the low bytes come first */
}

static double get_double(const char *p, int type) {
  switch (type) {
#define GET(code, tag, cxx) \
  case code:                \
    return as_double_##tag(p);
    BANG_TYPE_LIST(GET)
#undef GET
    default:
      return 0;
  }
}

static void put_double(char *p, int type, double x, int mode) {
  switch (type) {
#define PUT(code, tag, cxx) \
  case code:                \
    put_##tag(p, x, mode);  \
    break;
    BANG_TYPE_LIST(PUT)
#undef PUT
    default:
      break;
  }
}

static int is_integer(int type) {
  return (BANG_SET_INT >> type) & 1;
}

void bang_convert_elements(int dst_type, void *dst, int src_type, const void *src, int64_t n,
                           int shift, int mode) {
  int dst_size = bang_type_size(dst_type), src_size = bang_type_size(src_type);
  int integers = shift == 0 && is_integer(dst_type) && is_integer(src_type);
  /* An in-place conversion to a wider type runs backwards. */
  int from_end = dst_size > src_size && dst == src;
  /* At larger shifts every value has saturated or become zero, and a double still holds it. */
  shift = shift > 300 ? 300 : shift < -300 ? -300 : shift;
  for (int64_t k = 0; k < n; k++) {
    int64_t i = from_end ? n - 1 - k : k;
    const char *in = (const char *)src + i * src_size;
    char *out = (char *)dst + i * dst_size;
    if (integers) {
      put_integer(out, dst_type, get_integer(in, src_type));
    } else {
      double x = get_double(in, src_type);
      put_double(out, dst_type, shift == 0 ? x : ldexp(x, shift), mode);
    }
  }
}
