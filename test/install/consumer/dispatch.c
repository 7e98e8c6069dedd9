/* SPDX-License-Identifier: MIT
 *
 * A user's program, valid as C and C++: calls one operator and checks the result. */
#include <stdio.h>

#include "mlu_op.h"

#define SAMPLES 2
#define HIDDEN 3

static mluOpTensorDescriptor_t describe(mluOpDataType_t dtype, int rank, const int *dims) {
  mluOpTensorDescriptor_t desc = NULL;
  mluOpCreateTensorDescriptor(&desc);
  mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims);
  return desc;
}

static void *to_device(const void *data, size_t bytes) {
  void *memory = NULL;
  if (cnrtMalloc(&memory, bytes) != cnrtSuccess) return NULL;
  cnrtMemcpy(memory, (void *)data, bytes, cnrtMemcpyHostToDev);
  return memory;
}

int main(void) {
  const float gates[SAMPLES] = {2, 3};
  const int indices[SAMPLES] = {1, 0};
  const int locations[SAMPLES] = {0, 0};
  const float input[SAMPLES * HIDDEN] = {1, 2, 3, 4, 5, 6};
  const float expected[SAMPLES * HIDDEN] = {12, 15, 18, 2, 4, 6};
  float rows[SAMPLES * HIDDEN] = {0};
  const int vector[] = {SAMPLES}, matrix[] = {SAMPLES, HIDDEN};
  mluOpHandle_t handle = NULL;
  cnrtQueue_t queue = NULL;
  if (cnrtSetDevice(0) || cnrtQueueCreate(&queue) || mluOpCreate(&handle) ||
      mluOpSetQueue(handle, queue))
    return 1;
  mluOpTensorDescriptor_t gates_desc = describe(MLUOP_DTYPE_FLOAT, 1, vector);
  mluOpTensorDescriptor_t route_desc = describe(MLUOP_DTYPE_INT32, 1, vector);
  mluOpTensorDescriptor_t rows_desc = describe(MLUOP_DTYPE_FLOAT, 2, matrix);
  void *gates_dev = to_device(gates, sizeof gates), *input_dev = to_device(input, sizeof input);
  void *indices_dev = to_device(indices, sizeof indices);
  void *locations_dev = to_device(locations, sizeof locations);
  void *rows_dev = to_device(rows, sizeof rows);
  mluOpStatus_t status = mluOpMoeDispatchForward(
      handle, gates_desc, gates_dev, route_desc, indices_dev, route_desc, locations_dev, rows_desc,
      input_dev, SAMPLES, 1, HIDDEN, SAMPLES, rows_desc, rows_dev);
  if (status != MLUOP_STATUS_SUCCESS) {
    fprintf(stderr, "%s\n", mluOpGetErrorString(status));
    return 1;
  }
  if (cnrtQueueSync(queue) ||
      cnrtMemcpy(rows, rows_dev, sizeof rows, cnrtMemcpyDevToHost) != cnrtSuccess)
    return 1;
  int wrong = 0;
  for (int i = 0; i < SAMPLES * HIDDEN; ++i) wrong += rows[i] != expected[i];
  cnrtFree(gates_dev);
  cnrtFree(input_dev);
  cnrtFree(indices_dev);
  cnrtFree(locations_dev);
  cnrtFree(rows_dev);
  mluOpDestroyTensorDescriptor(gates_desc);
  mluOpDestroyTensorDescriptor(route_desc);
  mluOpDestroyTensorDescriptor(rows_desc);
  mluOpDestroy(handle);
  cnrtQueueDestroy(queue);
  puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
