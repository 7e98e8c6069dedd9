/* SPDX-License-Identifier: MIT
 *
 * Compiled without contraction of a*b+c, because every operation must round to give the specified
 * bits. */
#include "data/random_uniform.h"

#include <math.h>
#include <pthread.h>

#include "base/digest_lines.h"

/* The largest value below 1, used for a state that would round up to 2^31. */
static const float below_one = 0x1.fffffep-1f;

static inline float uniform_of(uint32_t state, float lower, float width) {
  const float share = (float)(int32_t)(state - 1) * 0x1p-31f;
  return (share < below_one ? share : below_one) * width + lower;
}

static void one_by_one(mluopRandom *random, float lower, float width, float *values, size_t n) {
  enum { BLOCK = 512 };
  uint32_t states[BLOCK];
  for (size_t at = 0; at < n; at += BLOCK) {
    const size_t block = n - at < BLOCK ? n - at : BLOCK;
    mluop_random_next_lanes(random, states, block);
    for (size_t i = 0; i < block; ++i) {
      values[at + i] = uniform_of(states[i], lower, width);
    }
  }
}

#ifdef __x86_64__
/* Enough independent sequences to hide a multiplication's latency. */
enum { VECTORS = 8, VECTOR_STATES = 8, STEP = VECTORS * VECTOR_STATES, FLOATS = 16, LINE = 64 };

#define FOR_AVX512 MLUOP_FOR_AVX512
#define INLINE static inline __attribute__((always_inline)) FOR_AVX512

/* Factors for advancing a state by 1 .. STEP draws. */
static uint32_t powers[STEP];
static pthread_once_t powers_once = PTHREAD_ONCE_INIT;

static void make_powers(void) {
  mluopRandom power = {.state = 1};
  for (int i = 0; i < STEP; ++i) {
    powers[i] = mluop_random_next(&power);
  }
}

/* Multiplies the state in each 64-bit lane by the factor, mod 2^31 - 1; the result may be one
 * modulus too large. It can still be multiplied again by a factor below 2^30, such as that of STEP
 * draws, because the product has at most 62 bits. */
INLINE __m512i multiply8(__m512i states, __m512i factor) {
  const __m512i product = _mm512_mul_epu32(states, factor);
  return _mm512_add_epi64(_mm512_and_si512(product, _mm512_set1_epi64(0x7fffffff)),
                          _mm512_srli_epi64(product, 31));
}

/* Rounds to nearest even, as data/narrow.h does; the values are never NaN. */
INLINE __m256i narrow(__m512 values, mluopPartKind part) {
  if (part == MLUOP_PART_HALF) {
    return _mm512_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  const __m512i bits = _mm512_castps_si512(values);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i more = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
  return _mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_add_epi32(bits, more), 16));
}

typedef struct Output {
  char *to;
  bool streamed, sums;
  mluopLineDigest digest;
} Output;

INLINE void put_line(Output *output, __m512i line) {
  if (output->streamed) {
    _mm512_stream_si512((__m512i *)output->to, line);
  } else {
    _mm512_storeu_si512(output->to, line);
  }
  if (output->sums) {
    mluop_line_digest_add(&output->digest, line);
  }
  output->to += LINE;
}

/* Stores STEP values. */
INLINE void put_values(Output *output, mluopPartKind part, const __m512 *values) {
  for (int i = 0; i < STEP / FLOATS; i += 2) {
    if (part == MLUOP_PART_FLOAT || part == MLUOP_PART_UINT32) {
      put_line(output, _mm512_castps_si512(values[i]));
      put_line(output, _mm512_castps_si512(values[i + 1]));
    } else {
      put_line(output, _mm512_inserti64x4(_mm512_castsi256_si512(narrow(values[i], part)),
                                          narrow(values[i + 1], part), 1));
    }
  }
}

/* From states minus one. Multiplying by 2^-31 is exact, so its position does not matter. */
INLINE __m512 value_of(__m512i drawn, __m512 scale, __m512 lower) {
  const __m512 most = _mm512_set1_ps(below_one * 0x1p31f);
  return _mm512_add_ps(_mm512_mul_ps(_mm512_min_ps(_mm512_cvtepi32_ps(drawn), most), scale), lower);
}

/* n is a multiple of STEP. Inlined for each kind of output, so that the loop has no branches.
 */
