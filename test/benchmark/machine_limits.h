/* SPDX-License-Identifier: MIT
 *
 * The best this machine can do on all CPUs that the process may use: the limits that measured times
 * are compared with. */
#ifndef TEST_BENCHMARK_MACHINE_LIMITS_H_
#define TEST_BENCHMARK_MACHINE_LIMITS_H_

#include <stddef.h>

#include "bench.h"

/* Ways to copy memory. Which one is best depends on the CPU and on the size. */
typedef struct LimitCopyMethod {
  const char *name;
  void (*run)(void *bench_copy); /* a BenchCopy of whole cache lines */
} LimitCopyMethod;

/* The methods that this CPU supports. */
int limit_copy_methods(const LimitCopyMethod **methods);

/* Reads every byte of two blocks once. */
typedef struct LimitRead {
  const char *first, *second;
  size_t bytes; /* of each block */
} LimitRead;

void limit_read(void *limit_read_arg);

/* Multiply-adds on vectors in registers; counts the operations of all threads together. */
typedef struct LimitMath {
  long loops;
  double operations; /* result */
} LimitMath;

void limit_vector_math(void *limit_math);

/* The widest vectors the limits use: "avx512", "avx2" or "generic". */
const char *limit_isa(void);

/* Evicts the block from every cache. False if this CPU has no instruction for that. */
int limit_evict(const void *block, size_t bytes);

#endif /* TEST_BENCHMARK_MACHINE_LIMITS_H_ */
