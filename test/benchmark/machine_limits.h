/* SPDX-License-Identifier: MIT
 *
 * What this machine can do at best, on all CPUs the process may use: the limits that measured times
 * are judged by. */
#ifndef TEST_BENCHMARK_MACHINE_LIMITS_H_
#define TEST_BENCHMARK_MACHINE_LIMITS_H_

#include <stddef.h>

#include "bench.h"

/* Ways to copy memory. Which one is best depends on the CPU and on the size. */
typedef struct LimitCopyMethod {
  const char *name;
  void (*run)(void *bench_copy); /* a BenchCopy of whole cache lines */
} LimitCopyMethod;

/* The methods this CPU has. */
int limit_copy_methods(const LimitCopyMethod **methods);

/* Reads every byte of two blocks once. */
typedef struct LimitRead {
  const char *first, *second;
  size_t bytes; /* of each */
} LimitRead;

void limit_read(void *limit_read_arg);

/* Multiply-adds on vectors in registers; returns how many operations all threads did together. */
typedef struct LimitMath {
  long loops;
  double operations; /* result */
} LimitMath;

void limit_vector_math(void *limit_math);

/* The widest vectors the limits use: "avx512", "avx2" or "generic". */
const char *limit_isa(void);

/* Takes the block out of every cache. False when this CPU cannot be asked to. */
int limit_evict(const void *block, size_t bytes);

#endif /* TEST_BENCHMARK_MACHINE_LIMITS_H_ */
