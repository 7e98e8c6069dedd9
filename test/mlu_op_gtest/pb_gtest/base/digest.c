/* SPDX-License-Identifier: MIT */
#include "base/digest.h"

#include <stdatomic.h>
#include <string.h>

#include "base/digest_lines.h"
#include "base/parallel.h"

enum { WORD = sizeof(uint64_t), DIGEST_GRAIN = 2 << 20 };

/* Multiplying the two halves mixes them, but loses one half if the other is zero; the second
 * term keeps it. */
static inline uint64_t mix(uint64_t word, uint64_t key) {
  const uint64_t mixed = word ^ key;
  return (uint64_t)(uint32_t)mixed * (mixed >> 32) + (word << 32 | word >> 32);
}

static uint64_t word_by_word(const unsigned char *bytes, uint64_t place, size_t size) {
  uint64_t sum = 0;
  for (; size >= WORD; bytes += WORD, size -= WORD) {
    uint64_t word;
    memcpy(&word, bytes, WORD);
    sum += mix(word, place++ * MLUOP_DIGEST_KEY);
  }
  uint64_t rest = 0;
  memcpy(&rest, bytes, size);
  return size ? sum + mix(rest, place * MLUOP_DIGEST_KEY) : sum;
}

#ifdef __x86_64__
/* A core reads faster from four streams than from one, and faster still with prefetches. */
enum { LINE = 64, STREAMS = 4, AHEAD = 1024 };

/* The same sum from several streams; size is a multiple of STREAMS cache lines. */
static MLUOP_FOR_AVX512 uint64_t line_by_line(const unsigned char *bytes, uint64_t place,
                                              size_t size) {
  const size_t share = size / STREAMS;
  mluopLineDigest digests[STREAMS];
  for (size_t s = 0; s < STREAMS; ++s) {
    digests[s] = mluop_line_digest_begin(place + s * share / WORD);
  }
  for (size_t at = 0; at < share; at += LINE) {
#pragma GCC unroll 4
    for (size_t s = 0; s < STREAMS; ++s) {
      const unsigned char *line = bytes + s * share + at;
      _mm_prefetch((const char *)line + AHEAD, _MM_HINT_T0);
      mluop_line_digest_add(&digests[s], _mm512_loadu_si512(line));
    }
  }
  uint64_t sum = 0;
  for (size_t s = 0; s < STREAMS; ++s) {
    sum += mluop_line_digest_end(&digests[s]);
  }
  return sum;
}

/* Two places of each array. */
static MLUOP_FOR_AVX512 bool lines_if_same(const unsigned char *bytes, const unsigned char *other,
                                           uint64_t place, size_t size, uint64_t *digest) {
  const size_t share = size / 2;
  mluopLineDigest digests[2] = {mluop_line_digest_begin(place),
                                mluop_line_digest_begin(place + share / WORD)};
  __m512i difference = _mm512_setzero_si512();
  for (size_t at = 0; at < share; at += LINE) {
#pragma GCC unroll 2
    for (size_t s = 0; s < 2; ++s) {
      const unsigned char *line = bytes + s * share + at, *wanted = other + s * share + at;
      _mm_prefetch((const char *)line + AHEAD, _MM_HINT_T0);
      _mm_prefetch((const char *)wanted + AHEAD, _MM_HINT_T0);
      const __m512i found = _mm512_loadu_si512(line);
      difference = _mm512_or_si512(difference, _mm512_xor_si512(found, _mm512_loadu_si512(wanted)));
      mluop_line_digest_add(&digests[s], found);
    }
  }
  *digest = mluop_line_digest_end(&digests[0]) + mluop_line_digest_end(&digests[1]);
  return !_mm512_test_epi64_mask(difference, difference);
}

static size_t bytes_in_lines(size_t size) {
  return __builtin_cpu_supports("avx512f") ? size / (STREAMS * LINE) * (STREAMS * LINE) : 0;
}

bool mluop_digest_part_if_same(const void *bytes, const void *other, size_t at, size_t size,
                               uint64_t *digest) {
  const unsigned char *found = bytes, *wanted = other;
  const size_t lines = bytes_in_lines(size);
  uint64_t sum = 0;
  if (memcmp(found + lines, wanted + lines, size - lines) ||
      (lines && !lines_if_same(found, wanted, at / WORD, lines, &sum))) {
    return false;
  }
  *digest += sum + word_by_word(found + lines, (at + lines) / WORD, size - lines);
  return true;
}

uint64_t mluop_digest_part(const void *bytes, size_t at, size_t size) {
  const size_t lines = bytes_in_lines(size);
  const uint64_t place = at / WORD;
  const uint64_t sum = lines ? line_by_line(bytes, place, lines) : 0;
  return sum +
         word_by_word((const unsigned char *)bytes + lines, place + lines / WORD, size - lines);
}
#else
bool mluop_digest_part_if_same(const void *bytes, const void *other, size_t at, size_t size,
                               uint64_t *digest) {
  const bool same = !memcmp(bytes, other, size);
  *digest += same ? word_by_word(bytes, at / WORD, size) : 0;
  return same;
}

uint64_t mluop_digest_part(const void *bytes, size_t at, size_t size) {
  return word_by_word(bytes, at / WORD, size);
}
#endif

typedef struct DigestJob {
  const unsigned char *bytes;
  _Atomic uint64_t sum;
} DigestJob;

static void digest_piece(void *arg, size_t piece, size_t begin, size_t end) {
  DigestJob *job = arg;
  (void)piece;
  atomic_fetch_add(&job->sum, mluop_digest_part(job->bytes + begin, begin, end - begin));
}

uint64_t mluop_digest(const void *bytes, size_t size) {
  DigestJob job = {.bytes = bytes};
  mluop_parallel_for(size, DIGEST_GRAIN, digest_piece, &job);
  return atomic_load(&job.sum);
}
