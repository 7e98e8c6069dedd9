/* SPDX-License-Identifier: MIT
 *
 * What a tensor descriptor holds, and a tensor with its data.
 */
#ifndef CNNL_TENSOR_H_
#define CNNL_TENSOR_H_

#include "common.h"

struct cnnlTensorStruct {
  cnnlTensorLayout_t layout;
  cnnlDataType_t type;
  int rank;
  int64_t dims[CNNL_DIM_MAX];
  int64_t strides[CNNL_DIM_MAX]; /* in elements */
};

/* A descriptor's content and an address, as operations keep them. */
struct cnnl_tensor {
  struct cnnlTensorStruct shape;
  char *data; /* NULL if it is absent */
};

int64_t cnnl_count(const struct cnnlTensorStruct *shape);
bool cnnl_same_dims(const struct cnnlTensorStruct *a, const struct cnnlTensorStruct *b);

/* Strides of a contiguous tensor. */
void cnnl_dense_strides(int rank, const int64_t dims[], int64_t strides[]);

/* Makes a tensor of a call's arguments. `name` is for the message about a NULL. */
cnnlStatus_t cnnl_take(const char *function, const char *name, cnnlTensorDescriptor_t desc,
                       const void *data, struct cnnl_tensor *tensor);
/* The same for an optional argument, which is absent when its data is NULL. */
cnnlStatus_t cnnl_take_optional(const char *function, const char *name, cnnlTensorDescriptor_t desc,
                                const void *data, struct cnnl_tensor *tensor);

/* Checks that return a status for what the operation does not support. */
cnnlStatus_t cnnl_need_rank(const char *function, const char *name,
                            const struct cnnl_tensor *tensor, int rank);
cnnlStatus_t cnnl_need_same_type(const char *function, const struct cnnl_tensor *a,
                                 const struct cnnl_tensor *b);
cnnlStatus_t cnnl_need_same_dims(const char *function, const struct cnnl_tensor *a,
                                 const struct cnnl_tensor *b);
/* float, half or bfloat16 */
cnnlStatus_t cnnl_need_float(const char *function, const char *name,
                             const struct cnnl_tensor *tensor);
cnnlStatus_t cnnl_need_type(const char *function, const char *name,
                            const struct cnnl_tensor *tensor, cnnlDataType_t type);

#endif /* CNNL_TENSOR_H_ */
