/* SPDX-License-Identifier: MIT
 *
 * Calls every operator once, with the numbers of the examples in mlu_op.h. Declarations that the
 * parts share. */
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

/* A descriptor with its device memory. */
typedef struct Tensor {
  mluOpTensorDescriptor_t desc;
  void *data;
  size_t bytes;
} Tensor;

/* The dimensions end with 0; without `values` the memory is zeroed. */
Tensor tensor(mluOpDataType_t dtype, const void *values, const int *dims);
#define FLOATS(values, ...) tensor(MLUOP_DTYPE_FLOAT, values, (const int[]){__VA_ARGS__, 0})
#define INTS(values, ...) tensor(MLUOP_DTYPE_INT32, values, (const int[]){__VA_ARGS__, 0})
void free_tensors(Tensor *tensors, size_t count);
#define FREE(...) \
  free_tensors((Tensor[]){__VA_ARGS__}, sizeof((Tensor[]){__VA_ARGS__}) / sizeof(Tensor))

/* Workspace of `bytes` bytes, freed by free_tensors. */
Tensor workspace(size_t bytes);

/* Waits for the device, compares the tensor's bytes, and prints the operator with the verdict.
 * Returns whether they are equal. */
int is_right(const char *operator_name, mluOpHandle_t handle, const Tensor *result,
             const void *expected);

/* One function per family; each returns the number of operators with a wrong result. */
int show_dispatch(mluOpHandle_t handle);
int show_permute(mluOpHandle_t handle);
int show_paged(mluOpHandle_t handle);
int show_sampling(mluOpHandle_t handle);

#endif /* SAMPLE_H_ */
