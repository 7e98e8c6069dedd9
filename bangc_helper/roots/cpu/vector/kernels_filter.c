/* SPDX-License-Identifier: MIT
 *
 * Compaction by a bit mask, and the bit mask of the nonzero elements.
 */
#include "vector/lane_bits.h"
#include "vector/lanes.h"
#include "vector/vector.h"

/* nonzero_bits_<width>(x, significant): bit i is set if any significant bit of lane i is. A float's
 * -0 counts as zero. */
#if defined(__AVX512F__)
#define NONZERO_BITS(width, epi)                                            \
  INLINE uint64_t nonzero_bits_##width(vu##width x, uint64_t significant) { \
    vu##width mask = (vu##width){0} + (uint##width##_t)significant;         \
    return _mm512_test_##epi##_mask((__m512i)x, (__m512i)mask);             \
  }
#elif defined(__ARM_NEON)
/* On other instruction sets it gives lanes of all ones or all zeros. */
#define NONZERO_BITS(width, epi)                                             \
  INLINE vu##width nonzero_mask_##width(vu##width x, uint64_t significant) { \
    return (vu##width)((x & (uint##width##_t)significant) != 0);             \
  }
#else
#define NONZERO_BITS(width, epi)                                                    \
  INLINE uint64_t nonzero_bits_##width(vu##width x, uint64_t significant) {         \
    return lane_bits_##width((vu##width)((x & (uint##width##_t)significant) != 0)); \
  }
#endif
NONZERO_BITS(8, epi8)
NONZERO_BITS(16, epi16)
NONZERO_BITS(32, epi32)
NONZERO_BITS(64, epi64)

/* nonzero_word_<width>: the bits of TOGETHER elements. */
#if defined(__ARM_NEON)
#define NONZERO_WORD(width)                                                     \
  INLINE uint64_t nonzero_word_##width(const void *src, uint64_t significant) { \
    vu##width masks[64 / N_u##width];                                           \
    for (int i = 0; i < 64 / N_u##width; i++) {                                 \
      vu##width x = load_u##width((const char *)src + i * VB);                  \
      masks[i] = nonzero_mask_##width(x, significant);                          \
    }                                                                           \
    return word_of_##width(masks);                                              \
  }
#else
#define NONZERO_WORD(width)                                                     \
  INLINE uint64_t nonzero_word_##width(const void *src, uint64_t significant) { \
    uint64_t word = 0;                                                          \
    for (int part = 0; part < TOGETHER(u##width); part += N_u##width) {         \
      vu##width x = load_u##width((const char *)src + part * S_u##width);       \
      word |= nonzero_bits_##width(x, significant) << part;                     \
    }                                                                           \
    return word;                                                                \
  }
#endif
NONZERO_WORD(8)
NONZERO_WORD(16)
NONZERO_WORD(32)
NONZERO_WORD(64)

