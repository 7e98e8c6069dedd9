/* SPDX-License-Identifier: MIT
 *
 * Shared by the benchmark programs. On a shared machine times are comparable only with others of
 * the same minute, so contenders run alternately, round after round, and are compared by their
 * medians. */
#ifndef TEST_BENCHMARK_BENCH_H_
#define TEST_BENCHMARK_BENCH_H_

#include <stddef.h>
#include <stdint.h>

/* A numeric option --name=N; its initial value is the default. */
typedef struct BenchOption {
  const char *name;
  int *value;
  int least;
} BenchOption;

enum { BENCH_MAX_OPTIONS = 16 };

/* Returns 0 after printing the usage, with `note` as the last line unless it is "", if an argument
 * is not an option or its number is too small. */
int bench_parse(int argc, char **argv, const BenchOption *options, size_t count, const char *note);

typedef struct BenchContender {
  const char *name;
  void (*run)(void *arg);
  void *arg;
} BenchContender;

typedef struct BenchTime {
  double median_us, p10_us, p90_us;
} BenchTime;

double bench_now_us(void);

/* Runs every contender once per round, `rounds` rounds after `warmup` unmeasured ones; times[i]
 * belongs to contenders[i]. */
void bench_interleaved(const BenchContender *contenders, int count, int warmup, int rounds,
                       BenchTime *times);

/* Calls part(index, threads, arg) once on each of bench_threads() threads and waits for all. The
 * threads are kept between calls. */
int bench_threads(void);
void bench_parallel(void (*part)(int index, int threads, void *arg), void *arg);

/* Memory touched by all threads, so that its pages are present; exits if there is none.
 */
void *bench_alloc(size_t bytes);
/* The same with the contents of `data`. */
void *bench_clone(const void *data, size_t bytes);

/* Splits n into `threads` nearly equal ranges. */
void bench_range(int64_t n, int index, int threads, int64_t *begin, int64_t *end);

/* Copying memory is the limit of everything that only moves data. Methods: glibc's memcpy and
 * streaming stores. */
typedef struct BenchCopy {
  char *dst;
  const char *src;
  size_t bytes;
} BenchCopy;

/* Buffers for a copy that moves `bytes` bytes, half of them in and half out. */
BenchCopy bench_copy_make(double bytes);
void bench_copy_free(BenchCopy *copy);
void bench_copy_memcpy(void *bench_copy);
void bench_copy_streaming(void *bench_copy);

/* GB/s of the faster of the two copies. */
double bench_copy_rate(double bytes, BenchTime memcpy_time, BenchTime streaming_time);
/* One line for a contender that moves `bytes` bytes. */
void bench_report_line(const char *name, BenchTime time, double bytes, double copy_rate);
/* The report of a run with contenders that move `bytes` bytes; the last two are the copies. */
void bench_report(const BenchContender *contenders, const BenchTime *times, int count, double bytes,
                  int rounds);

/* dst[0..n) = factor * src[0..n) with streaming stores; dst is 16-byte aligned and n a multiple
 * of 4. */
void bench_stream_scaled(float *dst, const float *src, float factor, int64_t n);
/* Orders streaming stores before later stores. */
void bench_stream_fence(void);

uint64_t bench_checksum(const void *data, size_t bytes);

/* A small generator for inputs: uniform 64-bit words, equal on every machine. */
uint64_t bench_random(uint64_t *state);

#endif /* TEST_BENCHMARK_BENCH_H_ */
