/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "sample.h"

Tensor tensor(mluOpDataType_t dtype, const void *values, const int *dims) {
  Tensor t = {0};
  int rank = 0;
  CHECK(mluOpGetSizeOfDataType(dtype, &t.bytes));
  for (; dims[rank]; ++rank) t.bytes *= (size_t)dims[rank];
  CHECK(mluOpCreateTensorDescriptor(&t.desc));
  CHECK(mluOpSetTensorDescriptor(t.desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims));
  CHECK(cnrtMalloc(&t.data, t.bytes));
  if (values)
    CHECK(cnrtMemcpy(t.data, (void *)values, t.bytes, cnrtMemcpyHostToDev));
  else
    CHECK(cnrtMemset(t.data, 0, t.bytes));
  return t;
}

Tensor workspace(size_t bytes) {
  Tensor t = {.bytes = bytes};
  if (bytes > 0) CHECK(cnrtMalloc(&t.data, bytes));
  return t;
}

void free_tensors(Tensor *tensors, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (tensors[i].data) CHECK(cnrtFree(tensors[i].data));
    if (tensors[i].desc) CHECK(mluOpDestroyTensorDescriptor(tensors[i].desc));
  }
}

int is_right(const char *operator_name, mluOpHandle_t handle, const Tensor *result,
             const void *expected) {
  cnrtQueue_t queue;
  CHECK(mluOpGetQueue(handle, &queue));
  CHECK(cnrtQueueSync(queue));
  void *host = malloc(result->bytes);
  if (!host) exit(1);
  CHECK(cnrtMemcpy(host, result->data, result->bytes, cnrtMemcpyDevToHost));
  int is_same = memcmp(host, expected, result->bytes) == 0;
  free(host);
  printf("%-45s %s\n", operator_name, is_same ? "as documented" : "WRONG");
  return is_same;
}