#define DEFINE_NONZERO(name, tag, width, significant)                     \
  static void name(uint8_t *bits, const void *src, int64_t n) {           \
    const char *s = src;                                                  \
    enum { STEP = TOGETHER(tag) };                                        \
    int64_t i = 0;                                                        \
    for (; i + STEP <= n; i += STEP) {                                    \
      uint64_t word = nonzero_word_##width(s + i * S_##tag, significant); \
      memcpy(bits + i / 8, &word, STEP / 8); /* little endian */          \
    }                                                                     \
    if (i < n) {                                                          \
      unsigned char rest[STEP * S_##tag] = {0};                           \
      memcpy(rest, s + i * S_##tag, (size_t)(n - i) * S_##tag);           \
      uint64_t word = nonzero_word_##width(rest, significant);            \
      memcpy(bits + i / 8, &word, (size_t)(n - i + 7) / 8);               \
    }                                                                     \
  }
DEFINE_NONZERO(nonzero_8, u8, 8, UINT8_MAX)
DEFINE_NONZERO(nonzero_16, u16, 16, UINT16_MAX)
DEFINE_NONZERO(nonzero_32, u32, 32, UINT32_MAX)
DEFINE_NONZERO(nonzero_64, u64, 64, UINT64_MAX)
DEFINE_NONZERO(nonzero_f16, u16, 16, INT16_MAX)
DEFINE_NONZERO(nonzero_f32, u32, 32, INT32_MAX)

/* ---- compaction; dst may be src, since writing never overtakes reading ---- */

/* Elements [first, n) one at a time. */
INLINE int64_t filter_rest(char *dst, const char *src, const uint8_t *bits, int64_t first,
                           int64_t n, int64_t count, int size) {
  uint64_t wanted = ~(uint64_t)0 << first % 8;
  for (int64_t i = first - first % 8; i < n; i += 64, wanted = ~(uint64_t)0) {
    uint64_t word = 0; /* little endian */
    if (n - i >= 64) {
      memcpy(&word, bits + i / 8, sizeof word);
    } else {
      memcpy(&word, bits + i / 8, (size_t)(n - i + 7) / 8);
      wanted &= ((uint64_t)1 << (n - i)) - 1;
    }
    for (word &= wanted; word != 0; word &= word - 1) {
      memmove(dst + count++ * size, src + (i + __builtin_ctzll(word)) * size, (size_t)size);
    }
  }
  return count;
}

#if defined(__AVX512F__)

#define DEFINE_FILTER(name, size, lanes, store, load_and_compress)                  \
  static int64_t name(void *dst, const void *src, const uint8_t *bits, int64_t n) { \
    char *d = dst;                                                                  \
    const char *s = src;                                                            \
    int64_t count = 0, i = 0;                                                       \
    for (; i + lanes <= n; i += lanes) {                                            \
      uint32_t keep = 0;                                                            \
      memcpy(&keep, bits + i / 8, lanes / 8);                                       \
      const void *in = s + i * size;                                                \
      uint32_t kept = (1u << __builtin_popcount(keep)) - 1;                         \
      store(d + count * size, kept, load_and_compress);                             \
      count += __builtin_popcount(keep);                                            \
    }                                                                               \
    return filter_rest(d, s, bits, i, n, count, size);                              \
  }
#define STORE_8(p, mask, v) _mm_mask_storeu_epi8(p, (__mmask16)(mask), v)
#define STORE_16(p, mask, v) _mm256_mask_storeu_epi16(p, (__mmask16)(mask), v)
#define STORE_32(p, mask, v) _mm512_mask_storeu_epi32(p, (__mmask16)(mask), v)
#define STORE_64(p, mask, v) _mm512_mask_storeu_epi64(p, (__mmask8)(mask), v)
#define COMPRESS_32(v) _mm512_maskz_compress_epi32((__mmask16)keep, v)
DEFINE_FILTER(filter_8, 1, 16, STORE_8,
              _mm512_cvtepi32_epi8(COMPRESS_32(_mm512_cvtepu8_epi32(_mm_loadu_si128(in)))))
DEFINE_FILTER(filter_16, 2, 16, STORE_16,
              _mm512_cvtepi32_epi16(COMPRESS_32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(in)))))
DEFINE_FILTER(filter_32, 4, 16, STORE_32, COMPRESS_32(_mm512_loadu_si512(in)))
DEFINE_FILTER(filter_64, 8, 8, STORE_64,
              _mm512_maskz_compress_epi64((__mmask8)keep, _mm512_loadu_si512(in)))

/* Processors with VBMI2 compact 8- and 16-bit elements without widening them. */
#define WITH_VBMI2 __attribute__((target("avx512vbmi2")))
#define DEFINE_NARROW_FILTER(name, size, bits_type, epi)                                       \
  WITH_VBMI2 static int64_t name(void *dst, const void *src, const uint8_t *bits, int64_t n) { \
    enum { LANES_OF = VB / size };                                                             \
    char *d = dst;                                                                             \
    const char *s = src;                                                                       \
    int64_t count = 0, i = 0;                                                                  \
    for (; i + LANES_OF <= n; i += LANES_OF) {                                                 \
      bits_type keep;                                                                          \
      memcpy(&keep, bits + i / 8, sizeof keep);                                                \
      int kept = __builtin_popcountll(keep);                                                   \
      bits_type first = kept == 0 ? 0 : (bits_type)(~(uint64_t)0 >> (64 - kept));              \
      __m512i moved = _mm512_maskz_compress_##epi(keep, _mm512_loadu_si512(s + i * size));     \
      _mm512_mask_storeu_##epi(d + count * size, first, moved);                                \
      count += kept;                                                                           \
    }                                                                                          \
    return filter_rest(d, s, bits, i, n, count, size);                                         \
  }
