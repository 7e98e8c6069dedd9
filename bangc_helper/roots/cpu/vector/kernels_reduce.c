/* SPDX-License-Identifier: MIT
 *
 * Sum, argmax, argmin. The order of a float sum does not depend on the instruction set: 64 running
 * sums, sum j taking elements j, j + 64, ..., then halves added to halves (j and j + 32, j and j +
 * 16, ...). 16-bit floats are summed in float and rounded once at the end.
 */
#include "vector/lanes.h"
#include "vector/scalar_float.h"
#include "vector/vector.h"

#define RUNNING 64
#define RUNNING_VECTORS (RUNNING / LANES)

/* Uses the vector instruction, so that of two NaNs the first is returned, as in vectors. */
INLINE float sum_of_two(float a, float b) {
  return add_f(splat_f(a), splat_f(b))[0];
}

#define DEFINE_FLOAT_SUM(tag, element, negative_zero)                                   \
  static float running_sum_##tag(const void *src, int64_t n) {                          \
    const char *s = src;                                                                \
    vf sums[RUNNING_VECTORS];                                                           \
    for (int j = 0; j < RUNNING_VECTORS; j++) {                                         \
      sums[j] = splat_f(-0.0f); /* adding it changes nothing, not even a zero's sign */ \
    }                                                                                   \
    int64_t i = 0;                                                                      \
    for (; i + RUNNING <= n; i += RUNNING) {                                            \
      for (int j = 0; j < RUNNING_VECTORS; j++) {                                       \
        sums[j] = add_f(sums[j], load_##tag(s + (i + j * LANES) * S_##tag));            \
      }                                                                                 \
    }                                                                                   \
    if (i < n) {                                                                        \
      element rest[RUNNING];                                                            \
      for (int j = 0; j < RUNNING; j++) {                                               \
        rest[j] = negative_zero;                                                        \
      }                                                                                 \
      memcpy(rest, s + i * S_##tag, (size_t)(n - i) * S_##tag);                         \
      for (int j = 0; j < RUNNING_VECTORS; j++) {                                       \
        sums[j] = add_f(sums[j], load_##tag(rest + j * LANES));                         \
      }                                                                                 \
    }                                                                                   \
    for (int half = RUNNING_VECTORS / 2; half > 0; half /= 2) {                         \
      for (int j = 0; j < half; j++) {                                                  \
        sums[j] = add_f(sums[j], sums[j + half]);                                       \
      }                                                                                 \
    }                                                                                   \
    float lanes[LANES];                                                                 \
    memcpy(lanes, sums, sizeof lanes);                                                  \
    for (int half = LANES / 2; half > 0; half /= 2) {                                   \
      for (int j = 0; j < half; j++) {                                                  \
        lanes[j] = sum_of_two(lanes[j], lanes[j + half]);                               \
      }                                                                                 \
    }                                                                                   \
    return lanes[0];                                                                    \
  }
DEFINE_FLOAT_SUM(f16, uint16_t, 0x8000)
DEFINE_FLOAT_SUM(bf16, uint16_t, 0x8000)
DEFINE_FLOAT_SUM(f32, float, -0.0f)

static void sum_f16(void *dst, const void *src, int64_t n) {
  uint16_t bits = bang_float_to_half(running_sum_f16(src, n));
  memcpy(dst, &bits, sizeof bits);
}
static void sum_bf16(void *dst, const void *src, int64_t n) {
  uint16_t bits = bang_float_to_bfloat(running_sum_bf16(src, n));
  memcpy(dst, &bits, sizeof bits);
}
static void sum_f32(void *dst, const void *src, int64_t n) {
  float sum = running_sum_f32(src, n);
  memcpy(dst, &sum, sizeof sum);
}

/* Integers wrap around, so any order gives the same sum. */
#define DEFINE_INT_SUM(tag, element)                             \
  static void sum_##tag(void *dst, const void *src, int64_t n) { \
    const char *s = src;                                         \
    V_##tag sums = {0};                                          \
    int64_t i = 0;                                               \
    for (; i + N_##tag <= n; i += N_##tag) {                     \
      sums += load_##tag(s + i * S_##tag);                       \
    }                                                            \
    element total = 0;                                           \
    for (int j = 0; j < N_##tag; j++) {                          \
      total = (element)(total + sums[j]);                        \
    }                                                            \
    for (; i < n; i++) {                                         \
      element x;                                                 \
      memcpy(&x, s + i * S_##tag, sizeof x);                     \
      total = (element)(total + x);                              \
    }                                                            \
    memcpy(dst, &total, sizeof total);                           \
  }
DEFINE_INT_SUM(u8, uint8_t)
DEFINE_INT_SUM(u16, uint16_t)
DEFINE_INT_SUM(u32, uint32_t)
DEFINE_INT_SUM(u64, uint64_t)

/* ---- first extreme: one pass for its value, one for its index; NaNs are ignored ---- */

#define SCALAR_f16(x) bang_half_to_float(x)
#define SCALAR_bf16(x) bang_bfloat_to_float(x)
#define SCALAR_f32(x) (x)
#define SCALAR_s8(x) (x)
#define SCALAR_u8(x) (x)
#define SCALAR_s16(x) (x)
#define SCALAR_u16(x) (x)
#define SCALAR_s32(x) (x)
#define SCALAR_u32(x) (x)
#define SCALAR_s64(x) (x)
#define SCALAR_u64(x) (x)

/* Vectors compared together, so that each comparison depends only on the previous one in its
 * column. */
#define COLUMNS 4

INLINE int any_set(vu64 mask) {
  uint64_t all = mask[0];
  for (int j = 1; j < VB / 8; j++) {
    all |= mask[j];
  }
  return all != 0;
}

/* `value` is the type the comparison works in, `mask` the matching vector of integers. */
#define DEFINE_EXTREME(name, tag, element, value, mask, better, lowest)            \
  INLINE V_##tag name##_of_two_##tag(V_##tag best, V_##tag x) {                    \
    mask take = (mask)(x better best);                                             \
    return (V_##tag)(((mask)x & take) | ((mask)best & ~take));                     \
  }                                                                                \
  static int64_t name##_##tag(const void *src, int64_t n) {                        \
    const char *s = src;                                                           \
    const int64_t step = COLUMNS * N_##tag;                                        \
    V_##tag best = (V_##tag){0} + (value)(lowest);                                 \
    int64_t i = 0;                                                                 \
    if (n >= step) {                                                               \
      V_##tag column[COLUMNS] = {best, best, best, best};                          \
      for (; i + step <= n; i += step) {                                           \
        for (int c = 0; c < COLUMNS; c++) {                                        \
          V_##tag x = load_##tag(s + (i + c * N_##tag) * S_##tag);                 \
          column[c] = name##_of_two_##tag(column[c], x);                           \
        }                                                                          \
      }                                                                            \
      for (int c = 0; c < COLUMNS; c++) {                                          \
        best = name##_of_two_##tag(best, column[c]);                               \
      }                                                                            \
    }                                                                              \
    for (; i + N_##tag <= n; i += N_##tag) {                                       \
      best = name##_of_two_##tag(best, load_##tag(s + i * S_##tag));               \
    }                                                                              \
    value extreme = (value)(lowest);                                               \
    for (int j = 0; j < N_##tag; j++) {                                            \
      extreme = best[j] better extreme ? best[j] : extreme;                        \
    }                                                                              \
    for (; i < n; i++) {                                                           \
      element x;                                                                   \
      memcpy(&x, s + i * S_##tag, sizeof x);                                       \
      extreme = SCALAR_##tag(x) better extreme ? (value)SCALAR_##tag(x) : extreme; \
    }                                                                              \
    V_##tag wanted = (V_##tag){0} + extreme;                                       \
    for (i = 0; i + step <= n; i += step) {                                        \
      mask same = {0};                                                             \
      for (int c = 0; c < COLUMNS; c++) {                                          \
        same |= (mask)(load_##tag(s + (i + c * N_##tag) * S_##tag) == wanted);     \
      }                                                                            \
      if (any_set((vu64)same)) {                                                   \
        break;                                                                     \
      }                                                                            \
    }                                                                              \
    for (; i + N_##tag <= n; i += N_##tag) {                                       \
      if (any_set((vu64)(load_##tag(s + i * S_##tag) == wanted))) {                \
        break;                                                                     \
      }                                                                            \
    }                                                                              \
    for (; i < n; i++) {                                                           \
      element x;                                                                   \
      memcpy(&x, s + i * S_##tag, sizeof x);                                       \
      if (SCALAR_##tag(x) == extreme) {                                            \
        return i;                                                                  \
      }                                                                            \
    }                                                                              \
    return 0; /* all elements are NaN */                                           \
  }
#define DEFINE_EXTREMES(tag, element, value, mask, lowest, highest) \
  DEFINE_EXTREME(argmax, tag, element, value, mask, >, lowest)      \
  DEFINE_EXTREME(argmin, tag, element, value, mask, <, highest)
DEFINE_EXTREMES(f16, uint16_t, float, vs32, -INFINITY, INFINITY)
DEFINE_EXTREMES(bf16, uint16_t, float, vs32, -INFINITY, INFINITY)
DEFINE_EXTREMES(f32, float, float, vs32, -INFINITY, INFINITY)
DEFINE_EXTREMES(s8, int8_t, int8_t, vs8, INT8_MIN, INT8_MAX)
DEFINE_EXTREMES(u8, uint8_t, uint8_t, vs8, 0, UINT8_MAX)
DEFINE_EXTREMES(s16, int16_t, int16_t, vs16, INT16_MIN, INT16_MAX)
DEFINE_EXTREMES(u16, uint16_t, uint16_t, vs16, 0, UINT16_MAX)
DEFINE_EXTREMES(s32, int32_t, int32_t, vs32, INT32_MIN, INT32_MAX)
DEFINE_EXTREMES(u32, uint32_t, uint32_t, vs32, 0, UINT32_MAX)
DEFINE_EXTREMES(s64, int64_t, int64_t, vs64, INT64_MIN, INT64_MAX)
DEFINE_EXTREMES(u64, uint64_t, uint64_t, vs64, 0, UINT64_MAX)

void PER_ISA(bang_fill_reduce)(bangIsaTable *table) {
  table->sum[BANG_F16] = sum_f16;
  table->sum[BANG_BF16] = sum_bf16;
  table->sum[BANG_F32] = sum_f32;
  table->sum[BANG_S8] = table->sum[BANG_U8] = sum_u8;
  table->sum[BANG_S16] = table->sum[BANG_U16] = sum_u16;
  table->sum[BANG_S32] = table->sum[BANG_U32] = sum_u32;
  table->sum[BANG_S64] = table->sum[BANG_U64] = sum_u64;
#define SET_EXTREMES(code, tag, type) \
  table->argmax[code] = argmax_##tag; \
  table->argmin[code] = argmin_##tag;
  BANG_TYPE_LIST(SET_EXTREMES)
#undef SET_EXTREMES
}
