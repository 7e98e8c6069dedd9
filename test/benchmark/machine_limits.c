/* SPDX-License-Identifier: MIT */
#include "machine_limits.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum { LINE = 64, ACCUMULATORS = 12 };

/* ---- one loop per vector width ---- */

#define MULTIPLY_THEN_ADD(sum, factor, term) ((sum) * (factor) + (term))

#define LIMIT(name) generic_##name
#define LIMIT_TARGET
#define LIMIT_BYTES 16
#if defined(__aarch64__) /* NEON's fused multiply-add accumulates into its target */
#define LIMIT_STEP(sum, factor, term) vfmaq_f32(sum, factor, term)
#else
#define LIMIT_STEP MULTIPLY_THEN_ADD
#endif
#include "machine_limits_body.inc"

#if defined(__x86_64__)
#define LIMIT(name) avx2_##name
#define LIMIT_TARGET __attribute__((target("avx2,fma")))
#define LIMIT_BYTES 32
#define LIMIT_STEP MULTIPLY_THEN_ADD
#include "machine_limits_body.inc"

#define LIMIT(name) avx512_##name
#define LIMIT_TARGET __attribute__((target("avx512f,avx2,fma")))
#define LIMIT_BYTES 64
#define LIMIT_STEP MULTIPLY_THEN_ADD
#include "machine_limits_body.inc"
#endif

typedef struct LimitLoops {
  const char *name;
  uint64_t (*read)(const char *data, size_t bytes);
  float (*math)(long loops, float seed);
  int lanes;
} LimitLoops;

static LimitLoops widest_loops(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return (LimitLoops){"avx512", avx512_read, avx512_math, 64 / sizeof(float)};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return (LimitLoops){"avx2", avx2_read, avx2_math, 32 / sizeof(float)};
#endif
  return (LimitLoops){"generic", generic_read, generic_math, 16 / sizeof(float)};
}

const char *limit_isa(void) {
  return widest_loops().name;
}

/* Unused results, stored so that the compiler keeps the work. */
static volatile uint64_t read_result;
static volatile float math_result;

/* ---- copying ---- */

#if defined(__x86_64__)
static void movsb_part(int index, int threads, void *arg) {
  const BenchCopy *copy = arg;
  int64_t begin, end;
  bench_range((int64_t)(copy->bytes / LINE), index, threads, &begin, &end);
  char *dst = copy->dst + begin * LINE;
  const char *src = copy->src + begin * LINE;
  size_t bytes = (size_t)(end - begin) * LINE;
  __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
}

static void copy_movsb(void *bench_copy) {
  bench_parallel(movsb_part, bench_copy);
}

/* Ordinary stores to lines that are asked for ahead. */
static void owned_part(int index, int threads, void *arg) {
  enum { AHEAD = 1024 };
  const BenchCopy *copy = arg;
  int64_t begin, end;
  bench_range((int64_t)(copy->bytes / LINE), index, threads, &begin, &end);
  char *dst = copy->dst + begin * LINE;
  const char *src = copy->src + begin * LINE;
  for (int64_t left = (end - begin) * LINE; left > 0; left -= LINE, dst += LINE, src += LINE) {
    if (left > AHEAD) __asm__ volatile("prefetchw %0" : : "m"(dst[AHEAD]));
    memcpy(dst, src, LINE);
  }
}

static void copy_owned(void *bench_copy) {
  bench_parallel(owned_part, bench_copy);
}
#endif

int limit_copy_methods(const LimitCopyMethod **methods) {
  static const LimitCopyMethod all[] = {
    {"memcpy", bench_copy_memcpy},
#if defined(__x86_64__)
    {"streaming stores", bench_copy_streaming},
    {"rep movsb", copy_movsb},
    {"owned lines", copy_owned}
#endif
  };
  *methods = all;
  return (int)(sizeof all / sizeof all[0]);
}

/* ---- reading ---- */

static void read_part(int index, int threads, void *arg) {
  const LimitRead *read = arg;
  const LimitLoops loops = widest_loops();
  const char *blocks[] = {read->first, read->second};
  uint64_t sum = 0;
  for (int i = 0; i < 2; ++i) {
    int64_t begin, end;
    bench_range((int64_t)(read->bytes / LINE), index, threads, &begin, &end);
    sum += loops.read(blocks[i] + begin * LINE, (size_t)(end - begin) * LINE);
  }
  read_result = sum;
}

void limit_read(void *limit_read_arg) {
  bench_parallel(read_part, limit_read_arg);
}

/* ---- computing ---- */

static void math_part(int index, int threads, void *arg) {
  const LimitMath *math = arg;
  (void)threads;
  math_result = widest_loops().math(math->loops, (float)index);
}

void limit_vector_math(void *limit_math) {
  LimitMath *math = limit_math;
  bench_parallel(math_part, math);
  /* A multiplication and an addition per lane. */
  math->operations =
      2.0 * ACCUMULATORS * widest_loops().lanes * (double)math->loops * bench_threads();
}

/* ---- caches ---- */

#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
/* Consecutive clflushopt instructions cost a tenth of clflush, each of which waits for the previous
 * one. */
__attribute__((target("clflushopt"))) static void evict_lines(const char *from, const char *to) {
  for (const char *line = from; line < to; line += LINE) _mm_clflushopt((void *)(uintptr_t)line);
  _mm_mfence();
}

static int can_evict(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 23 & 1);
}
#else
static void evict_lines(const char *from, const char *to) {
  for (const char *line = from; line < to; line += LINE)
    __asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
  __asm__ volatile("dsb sy" : : : "memory");
}

/* Linux allows these instructions in programs. */
static int can_evict(void) {
  return 1;
}
#endif

typedef struct EvictBlock {
  const char *block;
  size_t bytes;
} EvictBlock;

static void evict_part(int index, int threads, void *arg) {
  const EvictBlock *evict = arg;
  int64_t begin, end;
  bench_range((int64_t)(evict->bytes / LINE) + 1, index, threads, &begin, &end);
  const char *last = evict->block + evict->bytes;
  const char *to = evict->block + end * LINE;
  evict_lines(evict->block + begin * LINE, to < last ? to : last);
}

int limit_evict(const void *block, size_t bytes) {
  if (!can_evict()) return 0;
  EvictBlock evict = {block, bytes};
  if (bytes > 0) bench_parallel(evict_part, &evict);
  return 1;
}
#else
int limit_evict(const void *block, size_t bytes) {
  (void)block;
  (void)bytes;
  return 0;
}
#endif
