/* SPDX-License-Identifier: MIT
 *
 * Every operator once, with the numbers of the examples in mlu_op.h: what the parts share. */
#ifndef SAMPLE_H_
#define SAMPLE_H_

#include <stdio.h>
#include <stdlib.h>

#include "mlu_op.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    int status_ = (int)(call);                                                    \
    if (status_ != 0) {                                                           \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

/* A descriptor and device memory. */
typedef struct Tensor {
  mluOpTensorDescriptor_t desc;
  void *data;
  size_t bytes;
} Tensor;

/* The dimensions end with 0; without `values` the memory is zero. */
Tensor tensor(mluOpDataType_t dtype, const void *values, const int *dims);
#define FLOATS(values, ...) tensor(MLUOP_DTYPE_FLOAT, values, (const int[]){__VA_ARGS__, 0})
#define INTS(values, ...) tensor(MLUOP_DTYPE_INT32, values, (const int[]){__VA_ARGS__, 0})
void free_tensors(Tensor *tensors, size_t count);
#define FREE(...) \
  free_tensors((Tensor[]){__VA_ARGS__}, sizeof((Tensor[]){__VA_ARGS__}) / sizeof(Tensor))

/* Workspace of some bytes, freed by free_tensors. */
Tensor workspace(size_t bytes);

/* Waits for the device and compares the tensor's bytes; prints the operator and its verdict.
 * Returns whether it was right. */
int is_right(const char *operator_name, mluOpHandle_t handle, const Tensor *result,
             const void *expected);

/* One per family: the number of operators whose answer was wrong. */
int show_dispatch(mluOpHandle_t handle);
int show_permute(mluOpHandle_t handle);
int show_paged(mluOpHandle_t handle);
int show_sampling(mluOpHandle_t handle);

#endif /* SAMPLE_H_ */
