/* SPDX-License-Identifier: MIT
 *
 * The library under test, for benchmark programs: objects created through a BenchLibrary are
 * released with it. If something cannot be created, the program exits. */
#ifndef TEST_BENCHMARK_BENCH_LIBRARY_H_
#define TEST_BENCHMARK_BENCH_LIBRARY_H_

#include <stddef.h>
#include <stdint.h>

#include "mlu_op.h"

enum { BENCH_MAX_DESCRIPTORS = 64, BENCH_MAX_BLOCKS = 64, BENCH_MAX_KEPT = 32 };

typedef struct BenchLibrary {
  mluOpHandle_t handle;
  cnrtQueue_t queue;
  mluOpStatus_t status; /* the last status of a call that was not a success */
  mluOpTensorDescriptor_t descs[BENCH_MAX_DESCRIPTORS];
  void *blocks[BENCH_MAX_BLOCKS];
  void *kept[BENCH_MAX_KEPT]; /* host memory */
  int desc_num, block_num, kept_num;
} BenchLibrary;

void bench_library_open(BenchLibrary *library);
void bench_library_close(BenchLibrary *library);

/* Waits for a call that returned `status`, and records an error. */
void bench_library_finish(BenchLibrary *library, mluOpStatus_t status);

mluOpTensorDescriptor_t bench_describe(BenchLibrary *library, mluOpDataType_t dtype, int rank,
                                       const int64_t *dims);
/* Device memory that is zeroed, or a copy of `host`. */
void *bench_device_alloc(BenchLibrary *library, size_t bytes);
void *bench_to_device(BenchLibrary *library, const void *host, size_t bytes);
/* Takes ownership of host memory, which is freed with the library; returns it. */
void *bench_keep(BenchLibrary *library, void *host);

#endif /* TEST_BENCHMARK_BENCH_LIBRARY_H_ */
