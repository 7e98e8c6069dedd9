/* SPDX-License-Identifier: MIT
 *
 * Comparisons with a bit mask as result, and counting bits.
 */
#include "vector/lane_bits.h"
#include "vector/lanes.h"
#include "vector/vector.h"

/* bits_<op>_<tag>(a, b): bit i = lane i of a op b. AVX-512 compares into a bit mask, which
 * compilers do not generate from vectors of ones and zeros. */
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
/* On other instruction sets mask_<op>_<tag>(a, b) gives lanes of all ones or all zeros. */
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

/* The bits of TOGETHER(tag) elements starting at p. `test` is IS(...) of x, the vector of the
 * elements starting at `part`. */
#if defined(__ARM_NEON)
#define IS(op, tag, a, b) mask_##op##_##tag(a, b)
#define MAKE_WORD(tag, width, test)                \
  vu##width masks[64 / N_##tag];                   \
  for (int part = 0; part < 64; part += N_##tag) { \
    V_##tag x = load_##tag(p + part * S_##tag);    \
    masks[part / N_##tag] = test;                  \
  }                                                \
  return word_of_##width(masks);
#else
#define IS(op, tag, a, b) bits_##op##_##tag(a, b)
#define MAKE_WORD(tag, width, test)                           \
  uint64_t word = 0;                                          \
  for (int part = 0; part < TOGETHER(tag); part += N_##tag) { \
    V_##tag x = load_##tag(p + part * S_##tag);               \
    word |= (test) << part;                                   \
  }                                                           \
  return word;
#endif

/* Writes the bits of n elements. `word` is an expression of the elements at x_at and, where
 * is_scalar is 0, at y_at. A partial word goes through zero-padded copies, and the bits after n are
 * cleared. */
#define WRITE_WORDS(tag, word)                                                     \
  enum { STEP = TOGETHER(tag) };                                                   \
  int64_t i = 0;                                                                   \
  for (; i + STEP <= n; i += STEP) {                                               \
    const char *x_at = p + i * S_##tag, *y_at = q + (is_scalar ? 0 : i) * S_##tag; \
    const uint64_t whole = word;                                                   \
    memcpy(bits + i / 8, &whole, STEP / 8); /* little endian */                    \
    (void)y_at;                                                                    \
  }                                                                                \
  if (i < n) {                                                                     \
    char x_at[STEP * S_##tag] = {0}, y_at[STEP * S_##tag] = {0};                   \
    memcpy(x_at, p + i * S_##tag, (size_t)(n - i) * S_##tag);                      \
    if (!is_scalar) memcpy(y_at, q + i * S_##tag, (size_t)(n - i) * S_##tag);      \
    const uint64_t rest = (word) & (((uint64_t)1 << (n - i)) - 1);                 \
    memcpy(bits + i / 8, &rest, (size_t)(n - i + 7) / 8);                          \
  }

#define DEFINE_COMPARE_ALL(op, tag, width)                                                     \
  INLINE uint64_t word_##op##_##tag(const char *p, const char *q, int is_scalar,               \
                                    V_##tag y){MAKE_WORD(                                      \
      tag, width, IS(op, tag, x, is_scalar ? y : load_##tag(q + part * S_##tag)))} INLINE void \
      compare_all_##op##_##tag(uint8_t *bits, const char *p, const char *q, int is_scalar,     \
                               int64_t n) {                                                    \
    V_##tag y = {0};                                                                           \
    if (is_scalar) y = broadcast_##tag(q);                                                     \
    WRITE_WORDS(tag, word_##op##_##tag(x_at, y_at, is_scalar, y))                              \
  }
#define DEFINE_COMPARE(op, tag, width)                                                         \
  DEFINE_COMPARE_ALL(op, tag, width)                                                           \
  static void compare_##op##_##tag(uint8_t *bits, const void *a, const void *b, int is_scalar, \
                                   int64_t n) {                                                \
    if (is_scalar) {                                                                           \
      compare_all_##op##_##tag(bits, a, b, 1, n);                                              \
    } else {                                                                                   \
      compare_all_##op##_##tag(bits, a, b, 0, n);                                              \
    }                                                                                          \
  }

#define FLOAT_TESTS(tag)                                 \
  FLOAT_BITS(eq, tag, a == b, _CMP_EQ_OQ)                \
  FLOAT_BITS(ne, tag, a != b, _CMP_NEQ_UQ)               \
  FLOAT_BITS(lt, tag, a < b, _CMP_LT_OQ)                 \
  FLOAT_BITS(le, tag, a <= b, _CMP_LE_OQ)                \
  FLOAT_BITS(gt, tag, a > b, _CMP_GT_OQ)                 \
  FLOAT_BITS(ge, tag, a >= b, _CMP_GE_OQ)                \
  FLOAT_BITS(equ, tag, ~((a < b) | (a > b)), _CMP_EQ_UQ) \
  FLOAT_BITS(ltu, tag, ~(a >= b), _CMP_NGE_UQ)           \
  FLOAT_BITS(leu, tag, ~(a > b), _CMP_NGT_UQ)            \
  FLOAT_BITS(gtu, tag, ~(a <= b), _CMP_NLE_UQ)           \
  FLOAT_BITS(geu, tag, ~(a < b), _CMP_NLT_UQ)            \
  DEFINE_COMPARE(equ, tag, 32)                           \
  DEFINE_COMPARE(ltu, tag, 32)                           \
  DEFINE_COMPARE(leu, tag, 32)                           \
  DEFINE_COMPARE(gtu, tag, 32)                           \
  DEFINE_COMPARE(geu, tag, 32)
#define FLOAT_COMPARES(tag) \
  FLOAT_TESTS(tag)          \
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
FLOAT_COMPARES(f32)
INT_COMPARES(s8, 8, epi8)
INT_COMPARES(u8, 8, epu8)
INT_COMPARES(s16, 16, epi16)
INT_COMPARES(u16, 16, epu16)
INT_COMPARES(s32, 32, epi32)
INT_COMPARES(u32, 32, epu32)
INT_COMPARES(s64, 64, epi64)
INT_COMPARES(u64, 64, epu64)

/* ---- 16-bit floats compared with one number ----
 *
 * The floats for which a comparison holds form a set of bit patterns: either one range, or all up
 * to `first` as signed integers plus all up to `second` as unsigned integers, because the NaNs of
 * each sign lie between. So the 16-bit patterns are compared directly, twice as many at once as in
 * 32-bit lanes. */

typedef struct SmallFloats {
  int is_range;           /* a range: `first` and the next `second` patterns */
  uint16_t first, second; /* otherwise: the largest pattern as signed and as unsigned integer */
  int are_others;         /* true: the complement of the set */
} SmallFloats;

static SmallFloats up_to(uint16_t as_signed, uint16_t as_unsigned) {
  return (SmallFloats){0, as_signed, as_unsigned, 0};
}
static SmallFloats from_to(int first, int last) {
  if (first > last) return up_to(0xffff, 0); /* empty set */
  return (SmallFloats){1, (uint16_t)first, (uint16_t)(last - first), 0};
}

/* The set of all x with x op number. */
static SmallFloats small_floats(int op, uint16_t number, uint16_t infinity) {
  const uint16_t minus_infinity = infinity | 0x8000, magnitude = number & 0x7fff;
  const int is_negative = number > 0x8000, is_zero = magnitude == 0;
  SmallFloats set = up_to(0xffff, 0);
  if (magnitude > infinity) {
    set.are_others = op == BANG_NE;
    return set;
  }
  switch (op) {
    case BANG_EQ:
    case BANG_NE:
      set = is_zero ? up_to(0, 0x8000) : from_to(number, number);
      set.are_others = op == BANG_NE;
      return set;
    case BANG_LT:
      if (is_zero) return from_to(0x8001, minus_infinity);
      return is_negative ? from_to(number + 1, minus_infinity) : up_to(number - 1, minus_infinity);
    case BANG_LE:
      return is_negative ? from_to(number, minus_infinity) : up_to(magnitude, minus_infinity);
    case BANG_GT:
      return is_negative ? up_to(infinity, number - 1) : from_to(magnitude + 1, infinity);
    default: /* GE */
      if (is_zero) return up_to(infinity, 0x8000);
      return is_negative ? up_to(infinity, number) : from_to(number, infinity);
  }
}

INLINE uint64_t word_in_range(const char *p, vu16 first, vu16 more){
    MAKE_WORD(u16, 16, IS(le, u16, x - first, more))} INLINE uint64_t
    word_beyond(const char *p, vu16 as_signed, vu16 as_unsigned) {
  MAKE_WORD(u16, 16, IS(gt, s16, (vs16)x, (vs16)as_signed) | IS(gt, u16, x, as_unsigned))
}

#if defined(__ARM_NEON)
/* One of the two limits is usually infinity, and only NaNs of one sign lie beyond it. So this
 * compares with the other limit only, and checks the maximum of all elements against infinity at
 * the end: one comparison and a maximum cost less than two comparisons combined. Returns how many
 * elements have their bits; 0 if it found such NaNs. */
INLINE int64_t find_up_to(uint8_t *bits, const char *p, SmallFloats set, int is_signed, int64_t n) {
  enum { WORD = 64, VECTORS = WORD / N_u16, SIDE_BY_SIDE = 4 };
  const uint16_t compared = is_signed ? set.first : set.second;
  const vu16 limit = (vu16){0} + compared;
  vu16 most[SIDE_BY_SIDE] = {{0}}; /* several, since each maximum waits for the one before */
  int64_t i = 0;
  for (; i + 2 * WORD <= n; i += 2 * WORD) {
    uint8x16_t halves[2];
    for (int half = 0; half < 2; half++) {
      vu16 masks[VECTORS];
      for (int k = 0; k < VECTORS; k++) {
        const vu16 x = load_u16(p + (i + half * WORD + k * N_u16) * S_u16);
        vu16 *so_far = &most[k % SIDE_BY_SIDE];
        masks[k] = is_signed ? IS(le, s16, (vs16)x, (vs16)limit) : IS(le, u16, x, limit);
        *so_far = is_signed ? (vu16)vmaxq_u16((uint16x8_t)*so_far, (uint16x8_t)x)
                            : (vu16)vmaxq_s16((int16x8_t)*so_far, (int16x8_t)x);
      }
      halves[half] = halves_of_16(masks);
    }
    vst1q_u8(bits + i / 8, vpaddq_u8(halves[0], halves[1]));
  }
  int is_beyond = 0;
  for (int k = 0; k < SIDE_BY_SIDE; k++) {
    is_beyond |= is_signed ? vmaxvq_u16((uint16x8_t)most[k]) > set.second
                           : vmaxvq_s16((int16x8_t)most[k]) > (int16_t)set.first;
  }
  return is_beyond ? 0 : i;
}

static int64_t find_without_nans(uint8_t *bits, const char *p, SmallFloats set, uint16_t infinity,
                                 int64_t n) {
  /* If NaNs are found at the end, the elements are needed again, so bits must not overwrite them.
   */
  const uintptr_t to = (uintptr_t)bits, from = (uintptr_t)p;
  const int is_in_place = to < from + (uintptr_t)n * S_u16 && from < to + (uintptr_t)(n + 7) / 8;
  if (set.is_range || set.are_others || is_in_place) return 0;
  if (set.second == (infinity | 0x8000)) return find_up_to(bits, p, set, 1, n);
  return set.first == infinity ? find_up_to(bits, p, set, 0, n) : 0;
}
#else
/* AVX-512 combines two comparisons as bits, which is cheap. */
static int64_t find_without_nans(uint8_t *bits, const char *p, SmallFloats set, uint16_t infinity,
                                 int64_t n) {
  (void)bits, (void)p, (void)set, (void)infinity, (void)n;
  return 0;
}
#endif

static void find_small_floats(uint8_t *bits, const char *p, SmallFloats set, uint16_t infinity,
                              int64_t n) {
  const int64_t done = find_without_nans(bits, p, set, infinity, n);
  bits += done / 8;
  p += done * S_u16;
  n -= done;
  const vu16 first = (vu16){0} + set.first, second = (vu16){0} + set.second;
  const char *q = NULL;
  const int is_scalar = 1;
  if (set.is_range) {
    const uint64_t others = set.are_others ? ~(uint64_t)0 : 0;
    WRITE_WORDS(u16, word_in_range(x_at, first, second) ^ others)
  } else {
    const uint64_t others = set.are_others ? 0 : ~(uint64_t)0;
    WRITE_WORDS(u16, word_beyond(x_at, first, second) ^ others)
  }
}

#define DEFINE_SMALL_COMPARE(op, code, tag, infinity)                                          \
  DEFINE_COMPARE_ALL(op, tag, 32)                                                              \
  static void compare_##op##_##tag(uint8_t *bits, const void *a, const void *b, int is_scalar, \
                                   int64_t n) {                                                \
    if (is_scalar) {                                                                           \
      uint16_t number;                                                                         \
      memcpy(&number, b, sizeof number);                                                       \
      find_small_floats(bits, a, small_floats(code, number, infinity), infinity, n);           \
    } else {                                                                                   \
      compare_all_##op##_##tag(bits, a, b, 0, n);                                              \
    }                                                                                          \
  }
#define SMALL_FLOAT_COMPARES(tag, infinity)        \
  FLOAT_TESTS(tag)                                 \
  DEFINE_SMALL_COMPARE(eq, BANG_EQ, tag, infinity) \
  DEFINE_SMALL_COMPARE(ne, BANG_NE, tag, infinity) \
  DEFINE_SMALL_COMPARE(lt, BANG_LT, tag, infinity) \
  DEFINE_SMALL_COMPARE(le, BANG_LE, tag, infinity) \
  DEFINE_SMALL_COMPARE(gt, BANG_GT, tag, infinity) \
  DEFINE_SMALL_COMPARE(ge, BANG_GE, tag, infinity)
SMALL_FLOAT_COMPARES(f16, 0x7c00)
SMALL_FLOAT_COMPARES(bf16, 0x7f80)

/* Compiling this per instruction set also gives access to the bit-count instruction. */
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
#define SET_UNORDERED(code, tag)                           \
  table->compare_bits[BANG_EQU][code] = compare_equ_##tag; \
  table->compare_bits[BANG_LTU][code] = compare_ltu_##tag; \
  table->compare_bits[BANG_LEU][code] = compare_leu_##tag; \
  table->compare_bits[BANG_GTU][code] = compare_gtu_##tag; \
  table->compare_bits[BANG_GEU][code] = compare_geu_##tag;
  SET_UNORDERED(BANG_F16, f16)
  SET_UNORDERED(BANG_BF16, bf16)
  SET_UNORDERED(BANG_F32, f32)
#undef SET_UNORDERED
  table->count_bits = count_bits;
}