DEFINE_NARROW_FILTER(filter_8_vbmi2, 1, uint64_t, epi8)
DEFINE_NARROW_FILTER(filter_16_vbmi2, 2, uint32_t, epi16)

static void prepare(bangIsaTable *table) {
  if (__builtin_cpu_supports("avx512vbmi2")) {
    table->filter[0] = filter_8_vbmi2;
    table->filter[1] = filter_16_vbmi2;
  }
}

#elif defined(__AVX2__)

/* For every mask byte: the indices of the kept ones of eight elements, in order. Lanes past the
 * count repeat lane 0. */
static uint8_t order[256][8];

static void prepare(bangIsaTable *table) {
  (void)table;
  for (int mask = 0; mask < 256; mask++) {
    int count = 0;
    for (int lane = 0; lane < 8; lane++) {
      if (mask >> lane & 1) {
        order[mask][count++] = (uint8_t)lane;
      }
    }
  }
}

/* Compacts eight elements, then writes only the kept ones. */
static int64_t filter_32(void *dst, const void *src, const uint8_t *bits, int64_t n) {
  char *d = dst;
  const char *s = src;
  int64_t count = 0, i = 0;
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (; i + 8 <= n; i += 8) {
    unsigned keep = bits[i >> 3];
    int kept = __builtin_popcount(keep);
    __m256i index = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)order[keep]));
    __m256i moved =
        _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(s + i * 4)), index);
    _mm256_maskstore_epi32((int *)(void *)(d + count * 4),
                           _mm256_cmpgt_epi32(_mm256_set1_epi32(kept), lane), moved);
    count += kept;
  }
  return filter_rest(d, s, bits, i, n, count, 4);
}

static int64_t filter_16(void *dst, const void *src, const uint8_t *bits, int64_t n) {
  char *d = dst;
  const char *s = src;
  int64_t count = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    unsigned keep = bits[i >> 3];
    int kept = __builtin_popcount(keep);
    __m128i lanes = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)order[keep]));
    /* bytes 2k and 2k + 1 of element k */
    __m128i bytes =
        _mm_add_epi16(_mm_mullo_epi16(lanes, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));
    uint16_t moved[8];
    _mm_storeu_si128((__m128i *)moved,
                     _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(s + i * 2)), bytes));
    memcpy(d + count * 2, moved, (size_t)kept * 2);
    count += kept;
  }
  return filter_rest(d, s, bits, i, n, count, 2);
}

static int64_t filter_8(void *dst, const void *src, const uint8_t *bits, int64_t n) {
  return filter_rest(dst, src, bits, 0, n, 0, 1);
}
static int64_t filter_64(void *dst, const void *src, const uint8_t *bits, int64_t n) {
  return filter_rest(dst, src, bits, 0, n, 0, 8);
}

#elif defined(__ARM_NEON)

/* Shuffles. For every mask byte: the byte positions of the kept ones of eight 16-bit elements, in
 * order, and their number. For every half byte: the same for four 32-bit elements. */
static uint8_t order_16[256][16], order_32[16][16];
static uint8_t kept_16[256], kept_32[16];

static uint8_t set_order(uint8_t *order, unsigned mask, int size) {
  int count = 0;
  for (int lane = 0; lane < 16 / size; lane++) {
    for (int byte = 0; byte < size && (mask >> lane & 1); byte++) {
      order[count++] = (uint8_t)(lane * size + byte);
    }
  }
  return (uint8_t)(count / size);
}

