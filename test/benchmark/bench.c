/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define HUGE_PAGE ((size_t)2 << 20)

double bench_now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

int bench_parse(int argc, char **argv, const BenchOption *options, size_t count, const char *note) {
  int defaults[BENCH_MAX_OPTIONS];
  for (size_t k = 0; k < count; ++k) defaults[k] = *options[k].value;
  for (int i = 1; i < argc; ++i) {
    int found = 0;
    for (size_t k = 0; k < count; ++k) {
      size_t length = strlen(options[k].name);
      if (strncmp(argv[i], "--", 2) != 0 || strncmp(argv[i] + 2, options[k].name, length) != 0 ||
          argv[i][2 + length] != '=')
        continue;
      *options[k].value = atoi(argv[i] + 2 + length + 1);
      found = *options[k].value >= options[k].least;
    }
    if (found) continue;
    fprintf(stderr, "usage: %s", argv[0]);
    for (size_t k = 0; k < count; ++k) fprintf(stderr, " [--%s=%d]", options[k].name, defaults[k]);
    fprintf(stderr, "\n%s", note);
    return 0;
  }
  return 1;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void out_of_memory(void) {
  fprintf(stderr, "benchmark: out of memory\n");
  exit(1);
}

void bench_interleaved(const BenchContender *contenders, int count, int warmup, int rounds,
                       BenchTime *times) {
  double *samples = malloc((size_t)count * (size_t)rounds * sizeof *samples);
  if (!samples) out_of_memory();
  for (int round = -warmup; round < rounds; ++round) {
    for (int i = 0; i < count; ++i) {
      double start = bench_now_us();
      contenders[i].run(contenders[i].arg);
      double time = bench_now_us() - start;
      if (round >= 0) samples[i * rounds + round] = time;
    }
  }
  for (int i = 0; i < count; ++i) {
    double *own = samples + (size_t)i * (size_t)rounds;
    qsort(own, (size_t)rounds, sizeof *own, compare_doubles);
    times[i] = (BenchTime){own[rounds / 2], own[rounds / 10], own[rounds - 1 - rounds / 10]};
  }
  free(samples);
}

/* ---- threads ---- */

static struct {
  int threads;
  pthread_barrier_t start, end;
  void (*part)(int, int, void *);
  void *arg;
} pool;

static pthread_once_t team_once = PTHREAD_ONCE_INIT;

static void *team_member(void *index) {
  for (;;) {
    pthread_barrier_wait(&pool.start);
    pool.part((int)(intptr_t)index, pool.threads, pool.arg);
    pthread_barrier_wait(&pool.end);
  }
  return NULL;
}

static void start_team(void) {
  cpu_set_t cpus;
  pool.threads = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
  pthread_barrier_init(&pool.start, NULL, (unsigned)pool.threads);
  pthread_barrier_init(&pool.end, NULL, (unsigned)pool.threads);
  for (intptr_t i = 1; i < pool.threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, team_member, (void *)i) != 0) {
      fprintf(stderr, "benchmark: cannot start a thread\n");
      exit(1);
    }
    pthread_detach(thread);
  }
}

int bench_threads(void) {
  pthread_once(&team_once, start_team);
  return pool.threads;
}

void bench_parallel(void (*part)(int index, int threads, void *arg), void *arg) {
  int threads = bench_threads();
  pool.part = part;
  pool.arg = arg;
  pthread_barrier_wait(&pool.start);
  part(0, threads, arg);
  pthread_barrier_wait(&pool.end);
}

void bench_range(int64_t n, int index, int threads, int64_t *begin, int64_t *end) {
  *begin = n * index / threads;
  *end = n * (index + 1) / threads;
}

/* ---- memory ---- */

static void touch_part(int index, int threads, void *arg) {
  BenchCopy *block = arg;
  int64_t begin, end;
  bench_range((int64_t)block->bytes, index, threads, &begin, &end);
  memset(block->dst + begin, 0, (size_t)(end - begin));
}

