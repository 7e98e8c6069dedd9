/* SPDX-License-Identifier: MIT
 *
 * Two operations on floats in one pass over memory; each of them rounds. dst may be any of the
 * operands.
 */
#include "vector/lanes.h"
#include "vector/vector.h"

/* An operand: an array element, or one number for all elements. */
#define EACH(p, same) load_f32((p) + at)
#define SAME(p, same) (same)

/* (a first b) second c for AT_ONCE vectors. All are read before the first is written. */
#define FUSE_VECTORS(count, operand_b, operand_c, first, second) \
  for (; i + (count)*LANES <= n; i += (count)*LANES) {           \
    vf results[count];                                           \
    for (int k = 0; k < (count); k++) {                          \
      const int64_t at = i + k * LANES;                          \
      vf x = first(load_f32(a + at), operand_b(b, same_b));      \
      results[k] = second(x, operand_c(c, same_c));              \
    }                                                            \
    for (int k = 0; k < (count); k++) {                          \
      store_f32(dst + i + k * LANES, results[k]);                \
    }                                                            \
  }

/* The remainder that does not fill a vector goes through padded copies. */
#define DEFINE_FUSION_FORM(name, operand_b, operand_c, step_b, step_c, first, second) \
  LOOP name(float *dst, const float *a, const float *b, const float *c, int64_t n) {  \
    const vf same_b = splat_f(*b), same_c = splat_f(*c);                              \
    int64_t i = 0;                                                                    \
    (void)same_b, (void)same_c;                                                       \
    FUSE_VECTORS(AT_ONCE, operand_b, operand_c, first, second)                        \
    FUSE_VECTORS(1, operand_b, operand_c, first, second)                              \
    if (i < n) {                                                                      \
      float x[LANES] = {0}, y[LANES] = {0}, z[LANES] = {0};                           \
      const size_t bytes = (size_t)(n - i) * sizeof(float);                           \
      memcpy(x, a + i, bytes);                                                        \
      memcpy(y, b + i * step_b, step_b ? bytes : sizeof(float));                      \
      memcpy(z, c + i * step_c, step_c ? bytes : sizeof(float));                      \
      name(x, x, y, z, LANES);                                                        \
      memcpy(dst + i, x, bytes);                                                      \
    }                                                                                 \
  }

/* One version for each combination of scalar operands. */
#define DEFINE_FUSION(name, first, second)                                                      \
  DEFINE_FUSION_FORM(name##_vv, EACH, EACH, 1, 1, first, second)                                \
  DEFINE_FUSION_FORM(name##_sv, SAME, EACH, 0, 1, first, second)                                \
  DEFINE_FUSION_FORM(name##_vs, EACH, SAME, 1, 0, first, second)                                \
  DEFINE_FUSION_FORM(name##_ss, SAME, SAME, 0, 0, first, second)                                \
  static void name(float *dst, const float *a, const float *b, int b_is_scalar, const float *c, \
                   int c_is_scalar, int64_t n) {                                                \
    /* dst may overlap a scalar */                                                              \
    float b_value = *b, c_value = *c;                                                           \
    if (b_is_scalar && c_is_scalar)                                                             \
      name##_ss(dst, a, &b_value, &c_value, n);                                                 \
    else if (b_is_scalar)                                                                       \
      name##_sv(dst, a, &b_value, c, n);                                                        \
    else if (c_is_scalar)                                                                       \
      name##_vs(dst, a, b, &c_value, n);                                                        \
    else                                                                                        \
      name##_vv(dst, a, b, c, n);                                                               \
  }

DEFINE_FUSION(mul_add, mul_f, add_f)
DEFINE_FUSION(mul_sub, mul_f, sub_f)
DEFINE_FUSION(add_mul, add_f, mul_f)
DEFINE_FUSION(sub_mul, sub_f, mul_f)
DEFINE_FUSION(add_add, add_f, add_f)
DEFINE_FUSION(add_sub, add_f, sub_f)
DEFINE_FUSION(sub_sub, sub_f, sub_f)
DEFINE_FUSION(sub_add, sub_f, add_f)

void PER_ISA(bang_fill_fusion)(bangIsaTable *table) {
  /* In the order of mluFusionOpCode. */
  bangFusionFn const all[] = {mul_add, mul_sub, add_mul, sub_mul,
                              add_add, add_sub, sub_sub, sub_add};
  memcpy(table->fusion, all, sizeof all);
}