INLINE void draw(mluopRandom *random, float lower, float width, Output *output, mluopPartKind part,
                 size_t n) {
  __m512i states[VECTORS];
  for (int v = 0; v < VECTORS; ++v) {
    const __m256i power = _mm256_loadu_si256((const __m256i *)(powers + v * VECTOR_STATES));
    states[v] = multiply8(_mm512_cvtepu32_epi64(power), _mm512_set1_epi64(random->state));
  }
  const __m512i factor = _mm512_set1_epi64(powers[STEP - 1]);
  const __m512i modulus = _mm512_set1_epi32(0x7fffffff), one = _mm512_set1_epi32(1);
  const __m512i low_halves =
      _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512 scale = _mm512_set1_ps(width * 0x1p-31f);
  __m512i drawn = _mm512_setzero_si512();
  for (size_t at = 0; at < n; at += STEP) {
    __m512 values[STEP / FLOATS];
    for (int v = 0; v < VECTORS; v += 2) {
      drawn =
          _mm512_sub_epi32(_mm512_permutex2var_epi32(states[v], low_halves, states[v + 1]), one);
      /* below the modulus the subtraction wraps, and the minimum keeps the value */
      drawn = _mm512_min_epu32(drawn, _mm512_sub_epi32(drawn, modulus));
      values[v / 2] = part == MLUOP_PART_UINT32 ? _mm512_castsi512_ps(_mm512_add_epi32(drawn, one))
                                                : value_of(drawn, scale, _mm512_set1_ps(lower));
      states[v] = multiply8(states[v], factor);
      states[v + 1] = multiply8(states[v + 1], factor);
    }
    put_values(output, part, values);
  }
  uint32_t last[FLOATS];
  _mm512_storeu_si512(last, drawn);
  random->state = last[FLOATS - 1] + 1;
}

/* One loop per type and kind of store. */
static FOR_AVX512 void draw_run(mluopRandom *random, float lower, float width, mluopUniformRun *run,
                                size_t n) {
#define DRAW(kind, past, digest_wanted)                                           \
  if (run->part == kind && run->streamed == past && run->sums == digest_wanted) { \
    Output output = {.to = run->to,                                               \
                     .streamed = past,                                            \
                     .sums = digest_wanted,                                       \
                     .digest = mluop_line_digest_begin(run->place)};              \
    draw(random, lower, width, &output, kind, n);                                 \
    run->digest += mluop_line_digest_end(&output.digest);                         \
    return;                                                                       \
  }
#define DRAW_EACH_WAY(kind) \
  DRAW(kind, false, false)  \
  DRAW(kind, false, true)   \
  DRAW(kind, true, false)   \
  DRAW(kind, true, true)
  DRAW_EACH_WAY(MLUOP_PART_FLOAT)
  DRAW_EACH_WAY(MLUOP_PART_HALF)
  DRAW_EACH_WAY(MLUOP_PART_BFLOAT16)
  DRAW(MLUOP_PART_UINT32, false, false)
#undef DRAW_EACH_WAY
#undef DRAW
}

/* 2^-31 of a smaller width would not be exact; a larger one could overflow. */
static bool is_ordinary(float width) {
  return width >= 0x1p-95f && isfinite(width);
}

size_t mluop_random_uniform_run(mluopRandom *random, float lower, float width, mluopUniformRun *run,
                                size_t n) {
  const bool in_place = !run->streamed || (uintptr_t)run->to % LINE == 0;
  if (n < STEP || !in_place || !is_ordinary(width) || !__builtin_cpu_supports("avx512f")) {
    return 0;
  }
  pthread_once(&powers_once, make_powers);
  draw_run(random, lower, width, run, n / STEP * STEP);
  return n / STEP * STEP;
}
#else
size_t mluop_random_uniform_run(mluopRandom *random, float lower, float width, mluopUniformRun *run,
                                size_t n) {
  (void)random, (void)lower, (void)width, (void)run, (void)n;
  return 0;
}
#endif

void mluop_random_uniform_block_float(mluopRandom *random, float lower, float width, float *values,
                                      size_t n) {
  mluopUniformRun run = {.part = MLUOP_PART_FLOAT, .to = values};
  const size_t done = mluop_random_uniform_run(random, lower, width, &run, n);
  one_by_one(random, lower, width, values + done, n - done);
}

void mluop_random_next_many(mluopRandom *random, uint32_t *states, size_t n) {
  mluopUniformRun run = {.part = MLUOP_PART_UINT32, .to = states};
  const size_t done = mluop_random_uniform_run(random, 0, 1, &run, n);
  mluop_random_next_lanes(random, states + done, n - done);
}
