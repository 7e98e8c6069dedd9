/* SPDX-License-Identifier: MIT
 *
 * Comparisons whose result is wanted as bits, and counting bits.
 */
#include "vector/lane_bits.h"
#include "vector/lanes.h"
#include "vector/vector.h"

/* bits_<op>_<tag>(a, b): bit i = lane i of a op b. AVX-512 compares into a mask of bits; compilers
 * do not see that through a vector of ones and zeros. */
#if defined(__AVX512F__)
#define FLOAT_BITS(op, tag, expression, predicate)              \
  INLINE uint64_t bits_##op##_##tag(vf a, vf b) {               \
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, predicate); \
  }
#define INT_BITS(op, tag, width, expression, instruction)   \
  INLINE uint64_t bits_##op##_##tag(V_##tag a, V_##tag b) { \
    return instruction((__m512i)a, (__m512i)b);             \
  }
#elif defined(__ARM_NEON)
/* There it is mask_<op>_<tag>(a, b): lanes of ones and zeros. */
#define FLOAT_BITS(op, tag, expression, predicate) \
  INLINE vu32 mask_##op##_##tag(vf a, vf b) {      \
    return (vu32)(expression);                     \
  }
#define INT_BITS(op, tag, width, expression, instruction)    \
  INLINE vu##width mask_##op##_##tag(V_##tag a, V_##tag b) { \
    return (vu##width)(expression);                          \
  }
#else
#define FLOAT_BITS(op, tag, expression, predicate) \
  INLINE uint64_t bits_##op##_##tag(vf a, vf b) {  \
    return lane_bits_32((vu32)(expression));       \
  }
#define INT_BITS(op, tag, width, expression, instruction)   \
  INLINE uint64_t bits_##op##_##tag(V_##tag a, V_##tag b) { \
    return lane_bits_##width((vu##width)(expression));      \
  }
#endif

/* word_<op>_<tag>: the bits of TOGETHER(tag) elements. */
#if defined(__ARM_NEON)
#define DEFINE_WORD(op, tag, width)                                                           \
  INLINE uint64_t word_##op##_##tag(const char *p, const char *q, int is_scalar, V_##tag y) { \
    vu##width masks[64 / N_##tag];                                                            \
    for (int part = 0; part < 64; part += N_##tag) {                                          \
      V_##tag x = load_##tag(p + part * S_##tag);                                             \
      masks[part / N_##tag] =                                                                 \
          mask_##op##_##tag(x, is_scalar ? y : load_##tag(q + part * S_##tag));               \
    }                                                                                         \
    return word_of_##width(masks);                                                            \
  }
#else
#define DEFINE_WORD(op, tag, width)                                                           \
  INLINE uint64_t word_##op##_##tag(const char *p, const char *q, int is_scalar, V_##tag y) { \
    uint64_t word = 0;                                                                        \
    for (int part = 0; part < TOGETHER(tag); part += N_##tag) {                               \
      V_##tag x = load_##tag(p + part * S_##tag);                                             \
      word |= bits_##op##_##tag(x, is_scalar ? y : load_##tag(q + part * S_##tag)) << part;   \
    }                                                                                         \
    return word;                                                                              \
  }
#endif