static void prepare(bangIsaTable *table) {
  (void)table;
  for (unsigned mask = 0; mask < 256; mask++) {
    kept_16[mask] = set_order(order_16[mask], mask, 2);
  }
  for (unsigned mask = 0; mask < 16; mask++) {
    kept_32[mask] = set_order(order_32[mask], mask, 4);
  }
}

/* Stores whole vectors while later elements will overwrite the excess, so nothing after the last
 * kept element is touched. All vectors of a mask word are processed without looking at its bits,
 * because mispredicted branches take longer, unless only one of `rare` elements is kept. */
#define DEFINE_FILTER(name, width, rare)                                                   \
  INLINE int64_t move_##width(uint8_t *dst, const uint8_t *src, unsigned keep) {           \
    vst1q_u8(dst, vqtbl1q_u8(vld1q_u8(src), vld1q_u8(order_##width[keep])));               \
    return kept_##width[keep];                                                             \
  }                                                                                        \
  static int64_t name(void *dst, const void *src, const uint8_t *bits, int64_t n) {        \
    enum { SIZE = width / 8, LANES_OF = VB / SIZE, KEEP_ALL = (1 << LANES_OF) - 1 };       \
    uint8_t *d = dst;                                                                      \
    const uint8_t *s = src;                                                                \
    const int64_t number = number_set(bits, n), last = number - LANES_OF;                  \
    if (number * rare <= n) return filter_rest(dst, src, bits, 0, n, 0, SIZE);             \
    int64_t count = 0, i = 0;                                                              \
    uint64_t word;                                                                         \
    for (; i + 64 <= n; i += 64) {                                                         \
      memcpy(&word, bits + i / 8, sizeof word);                                            \
      if (count + __builtin_popcountll(word) > last) break;                                \
      if (word == 0) continue;                                                             \
      for (int k = 0; k < 64; k += LANES_OF) {                                             \
        count += move_##width(d + count * SIZE, s + (i + k) * SIZE, word >> k & KEEP_ALL); \
      }                                                                                    \
    }                                                                                      \
    for (; i + LANES_OF <= n && count <= last; i += LANES_OF) {                            \
      const unsigned keep = bits[i / 8] >> i % 8 & KEEP_ALL;                               \
      count += move_##width(d + count * SIZE, s + i * SIZE, keep);                         \
    }                                                                                      \
    return filter_rest((char *)d, (const char *)s, bits, i, n, count, SIZE);               \
  }
DEFINE_FILTER(filter_16, 16, 48)
DEFINE_FILTER(filter_32, 32, 12)

static int64_t filter_8(void *dst, const void *src, const uint8_t *bits, int64_t n) {
  return filter_rest(dst, src, bits, 0, n, 0, 1);
}
static int64_t filter_64(void *dst, const void *src, const uint8_t *bits, int64_t n) {
  return filter_rest(dst, src, bits, 0, n, 0, 8);
}

#else

#define DEFINE_FILTER(name, size)                                                   \
  static int64_t name(void *dst, const void *src, const uint8_t *bits, int64_t n) { \
    return filter_rest(dst, src, bits, 0, n, 0, size);                              \
  }
DEFINE_FILTER(filter_8, 1)
DEFINE_FILTER(filter_16, 2)
DEFINE_FILTER(filter_32, 4)
DEFINE_FILTER(filter_64, 8)

static void prepare(bangIsaTable *table) {
  (void)table;
}

#endif

void PER_ISA(bang_fill_filter)(bangIsaTable *table) {
  table->filter[0] = filter_8;
  table->filter[1] = filter_16;
  table->filter[2] = filter_32;
  table->filter[3] = filter_64;
  prepare(table);
  table->nonzero[BANG_F16] = nonzero_f16;
  table->nonzero[BANG_BF16] = nonzero_f16;
  table->nonzero[BANG_F32] = nonzero_f32;
  table->nonzero[BANG_S8] = table->nonzero[BANG_U8] = nonzero_8;
  table->nonzero[BANG_S16] = table->nonzero[BANG_U16] = nonzero_16;
  table->nonzero[BANG_S32] = table->nonzero[BANG_U32] = nonzero_32;
  table->nonzero[BANG_S64] = table->nonzero[BANG_U64] = nonzero_64;
}
