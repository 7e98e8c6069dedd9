/* SPDX-License-Identifier: MIT
 *
 * Calls the operator like a user, compares the result with plain C, and checks that a wrong call is
 * refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "swiglu.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    int status_ = (int)(call);                                                    \
    if (status_ != 0) {                                                           \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      return 1;                                                                   \
    }                                                                             \
  } while (0)

enum { ROWS = 37, COLUMNS = 1111, COUNT = ROWS * COLUMNS };

int main(void) {
  static float gate[COUNT], up[COUNT], out[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    gate[i] = (float)(i % 401 - 200) / 25;
    up[i] = (float)(i % 89 - 44) / 8;
  }
  cnrtQueue_t queue;
  mluOpHandle_t handle;
  mluOpTensorDescriptor_t desc, short_desc;
  CHECK(cnrtSetDevice(0));
  CHECK(cnrtQueueCreate(&queue));
  CHECK(mluOpCreate(&handle));
  CHECK(mluOpSetQueue(handle, queue));
  CHECK(mluOpCreateTensorDescriptor(&desc));
  CHECK(mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 2,
                                 (int[]){ROWS, COLUMNS}));
  CHECK(mluOpCreateTensorDescriptor(&short_desc));
  CHECK(mluOpSetTensorDescriptor(short_desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 1, (int[]){3}));
  void *gate_dev, *up_dev, *out_dev;
  CHECK(cnrtMalloc(&gate_dev, sizeof gate));
  CHECK(cnrtMalloc(&up_dev, sizeof up));
  CHECK(cnrtMalloc(&out_dev, sizeof out));
  CHECK(cnrtMemcpy(gate_dev, gate, sizeof gate, cnrtMemcpyHostToDev));
  CHECK(cnrtMemcpy(up_dev, up, sizeof up, cnrtMemcpyHostToDev));

  CHECK(swiglu(handle, desc, gate_dev, desc, up_dev, desc, out_dev));
  CHECK(cnrtQueueSync(queue));
  CHECK(cnrtMemcpy(out, out_dev, sizeof out, cnrtMemcpyDevToHost));
  double worst = 0;
  for (int i = 0; i < COUNT; ++i) {
    double expected = (double)gate[i] / (1 + exp(-(double)gate[i])) * up[i];
    double error = fabs(out[i] - expected) / (fabs(expected) + 1e-30);
    worst = error > worst ? error : worst;
  }
  printf("%d elements, greatest relative error %.2g\n", COUNT, worst);
  int is_refused =
      swiglu(handle, short_desc, gate_dev, desc, up_dev, desc, out_dev) == MLUOP_STATUS_BAD_PARAM;

  CHECK(cnrtFree(gate_dev));
  CHECK(cnrtFree(up_dev));
  CHECK(cnrtFree(out_dev));
  CHECK(mluOpDestroyTensorDescriptor(desc));
  CHECK(mluOpDestroyTensorDescriptor(short_desc));
  CHECK(mluOpDestroy(handle));
  CHECK(cnrtQueueDestroy(queue));
  int is_good = worst < 1e-6 && is_refused;
  puts(is_good ? "PASS" : "FAIL");
  return !is_good;
}
