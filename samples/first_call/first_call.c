/* SPDX-License-Identifier: MIT
 *
 * The first call of an operator: sends three samples to the slots of two experts. */
#include <stdio.h>

#include "mlu_op.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    int status_ = (int)(call);                                                    \
    if (status_ != 0) {                                                           \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      return 1;                                                                   \
    }                                                                             \
  } while (0)

enum { SAMPLES = 3, CAPACITY = 2, HIDDEN = 2, EXPERTS = 2, ROWS = EXPERTS * CAPACITY };

static mluOpTensorDescriptor_t describe(mluOpDataType_t dtype, int rank, const int *dims) {
  mluOpTensorDescriptor_t desc = NULL;
  if (mluOpCreateTensorDescriptor(&desc) != MLUOP_STATUS_SUCCESS) return NULL;
  if (mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims) == MLUOP_STATUS_SUCCESS)
    return desc;
  mluOpDestroyTensorDescriptor(desc);
  return NULL;
}

static void *to_device(const void *data, size_t bytes) {
  void *memory = NULL;
  if (cnrtMalloc(&memory, bytes) != cnrtSuccess) return NULL;
  cnrtMemcpy(memory, (void *)data, bytes, cnrtMemcpyHostToDev);
  return memory;
}

int main(void) {
  const float gates[SAMPLES] = {0.5f, 2.0f, 1.0f};
  const int indices[SAMPLES] = {1, 0, 1};
  const int locations[SAMPLES] = {0, 1, 1};
  const float input[SAMPLES][HIDDEN] = {{2, 4}, {1, 3}, {7, 9}};
  const float expected[ROWS][HIDDEN] = {{-1, -1}, {2, 6}, {1, 2}, {7, 9}};
  float dispatch[ROWS][HIDDEN] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};

  /* A device, a queue, a handle. */
  CHECK(cnrtSetDevice(0));
  cnrtQueue_t queue;
  CHECK(cnrtQueueCreate(&queue));
  mluOpHandle_t handle;
  CHECK(mluOpCreate(&handle));
  CHECK(mluOpSetQueue(handle, queue));

  /* Tensors, each with a descriptor and device memory. */
  mluOpTensorDescriptor_t gates_desc = describe(MLUOP_DTYPE_FLOAT, 1, (int[]){SAMPLES});
  mluOpTensorDescriptor_t routing_desc = describe(MLUOP_DTYPE_INT32, 1, (int[]){SAMPLES});
  mluOpTensorDescriptor_t input_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){SAMPLES, HIDDEN});
  mluOpTensorDescriptor_t dispatch_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){ROWS, HIDDEN});
  void *gates_dev = to_device(gates, sizeof gates);
  void *indices_dev = to_device(indices, sizeof indices);
  void *locations_dev = to_device(locations, sizeof locations);
  void *input_dev = to_device(input, sizeof input);
  void *dispatch_dev = to_device(dispatch, sizeof dispatch);

  /* The call is asynchronous: synchronise before reading the result. */
  CHECK(mluOpMoeDispatchForward(handle, gates_desc, gates_dev, routing_desc, indices_dev,
                                routing_desc, locations_dev, input_desc, input_dev, SAMPLES,
                                CAPACITY, HIDDEN, EXPERTS, dispatch_desc, dispatch_dev));
  CHECK(cnrtQueueSync(queue));
  CHECK(cnrtMemcpy(dispatch, dispatch_dev, sizeof dispatch, cnrtMemcpyDevToHost));

  int wrong = 0;
  for (int row = 0; row < ROWS; ++row) {
    printf("expert %d slot %d: %g %g\n", row / CAPACITY, row % CAPACITY, dispatch[row][0],
           dispatch[row][1]);
    for (int j = 0; j < HIDDEN; ++j) wrong += dispatch[row][j] != expected[row][j];
  }

  void *memory[] = {gates_dev, indices_dev, locations_dev, input_dev, dispatch_dev};
  for (size_t i = 0; i < sizeof memory / sizeof memory[0]; ++i) CHECK(cnrtFree(memory[i]));
  mluOpTensorDescriptor_t descs[] = {gates_desc, routing_desc, input_desc, dispatch_desc};
  for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
    CHECK(mluOpDestroyTensorDescriptor(descs[i]));
  CHECK(mluOpDestroy(handle));
  CHECK(cnrtQueueDestroy(queue));
  puts(wrong ? "FAIL" : "PASS");
  return wrong ? 1 : 0;
}
