/* SPDX-License-Identifier: MIT */
#include "bench_library.h"

#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *what) {
  fprintf(stderr, "benchmark: cannot %s\n", what);
  exit(1);
}

void bench_library_open(BenchLibrary *library) {
  *library = (BenchLibrary){.status = MLUOP_STATUS_SUCCESS};
  if (mluOpCreate(&library->handle) != MLUOP_STATUS_SUCCESS ||
      cnrtQueueCreate(&library->queue) != cnrtSuccess ||
      mluOpSetQueue(library->handle, library->queue) != MLUOP_STATUS_SUCCESS)
    give_up("set up the library");
}

void bench_library_close(BenchLibrary *library) {
  for (int i = 0; i < library->desc_num; ++i) mluOpDestroyTensorDescriptor(library->descs[i]);
  for (int i = 0; i < library->block_num; ++i) cnrtFree(library->blocks[i]);
  for (int i = 0; i < library->kept_num; ++i) free(library->kept[i]);
  mluOpDestroy(library->handle);
  cnrtQueueDestroy(library->queue);
}

void bench_library_finish(BenchLibrary *library, mluOpStatus_t status) {
  if (cnrtQueueSync(library->queue) != cnrtSuccess) status = MLUOP_STATUS_EXECUTION_FAILED;
  if (status != MLUOP_STATUS_SUCCESS) library->status = status;
}

mluOpTensorDescriptor_t bench_describe(BenchLibrary *library, mluOpDataType_t dtype, int rank,
                                       const int64_t *dims) {
  mluOpTensorDescriptor_t desc = NULL;
  if (library->desc_num == BENCH_MAX_DESCRIPTORS ||
      mluOpCreateTensorDescriptor(&desc) != MLUOP_STATUS_SUCCESS ||
      mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims) !=
          MLUOP_STATUS_SUCCESS)
    give_up("make a tensor descriptor");
  library->descs[library->desc_num++] = desc;
  return desc;
}

void *bench_device_alloc(BenchLibrary *library, size_t bytes) {
  void *memory = NULL;
  if (library->block_num == BENCH_MAX_BLOCKS ||
      cnrtMalloc(&memory, bytes ? bytes : 1) != cnrtSuccess ||
      cnrtMemset(memory, 0, bytes) != cnrtSuccess)
    give_up("allocate device memory");
  library->blocks[library->block_num++] = memory;
  return memory;
}

void *bench_to_device(BenchLibrary *library, const void *host, size_t bytes) {
  void *memory = bench_device_alloc(library, bytes);
  if (cnrtMemcpy(memory, (void *)host, bytes, cnrtMemcpyHostToDev) != cnrtSuccess)
    give_up("copy to device memory");
  return memory;
}

void *bench_keep(BenchLibrary *library, void *host) {
  if (library->kept_num == BENCH_MAX_KEPT) give_up("keep so many blocks");
  return library->kept[library->kept_num++] = host;
}
