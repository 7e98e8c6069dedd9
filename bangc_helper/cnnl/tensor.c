/* SPDX-License-Identifier: MIT
 *
 * Tensor descriptors, and the checks that operations begin with.
 */
#include "tensor.h"

#include "element.h"

int64_t cnnl_count(const struct cnnlTensorStruct *shape) {
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i) {
    count *= shape->dims[i];
  }
  return count;
}

bool cnnl_same_dims(const struct cnnlTensorStruct *a, const struct cnnlTensorStruct *b) {
  if (a->rank != b->rank) {
    return false;
  }
  for (int i = 0; i < a->rank; ++i) {
    if (a->dims[i] != b->dims[i]) {
      return false;
    }
  }
  return true;
}

void cnnl_dense_strides(int rank, const int64_t dims[], int64_t strides[]) {
  int64_t step = 1;
  for (int i = rank - 1; i >= 0; --i) {
    strides[i] = step;
    step *= dims[i];
  }
}

/* ---- Descriptors ---- */

CNNL_EXPORT cnnlStatus_t cnnlCreateTensorDescriptor(cnnlTensorDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyTensorDescriptor(cnnlTensorDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetTensorDescriptorEx_v2(cnnlTensorDescriptor_t desc,
                                                      cnnlTensorLayout_t layout,
                                                      cnnlDataType_t dtype, int dim_count,
                                                      const int64_t dims[],
                                                      const int64_t strides[]) {
  if (desc == NULL || dims == NULL || strides == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", __func__);
  }
  if (dim_count < 1 || dim_count > CNNL_DIM_MAX) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: a tensor has 1 to %d dimensions, not %d",
                       __func__, CNNL_DIM_MAX, dim_count);
  }
  if (cnnl_size(dtype) == 0) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: there are no elements of type %d", __func__,
                       (int)dtype);
  }
  desc->layout = layout;
  desc->type = dtype;
  desc->rank = dim_count;
  for (int i = 0; i < dim_count; ++i) {
    if (dims[i] < 0) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: dimension %d is %lld", __func__, i,
                         (long long)dims[i]);
    }
    desc->dims[i] = dims[i];
    desc->strides[i] = strides[i];
  }
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlSetTensorDescriptor_v2(cnnlTensorDescriptor_t desc,
                                                    cnnlTensorLayout_t layout, cnnlDataType_t dtype,
                                                    int dim_count, const int64_t dims[]) {
  int64_t strides[CNNL_DIM_MAX] = {0};
  if (dims != NULL && dim_count >= 1 && dim_count <= CNNL_DIM_MAX) {
    cnnl_dense_strides(dim_count, dims, strides);
  }
  return cnnlSetTensorDescriptorEx_v2(desc, layout, dtype, dim_count, dims, strides);
}

/* Excess dimensions are not read; the setter called next refuses them. */
static const int64_t *widen(const int values[], int count, int64_t wide[]) {
  if (values == NULL) {
    return NULL;
  }
  for (int i = 0; i < count && count <= CNNL_DIM_MAX; ++i) {
    wide[i] = values[i];
  }
  return wide;
}

CNNL_EXPORT cnnlStatus_t cnnlSetTensorDescriptor(cnnlTensorDescriptor_t desc,
                                                 cnnlTensorLayout_t layout, cnnlDataType_t dtype,
                                                 int dim_count, const int dims[]) {
  int64_t wide[CNNL_DIM_MAX];
  return cnnlSetTensorDescriptor_v2(desc, layout, dtype, dim_count, widen(dims, dim_count, wide));
}

CNNL_EXPORT cnnlStatus_t cnnlSetTensorDescriptorEx(cnnlTensorDescriptor_t desc,
                                                   cnnlTensorLayout_t layout, cnnlDataType_t dtype,
                                                   int dim_count, const int dims[],
                                                   const int strides[]) {
  int64_t wide_dims[CNNL_DIM_MAX];
  int64_t wide_strides[CNNL_DIM_MAX];
  return cnnlSetTensorDescriptorEx_v2(desc, layout, dtype, dim_count,
                                      widen(dims, dim_count, wide_dims),
                                      widen(strides, dim_count, wide_strides));
}

/* ---- Checks ---- */

cnnlStatus_t cnnl_take(const char *function, const char *name, cnnlTensorDescriptor_t desc,
                       const void *data, struct cnnl_tensor *tensor) {
  if (desc == NULL || desc->rank == 0) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: %s_desc is %s", function, name,
                       desc == NULL ? "NULL" : "not set");
  }
  if (data == NULL && cnnl_count(desc) != 0) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: %s is NULL", function, name);
  }
  tensor->shape = *desc;
  tensor->data = (char *)data;
  return CNNL_STATUS_SUCCESS;
}

cnnlStatus_t cnnl_take_optional(const char *function, const char *name, cnnlTensorDescriptor_t desc,
                                const void *data, struct cnnl_tensor *tensor) {
  if (data == NULL) {
    *tensor = (struct cnnl_tensor){.data = NULL};
    return CNNL_STATUS_SUCCESS;
  }
  return cnnl_take(function, name, desc, data, tensor);
}

cnnlStatus_t cnnl_need_rank(const char *function, const char *name,
                            const struct cnnl_tensor *tensor, int rank) {
  if (tensor->shape.rank == rank) {
    return CNNL_STATUS_SUCCESS;
  }
  return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: %s has %d dimensions, not %d", function, name,
                     tensor->shape.rank, rank);
}

cnnlStatus_t cnnl_need_same_type(const char *function, const struct cnnl_tensor *a,
                                 const struct cnnl_tensor *b) {
  if (a->shape.type == b->shape.type) {
    return CNNL_STATUS_SUCCESS;
  }
  return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: the types of the tensors, %d and %d, differ",
                     function, (int)a->shape.type, (int)b->shape.type);
}

cnnlStatus_t cnnl_need_same_dims(const char *function, const struct cnnl_tensor *a,
                                 const struct cnnl_tensor *b) {
  if (cnnl_same_dims(&a->shape, &b->shape)) {
    return CNNL_STATUS_SUCCESS;
  }
  return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the tensors' dimensions differ", function);
}

cnnlStatus_t cnnl_need_float(const char *function, const char *name,
                             const struct cnnl_tensor *tensor) {
  const cnnlDataType_t type = tensor->shape.type;
  if (type == CNNL_DTYPE_FLOAT || type == CNNL_DTYPE_HALF || type == CNNL_DTYPE_BFLOAT16) {
    return CNNL_STATUS_SUCCESS;
  }
  return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: %s is of type %d, not of floats", function,
                     name, (int)type);
}

cnnlStatus_t cnnl_need_type(const char *function, const char *name,
                            const struct cnnl_tensor *tensor, cnnlDataType_t type) {
  if (tensor->shape.type == type) {
    return CNNL_STATUS_SUCCESS;
  }
  return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: %s is of type %d, not %d", function, name,
                     (int)tensor->shape.type, (int)type);
}
