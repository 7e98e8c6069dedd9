/* SPDX-License-Identifier: MIT
 *
 * The sum of base/digest.h while lines of 64 bytes are in registers. For files compiled for any
 * x86-64, in functions compiled for AVX-512. */
#ifndef MLUOP_TEST_BASE_DIGEST_LINES_H_
#define MLUOP_TEST_BASE_DIGEST_LINES_H_

#include <stdint.h>

/* Odd, without a pattern: words in different places get different keys. */
#define MLUOP_DIGEST_KEY UINT64_C(0x9E3779B97F4A7C15)

#ifdef __x86_64__
#include <immintrin.h>

#define MLUOP_FOR_AVX512 __attribute__((target("avx512f")))

typedef struct mluopLineDigest {
  __m512i sum, keys;
} mluopLineDigest;

/* `place`: number of the first line's first word. */
static inline MLUOP_FOR_AVX512 mluopLineDigest mluop_line_digest_begin(uint64_t place) {
  uint64_t keys[8];
  for (uint64_t i = 0; i < 8; ++i) {
    keys[i] = (place + i) * MLUOP_DIGEST_KEY;
  }
  return (mluopLineDigest){_mm512_setzero_si512(), _mm512_loadu_si512(keys)};
}

static inline MLUOP_FOR_AVX512 void mluop_line_digest_add(mluopLineDigest *digest, __m512i line) {
  const __m512i mixed = _mm512_xor_si512(line, digest->keys);
  const __m512i product = _mm512_mul_epu32(mixed, _mm512_srli_epi64(mixed, 32));
  digest->sum =
      _mm512_add_epi64(digest->sum, _mm512_add_epi64(product, _mm512_ror_epi64(line, 32)));
  digest->keys =
      _mm512_add_epi64(digest->keys, _mm512_set1_epi64((long long)(8 * MLUOP_DIGEST_KEY)));
}

static inline MLUOP_FOR_AVX512 uint64_t mluop_line_digest_end(const mluopLineDigest *digest) {
  uint64_t words[8], sum = 0;
  _mm512_storeu_si512(words, digest->sum);
  for (int i = 0; i < 8; ++i) {
    sum += words[i];
  }
  return sum;
}
#endif

#endif /* MLUOP_TEST_BASE_DIGEST_LINES_H_ */