void *bench_alloc(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, HUGE_PAGE, bytes ? bytes : 1) != 0) out_of_memory();
  madvise(memory, bytes, MADV_HUGEPAGE); /* huge pages, like device memory */
  BenchCopy block = {memory, NULL, bytes};
  bench_parallel(touch_part, &block);
  return memory;
}

void *bench_clone(const void *data, size_t bytes) {
  void *memory = bench_alloc(bytes);
  memcpy(memory, data, bytes);
  return memory;
}

BenchCopy bench_copy_make(double bytes) {
  const size_t half = (size_t)bytes / 2;
  return (BenchCopy){bench_alloc(half), bench_alloc(half), half};
}

void bench_copy_free(BenchCopy *copy) {
  free(copy->dst);
  free((void *)copy->src);
}

static void memcpy_part(int index, int threads, void *arg) {
  const BenchCopy *copy = arg;
  int64_t begin, end;
  bench_range((int64_t)copy->bytes, index, threads, &begin, &end);
  memcpy(copy->dst + begin, copy->src + begin, (size_t)(end - begin));
}

void bench_copy_memcpy(void *bench_copy) {
  bench_parallel(memcpy_part, bench_copy);
}

#if defined(__x86_64__)
#include <immintrin.h>

void bench_stream_scaled(float *dst, const float *src, float factor, int64_t n) {
  __m128 f = _mm_set1_ps(factor);
  for (int64_t j = 0; j < n; j += 4) _mm_stream_ps(dst + j, _mm_mul_ps(_mm_loadu_ps(src + j), f));
}

void bench_stream_fence(void) {
  _mm_sfence();
}

static void stream_lines(char *dst, const char *src, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 16)
    _mm_stream_si128((__m128i *)(dst + i), _mm_loadu_si128((const __m128i *)(src + i)));
  _mm_sfence();
}
#else
void bench_stream_scaled(float *dst, const float *src, float factor, int64_t n) {
  for (int64_t j = 0; j < n; ++j) dst[j] = factor * src[j];
}

void bench_stream_fence(void) {}

static void stream_lines(char *dst, const char *src, int64_t bytes) {
  memcpy(dst, src, (size_t)bytes);
}
#endif

static void stream_part(int index, int threads, void *arg) {
  const BenchCopy *copy = arg;
  int64_t begin, end;
  bench_range((int64_t)(copy->bytes / 64), index, threads, &begin, &end);
  stream_lines(copy->dst + begin * 64, copy->src + begin * 64, (end - begin) * 64);
}

void bench_copy_streaming(void *bench_copy) {
  bench_parallel(stream_part, bench_copy);
}

double bench_copy_rate(double bytes, BenchTime memcpy_time, BenchTime streaming_time) {
  double faster = memcpy_time.median_us < streaming_time.median_us ? memcpy_time.median_us
                                                                   : streaming_time.median_us;
  return bytes / faster * 1e-3;
}

void bench_report_line(const char *name, BenchTime time, double bytes, double copy_rate) {
  double rate = bytes / time.median_us * 1e-3;
  printf("  %-38s %9.1f us  [%9.1f .. %9.1f]  %6.2f GB/s  %5.1f %% of the copy rate\n", name,
         time.median_us, time.p10_us, time.p90_us, rate, 100 * rate / copy_rate);
}

void bench_report(const BenchContender *contenders, const BenchTime *times, int count, double bytes,
                  int rounds) {
  const double copy_rate = bench_copy_rate(bytes, times[count - 2], times[count - 1]);
  printf(
      "%.1f MB must move; copy rate of this machine %.2f GB/s; median [10 %% .. 90 %%] of %d "
      "rounds\n",
      bytes * 1e-6, copy_rate, rounds);
  for (int i = 0; i < count; ++i) bench_report_line(contenders[i].name, times[i], bytes, copy_rate);
}

/* ---- data ---- */

uint64_t bench_checksum(const void *data, size_t bytes) {
  const unsigned char *p = data;
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 1099511628211u;
  return hash;
}

uint64_t bench_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
