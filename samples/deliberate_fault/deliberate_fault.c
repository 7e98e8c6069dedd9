/* SPDX-License-Identifier: MIT
 *
 * What errors look like. First a wrong argument: the call is refused before anything is enqueued,
 * and one log line names the argument, the expected value and the actual one. Then a kernel that
 * writes to an invalid address: the next synchronisation returns an error, a line names the kernel
 * and the task, and the process continues. */
#include <stdio.h>

#include "faulty.h"
#include "mlu_op.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    int status_ = (int)(call);                                                    \
    if (status_ != 0) {                                                           \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      return 1;                                                                   \
    }                                                                             \
  } while (0)

enum { SAMPLES = 4, HIDDEN = 8 };

/* Passes float indices where int32 is required. */
static mluOpStatus_t wrong_argument(mluOpHandle_t handle) {
  mluOpTensorDescriptor_t vector, matrix;
  void *memory;
  CHECK(mluOpCreateTensorDescriptor(&vector));
  CHECK(mluOpCreateTensorDescriptor(&matrix));
  CHECK(
      mluOpSetTensorDescriptor(vector, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 1, (int[]){SAMPLES}));
  CHECK(mluOpSetTensorDescriptor(matrix, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 2,
                                 (int[]){SAMPLES, HIDDEN}));
  CHECK(cnrtMalloc(&memory, SAMPLES * HIDDEN * sizeof(float)));
  mluOpStatus_t status =
      mluOpMoeDispatchForward(handle, vector, memory, vector, memory, vector, memory, matrix,
                              memory, SAMPLES, SAMPLES, HIDDEN, 1, matrix, memory);
  CHECK(cnrtFree(memory));
  CHECK(mluOpDestroyTensorDescriptor(vector));
  CHECK(mluOpDestroyTensorDescriptor(matrix));
  return status;
}

int main(void) {
  cnrtQueue_t queue;
  mluOpHandle_t handle;
  CHECK(cnrtSetDevice(0));
  CHECK(cnrtQueueCreate(&queue));
  CHECK(mluOpCreate(&handle));
  CHECK(mluOpSetQueue(handle, queue));

  puts("-- a wrong argument:");
  fflush(stdout);
  mluOpStatus_t status = wrong_argument(handle);
  printf("status: %s\n", mluOpGetErrorString(status));
  int is_good = status == MLUOP_STATUS_BAD_PARAM;

  puts("-- a kernel that writes where it must not:");
  fflush(stdout);
  launch_faulty(queue);
  cnrtRet_t error = cnrtQueueSync(queue);
  printf("error: %s, %s\n", cnrtGetErrorName(error), cnrtGetErrorStr(error));
  is_good = is_good && error != cnrtSuccess;

  puts("-- the next kernel:");
  int counter = 0, *counter_dev;
  cnrtGetLastError();
  CHECK(cnrtMalloc((void **)&counter_dev, sizeof counter));
  CHECK(cnrtMemcpy(counter_dev, &counter, sizeof counter, cnrtMemcpyHostToDev));
  launch_sound(queue, counter_dev);
  CHECK(cnrtQueueSync(queue));
  CHECK(cnrtMemcpy(&counter, counter_dev, sizeof counter, cnrtMemcpyDevToHost));
  printf("counted to %d\n", counter);
  is_good = is_good && counter == 1;

  CHECK(cnrtFree(counter_dev));
  CHECK(mluOpDestroy(handle));
  CHECK(cnrtQueueDestroy(queue));
  puts(is_good ? "PASS" : "FAIL");
  return !is_good;
}