/* What does not fill a word goes through zero-padded copies, and the bits behind n are cleared. */
#define DEFINE_COMPARE(op, tag, width)                                                             \
  DEFINE_WORD(op, tag, width)                                                                      \
  INLINE void compare_all_##op##_##tag(uint8_t *bits, const char *p, const char *q, int is_scalar, \
                                       int64_t n) {                                                \
    enum { STEP = TOGETHER(tag) };                                                                 \
    V_##tag y = {0};                                                                               \
    if (is_scalar) y = broadcast_##tag(q);                                                         \
    int64_t i = 0;                                                                                 \
    for (; i + STEP <= n; i += STEP) {                                                             \
      uint64_t word = word_##op##_##tag(p + i * S_##tag, q + i * S_##tag, is_scalar, y);           \
      memcpy(bits + i / 8, &word, STEP / 8); /* little endian */                                   \
    }                                                                                              \
    if (i < n) {                                                                                   \
      unsigned char rest_p[STEP * S_##tag] = {0}, rest_q[STEP * S_##tag] = {0};                    \
      memcpy(rest_p, p + i * S_##tag, (size_t)(n - i) * S_##tag);                                  \
      if (!is_scalar) memcpy(rest_q, q + i * S_##tag, (size_t)(n - i) * S_##tag);                  \
      uint64_t word = word_##op##_##tag((char *)rest_p, (char *)rest_q, is_scalar, y);             \
      word &= ((uint64_t)1 << (n - i)) - 1;                                                        \
      memcpy(bits + i / 8, &word, (size_t)(n - i + 7) / 8);                                        \
    }                                                                                              \
  }                                                                                                \
  static void compare_##op##_##tag(uint8_t *bits, const void *a, const void *b, int is_scalar,     \
                                   int64_t n) {                                                    \
    if (is_scalar) {                                                                               \
      compare_all_##op##_##tag(bits, a, b, 1, n);                                                  \
    } else {                                                                                       \
      compare_all_##op##_##tag(bits, a, b, 0, n);                                                  \
    }                                                                                              \
  }

#define FLOAT_COMPARES(tag)                \
  FLOAT_BITS(eq, tag, a == b, _CMP_EQ_OQ)  \
  FLOAT_BITS(ne, tag, a != b, _CMP_NEQ_UQ) \
  FLOAT_BITS(lt, tag, a < b, _CMP_LT_OQ)   \
  FLOAT_BITS(le, tag, a <= b, _CMP_LE_OQ)  \
  FLOAT_BITS(gt, tag, a > b, _CMP_GT_OQ)   \
  FLOAT_BITS(ge, tag, a >= b, _CMP_GE_OQ)  \
  DEFINE_COMPARES(tag, 32)
#define INT_COMPARES(tag, width, suffix)                          \
  INT_BITS(eq, tag, width, a == b, _mm512_cmpeq_##suffix##_mask)  \
  INT_BITS(ne, tag, width, a != b, _mm512_cmpneq_##suffix##_mask) \
  INT_BITS(lt, tag, width, a < b, _mm512_cmplt_##suffix##_mask)   \
  INT_BITS(le, tag, width, a <= b, _mm512_cmple_##suffix##_mask)  \
  INT_BITS(gt, tag, width, a > b, _mm512_cmpgt_##suffix##_mask)   \
  INT_BITS(ge, tag, width, a >= b, _mm512_cmpge_##suffix##_mask)  \
  DEFINE_COMPARES(tag, width)
#define DEFINE_COMPARES(tag, width) \
  DEFINE_COMPARE(eq, tag, width)    \
  DEFINE_COMPARE(ne, tag, width)    \
  DEFINE_COMPARE(lt, tag, width)    \
  DEFINE_COMPARE(le, tag, width)    \
  DEFINE_COMPARE(gt, tag, width)    \
  DEFINE_COMPARE(ge, tag, width)
FLOAT_COMPARES(f16)
FLOAT_COMPARES(bf16)
FLOAT_COMPARES(f32)
INT_COMPARES(s8, 8, epi8)
INT_COMPARES(u8, 8, epu8)
INT_COMPARES(s16, 16, epi16)
INT_COMPARES(u16, 16, epu16)
INT_COMPARES(s32, 32, epi32)
INT_COMPARES(u32, 32, epu32)
INT_COMPARES(s64, 64, epi64)
INT_COMPARES(u64, 64, epu64)

/* A file of its own per instruction set also brings the instruction that counts bits. */
static uint32_t count_bits(const uint8_t *bits, int64_t n) {
  return number_set(bits, n);
}

void PER_ISA(bang_fill_bits)(bangIsaTable *table) {
#define SET_COMPARES(code, tag, type)                    \
  table->compare_bits[BANG_EQ][code] = compare_eq_##tag; \
  table->compare_bits[BANG_NE][code] = compare_ne_##tag; \
  table->compare_bits[BANG_LT][code] = compare_lt_##tag; \
  table->compare_bits[BANG_LE][code] = compare_le_##tag; \
  table->compare_bits[BANG_GT][code] = compare_gt_##tag; \
  table->compare_bits[BANG_GE][code] = compare_ge_##tag;
  BANG_TYPE_LIST(SET_COMPARES)
#undef SET_COMPARES
  table->count_bits = count_bits;
}
