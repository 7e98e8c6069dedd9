/* SPDX-License-Identifier: MIT
 *
 * A benchmark, not a test: elementwise functions on 64 KB against hand-written loops of vector
 * instructions. Both run in turns; the ratio of the speeds is printed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bang/table.h"
#include "bang/vector_api.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { BYTES = 64 * 1024, ROUNDS = 400, TURNS = 15 };

static char *a, *b, *d;

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,f16c")))

AVX512 static void hand_add_f32(void) {
  for (size_t i = 0; i < BYTES; i += 64) {
    _mm512_storeu_ps(d + i, _mm512_add_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i)));
  }
}
AVX512 static void hand_mul_scalar_f32(void) {
  __m512 s = _mm512_set1_ps(1.5f);
  for (size_t i = 0; i < BYTES; i += 64) {
    _mm512_storeu_ps(d + i, _mm512_mul_ps(_mm512_loadu_ps(a + i), s));
  }
}
AVX512 static void hand_max_f32(void) {
  for (size_t i = 0; i < BYTES; i += 64) {
    _mm512_storeu_ps(d + i, _mm512_max_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i)));
  }
}
AVX512 static void hand_gt_f32(void) {
  __m512 one = _mm512_set1_ps(1.0f);
  for (size_t i = 0; i < BYTES; i += 64) {
    __mmask16 m = _mm512_cmp_ps_mask(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), _CMP_GT_OQ);
    _mm512_storeu_ps(d + i, _mm512_maskz_mov_ps(m, one));
  }
}
AVX512 static void hand_add_f16(void) {
  for (size_t i = 0; i < BYTES; i += 32) {
    __m512 x = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(a + i)));
    __m512 y = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(b + i)));
    _mm256_storeu_si256((__m256i *)(d + i),
                        _mm512_cvtps_ph(_mm512_add_ps(x, y), _MM_FROUND_TO_NEAREST_INT));
  }
}
AVX512 static void hand_add_s32(void) {
  for (size_t i = 0; i < BYTES; i += 64) {
    _mm512_storeu_si512(d + i,
                        _mm512_add_epi32(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i)));
  }
}
AVX512 static void hand_band_u8(void) {
  for (size_t i = 0; i < BYTES; i += 64) {
    _mm512_storeu_si512(d + i,
                        _mm512_and_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i)));
  }
}
AVX512 static void hand_half2float(void) {
  for (size_t i = 0; i < BYTES; i += 64) {
    _mm512_storeu_ps(d + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(a + i / 2))));
  }
}
AVX512 static void hand_float2half(void) {
  for (size_t i = 0; i < BYTES; i += 64) {
    _mm256_storeu_si256((__m256i *)(d + i / 2),
                        _mm512_cvtps_ph(_mm512_loadu_ps(a + i), _MM_FROUND_TO_NEAREST_INT));
  }
}

static void our_add_f32(void) {
  __bang_vec_binary(BANG_ADD, BANG_F32, d, a, b, BYTES / 4);
}
static void our_mul_scalar_f32(void) {
  float s = 1.5f;
  __bang_vec_scalar(BANG_MUL, BANG_F32, d, a, &s, BYTES / 4);
}
static void our_max_f32(void) {
  __bang_vec_binary(BANG_MAX, BANG_F32, d, a, b, BYTES / 4);
}
static void our_gt_f32(void) {
  __bang_vec_binary(BANG_GT, BANG_F32, d, a, b, BYTES / 4);
}
static void our_add_f16(void) {
  __bang_vec_binary(BANG_ADD, BANG_F16, d, a, b, BYTES / 2);
}
static void our_add_s32(void) {
  __bang_vec_binary(BANG_ADD, BANG_S32, d, a, b, BYTES / 4);
}
static void our_band_u8(void) {
  __bang_vec_binary(BANG_BAND, BANG_U8, d, a, b, BYTES);
}
static void our_half2float(void) {
  __bang_vec_convert(BANG_F32, d, BANG_F16, a, BYTES / 4, 0, BANG_RN);
}
static void our_float2half(void) {
  __bang_vec_convert(BANG_F16, d, BANG_F32, a, BYTES / 4, 0, BANG_RN);
}

static double seconds(void (*run)(void)) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < ROUNDS; i++) {
    run();
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static int ascending(const void *p, const void *q) {
  double x = *(const double *)p, y = *(const double *)q;
  return (x > y) - (x < y);
}

static void compare(const char *name, void (*ours)(void), void (*hand)(void)) {
  double our_times[TURNS], hand_times[TURNS];
  for (int i = 0; i < TURNS; i++) {
    our_times[i] = seconds(ours);
    hand_times[i] = seconds(hand);
  }
  qsort(our_times, TURNS, sizeof(double), ascending);
  qsort(hand_times, TURNS, sizeof(double), ascending);
  double ours_median = our_times[TURNS / 2] / ROUNDS, hand_median = hand_times[TURNS / 2] / ROUNDS;
  printf("%-16s %7.2f us, by hand %7.2f us, share of its speed %.2f\n", name, ours_median * 1e6,
         hand_median * 1e6, hand_median / ours_median);
}

/* Times a function for which there is no hand-written loop. */
static void alone(const char *name, int op) {
  double times[TURNS];
  for (int i = 0; i < TURNS; i++) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    __bang_vec_unary(op, BANG_F32, d, a, BYTES / 4);
    clock_gettime(CLOCK_MONOTONIC, &end);
    times[i] = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
  }
  qsort(times, TURNS, sizeof(double), ascending);
  printf("%-16s %7.2f us, %.3f ns per element\n", name, times[TURNS / 2] * 1e6,
         times[TURNS / 2] * 1e9 / (BYTES / 4));
}

int main(void) {
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) {
    printf("the loops to compare with need AVX-512\n");
    return 0;
  }
  a = aligned_alloc(64, BYTES);
  b = aligned_alloc(64, BYTES);
  d = aligned_alloc(64, 2 * BYTES);
  if (a == NULL || b == NULL || d == NULL) {
    return 1;
  }
  for (int i = 0; i < BYTES / 4; i++) {
    ((float *)(void *)a)[i] = (float)(i % 100) * 0.25f;
    ((float *)(void *)b)[i] = (float)(i % 77) * 0.5f;
  }
  compare("add f32", our_add_f32, hand_add_f32);
  compare("mul_scalar f32", our_mul_scalar_f32, hand_mul_scalar_f32);
  compare("maxequal f32", our_max_f32, hand_max_f32);
  compare("gt f32", our_gt_f32, hand_gt_f32);
  compare("add f16", our_add_f16, hand_add_f16);
  compare("add s32", our_add_s32, hand_add_s32);
  compare("band u8", our_band_u8, hand_band_u8);
  compare("half2float", our_half2float, hand_half2float);
  compare("float2half_rn", our_float2half, hand_float2half);
  alone("exp f32", BANG_EXP);
  alone("pow2 f32", BANG_EXP2);
  alone("log2 f32", BANG_LOG2);
  alone("sin f32", BANG_SIN);
  alone("tanh f32", BANG_TANH);
  alone("sigmoid f32", BANG_SIGMOID);
  alone("gelu f32", BANG_GELU);
  alone("sqrt f32", BANG_SQRT);
  free(a);
  free(b);
  free(d);
  return 0;
}
#else
int main(void) {
  printf("nothing to compare with on this processor\n");
  return 0;
}
#endif
