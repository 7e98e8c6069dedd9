/* SPDX-License-Identifier: MIT
 *
 * The library under test, as the benchmark programs use it: what is made through a BenchLibrary is
 * released with it. What cannot be made ends the program. */
#ifndef TEST_BENCHMARK_BENCH_LIBRARY_H_
#define TEST_BENCHMARK_BENCH_LIBRARY_H_

#include <stddef.h>
#include <stdint.h>

#include "mlu_op.h"

enum { BENCH_MOST_DESCRIPTORS = 64, BENCH_MOST_BLOCKS = 64, BENCH_MOST_KEPT = 32 };

typedef struct BenchLibrary {
  mluOpHandle_t handle;
  cnrtQueue_t queue;
  mluOpStatus_t status; /* of the calls: the last that is no success */
  mluOpTensorDescriptor_t descs[BENCH_MOST_DESCRIPTORS];
  void *blocks[BENCH_MOST_BLOCKS];
  void *kept[BENCH_MOST_KEPT]; /* of the host */
  int desc_num, block_num, kept_num;
} BenchLibrary;

void bench_library_open(BenchLibrary *library);
void bench_library_close(BenchLibrary *library);

/* Waits for a call that answered with `status`, and remembers what went wrong. */
void bench_library_finish(BenchLibrary *library, mluOpStatus_t status);

mluOpTensorDescriptor_t bench_describe(BenchLibrary *library, mluOpDataType_t dtype, int rank,
                                       const int64_t *dims);
/* Device memory with zeros in it, or with what lies at `host`. */
void *bench_device_alloc(BenchLibrary *library, size_t bytes);
void *bench_to_device(BenchLibrary *library, const void *host, size_t bytes);
/* Takes over memory of the host, which it returns: it is freed with the library. */
void *bench_keep(BenchLibrary *library, void *host);

#endif /* TEST_BENCHMARK_BENCH_LIBRARY_H_ */
