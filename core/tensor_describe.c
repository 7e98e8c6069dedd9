/* SPDX-License-Identifier: MIT
 *
 * Tensor descriptors: creation, shape, and the functions that read them.
 */
#include "core/tensor_describe.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/logging.h"
#include "core/tool.h"

/* ---- inside ---- */

static int64_t size_at(mluopSizes sizes, int i) {
  return sizes.wide != NULL ? sizes.wide[i] : sizes.narrow[i];
}

/* Fills dims and strides and counts elements; false if the tensor takes 2^63 bytes or more. */
static bool measure(int dimNb, mluopSizes dimSize, const mluopSizes *dimStride, int64_t dtype_size,
                    int64_t *dims, int64_t *strides, int64_t *total_num) {
  bool is_empty = false, has_overflow = false;
  int64_t product = 1, last = 0; /* last: offset of the last element */
  for (int i = dimNb - 1; i >= 0; --i) {
    int64_t span = 0;
    dims[i] = size_at(dimSize, i);
    strides[i] = dimStride != NULL ? size_at(*dimStride, i) : product;
    is_empty = is_empty || dims[i] == 0;
    has_overflow |= __builtin_mul_overflow(dims[i] - (dims[i] > 0), strides[i], &span);
    has_overflow |= __builtin_add_overflow(last, span, &last);
    /* An empty tensor has no size to overflow, but its strides must be representable. */
    if (__builtin_mul_overflow(product, dims[i], &product)) {
      has_overflow = true;
      product = INT64_MAX;
    }
  }
  int64_t bytes = 0;
  has_overflow |= __builtin_mul_overflow(product, dtype_size, &bytes);
  has_overflow |= last == INT64_MAX || __builtin_mul_overflow(last + 1, dtype_size, &bytes);
  *total_num = is_empty ? 0 : product;
  return is_empty || !has_overflow;
}

static mluOpStatus_t check_not_negative(const char *api, const char *name, int count,
                                        mluopSizes sizes) {
  for (int i = 0; i < count; ++i) {
    if (size_at(sizes, i) < 0) {
      LOG_ERROR("%s %s[%d]: wanted 0 or more, got %" PRId64 ".", api, name, i, size_at(sizes, i));
      return MLUOP_STATUS_BAD_PARAM;
    }
  }
  return MLUOP_STATUS_SUCCESS;
}

static bool is_missing(int count, mluopSizes sizes) {
  return count > 0 && sizes.wide == NULL && sizes.narrow == NULL;
}

/* Checks the sizes and sets dims and strides. */
static mluOpStatus_t reshape(const char *api, mluOpTensorDescriptor_t desc, mluOpDataType_t dtype,
                             int dimNb, mluopSizes dimSize, const mluopSizes *dimStride) {
  CHECK_NOT_NEGATIVE(api, dimNb);
  CHECK_VALUE(api, dimNb, dimNb > 0 || desc->pointer_mode == MLUOP_POINTER_MODE_HOST,
              "1 or more unless the pointer mode is MLUOP_POINTER_MODE_HOST");
  if (is_missing(dimNb, dimSize)) return mluop_check_not_null(api, "dimSize", NULL);
  MLUOP_RETURN_IF_FAILED(check_not_negative(api, "dimSize", dimNb, dimSize));
  if (dimStride != NULL) {
    if (is_missing(dimNb, *dimStride)) return mluop_check_not_null(api, "dimStride", NULL);
    MLUOP_RETURN_IF_FAILED(check_not_negative(api, "dimStride", dimNb, *dimStride));
  }

  int64_t inline_room[2 * MLUOP_DIM_MAX];
  int64_t *room = inline_room; /* dims, then strides */
  if (dimNb > MLUOP_DIM_MAX) {
    room = (int64_t *)malloc(2 * (size_t)dimNb * sizeof(*room));
    if (room == NULL) {
      LOG_ERROR("%s cannot allocate %d dimensions.", api, dimNb);
      return MLUOP_STATUS_ALLOC_FAILED;
    }
  }
  int64_t total_num = 0;
  if (!measure(dimNb, dimSize, dimStride, (int64_t)mluop_dtype_size(dtype), room, room + dimNb,
               &total_num)) {
    if (room != inline_room) free(room);
    LOG_ERROR("%s dimSize: wanted a tensor below 2^63 bytes, got more.", api);
    return MLUOP_STATUS_BAD_PARAM;
  }

  mluop_tensor_release(desc);
  desc->dims = desc->inline_dims;
  desc->strides = desc->inline_strides;
  if (room != inline_room) {
    desc->dims = room;
    desc->strides = room + dimNb;
  } else {
    memcpy(desc->dims, room, (size_t)dimNb * sizeof(*room));
    memcpy(desc->strides, room + dimNb, (size_t)dimNb * sizeof(*room));
  }
  desc->dim = dimNb;
  desc->total_num = total_num;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t mluop_tensor_describe(const char *api, mluOpTensorDescriptor_t desc,
                                    mluOpTensorLayout_t layout, mluOpDataType_t dtype, int dimNb,
                                    mluopSizes dimSize, const mluopSizes *dimStride) {
  CHECK_DESC(api, desc);
  CHECK_VALUE(api, layout, mluop_layout_is_known(layout), "a tensor layout");
  CHECK_VALUE(api, dtype, mluop_dtype_size(dtype) > 0, "a data type");
  MLUOP_RETURN_IF_FAILED(reshape(api, desc, dtype, dimNb, dimSize, dimStride));
  desc->layout = layout;
  desc->dtype = dtype;
  if (dimSize.narrow != NULL && desc->total_num > INT32_MAX) {
    LOG_WARNING("%s the tensor has %" PRId64 " elements; many operators want fewer than 2^31.", api,
                desc->total_num);
  }
  return MLUOP_STATUS_SUCCESS;
}

/* ---- life ---- */

mluOpStatus_t MLUOP_WIN_API mluOpCreateTensorDescriptor(mluOpTensorDescriptor_t *desc) {
  const char *api = "[mluOpCreateTensorDescriptor]";
  CHECK_NOT_NULL(api, desc);
  mluOpTensorDescriptor_t created = (mluOpTensorDescriptor_t)malloc(sizeof(*created));
  if (created == NULL) {
    LOG_ERROR("%s cannot allocate a descriptor.", api);
    return MLUOP_STATUS_ALLOC_FAILED;
  }
  mluop_tensor_init(created);
  *desc = created;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpDestroyTensorDescriptor(mluOpTensorDescriptor_t desc) {
  CHECK_DESC("[mluOpDestroyTensorDescriptor]", desc);
  mluop_tensor_release(desc);
  free(desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpResetTensorDescriptor(mluOpTensorDescriptor_t desc) {
  CHECK_DESC("[mluOpResetTensorDescriptor]", desc);
  mluop_tensor_release(desc);
  mluop_tensor_init(desc);
  return MLUOP_STATUS_SUCCESS;
}

/* ---- setting ---- */

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptor(mluOpTensorDescriptor_t desc,
                                                     mluOpTensorLayout_t layout,
                                                     mluOpDataType_t dtype, int dimNb,
                                                     const int dimSize[]) {
  return mluop_tensor_describe("[mluOpSetTensorDescriptor]", desc, layout, dtype, dimNb,
                               (mluopSizes){.narrow = dimSize}, NULL);
}

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptor_v2(mluOpTensorDescriptor_t desc,
                                                        mluOpTensorLayout_t layout,
                                                        mluOpDataType_t dtype, int dimNb,
                                                        const int64_t dimSize[]) {
  return mluop_tensor_describe("[mluOpSetTensorDescriptor_v2]", desc, layout, dtype, dimNb,
                               (mluopSizes){.wide = dimSize}, NULL);
}

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorEx(mluOpTensorDescriptor_t desc,
                                                       mluOpTensorLayout_t layout,
                                                       mluOpDataType_t dtype, int dimNb,
                                                       const int dimSize[], const int dimStride[]) {
  return mluop_tensor_describe("[mluOpSetTensorDescriptorEx]", desc, layout, dtype, dimNb,
                               (mluopSizes){.narrow = dimSize}, &(mluopSizes){.narrow = dimStride});
}

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorEx_v2(mluOpTensorDescriptor_t desc,
                                                          mluOpTensorLayout_t layout,
                                                          mluOpDataType_t dtype, int dimNb,
                                                          const int64_t dimSize[],
                                                          const int64_t dimStride[]) {
  return mluop_tensor_describe("[mluOpSetTensorDescriptorEx_v2]", desc, layout, dtype, dimNb,
                               (mluopSizes){.wide = dimSize}, &(mluopSizes){.wide = dimStride});
}

mluOpStatus_t mluOpSetTensorDescriptorDim(mluOpTensorDescriptor_t desc, int dimNb,
                                          const int *dimSize) {
  const char *api = "[mluOpSetTensorDescriptorDim]";
  CHECK_DESC(api, desc);
  return reshape(api, desc, desc->dtype, dimNb, (mluopSizes){.narrow = dimSize}, NULL);
}

mluOpStatus_t mluOpSetTensorDescriptorDim_v2(mluOpTensorDescriptor_t desc, int dimNb,
                                             const int64_t *dimSize) {
  const char *api = "[mluOpSetTensorDescriptorDim_v2]";
  CHECK_DESC(api, desc);
  return reshape(api, desc, desc->dtype, dimNb, (mluopSizes){.wide = dimSize}, NULL);
}

/* ---- asking ---- */

static void get_basics(mluOpTensorDescriptor_t desc, mluOpTensorLayout_t *layout,
                       mluOpDataType_t *dtype, int *dimNb) {
  if (layout != NULL) *layout = desc->layout;
  if (dtype != NULL) *dtype = desc->dtype;
  if (dimNb != NULL) *dimNb = desc->dim;
}

static mluOpStatus_t check_fits_int(const char *api, const char *name, int count,
                                    const int64_t *values) {
  for (int i = 0; i < count; ++i) {
    if (values[i] > INT_MAX) {
      LOG_ERROR("%s desc: wanted %s[%d] that fits in an int, got %" PRId64
                "; use the _v2 function.",
                api, name, i, values[i]);
      return MLUOP_STATUS_BAD_PARAM;
    }
  }
  return MLUOP_STATUS_SUCCESS;
}

static void narrow(int count, const int64_t *from, int *to) {
  for (int i = 0; i < count; ++i) to[i] = (int)from[i];
}

static void copy_wide(int count, const int64_t *from, int64_t *to) {
  for (int i = 0; i < count; ++i) to[i] = from[i];
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptor(const mluOpTensorDescriptor_t desc,
                                                     mluOpTensorLayout_t *layout,
                                                     mluOpDataType_t *dtype, int *dimNb,
                                                     int dimSize[]) {
  const char *api = "[mluOpGetTensorDescriptor]";
  CHECK_DESC(api, desc);
  if (dimSize != NULL) {
    MLUOP_RETURN_IF_FAILED(check_fits_int(api, "dimSize", desc->dim, desc->dims));
    narrow(desc->dim, desc->dims, dimSize);
  }
  get_basics(desc, layout, dtype, dimNb);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptor_v2(const mluOpTensorDescriptor_t desc,
                                                        mluOpTensorLayout_t *layout,
                                                        mluOpDataType_t *dtype, int *dimNb,
                                                        int64_t dimSize[]) {
  CHECK_DESC("[mluOpGetTensorDescriptor_v2]", desc);
  if (dimSize != NULL) copy_wide(desc->dim, desc->dims, dimSize);
  get_basics(desc, layout, dtype, dimNb);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_ex_outputs(const char *api, mluOpTensorDescriptor_t desc,
                                      const void *layout, const void *dtype, const void *dimNb,
                                      const void *dimSize, const void *dimStride) {
  CHECK_DESC(api, desc);
  CHECK_NOT_NULL(api, layout);
  CHECK_NOT_NULL(api, dtype);
  CHECK_NOT_NULL(api, dimNb);
  CHECK_NOT_NULL(api, dimSize);
  CHECK_NOT_NULL(api, dimStride);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorEx(const mluOpTensorDescriptor_t desc,
                                                       mluOpTensorLayout_t *layout,
                                                       mluOpDataType_t *dtype, int *dimNb,
                                                       int dimSize[], int dimStride[]) {
  const char *api = "[mluOpGetTensorDescriptorEx]";
  MLUOP_RETURN_IF_FAILED(check_ex_outputs(api, desc, layout, dtype, dimNb, dimSize, dimStride));
  MLUOP_RETURN_IF_FAILED(check_fits_int(api, "dimSize", desc->dim, desc->dims));
  MLUOP_RETURN_IF_FAILED(check_fits_int(api, "dimStride", desc->dim, desc->strides));
  narrow(desc->dim, desc->dims, dimSize);
  narrow(desc->dim, desc->strides, dimStride);
  get_basics(desc, layout, dtype, dimNb);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorEx_v2(const mluOpTensorDescriptor_t desc,
                                                          mluOpTensorLayout_t *layout,
                                                          mluOpDataType_t *dtype, int *dimNb,
                                                          int64_t dimSize[], int64_t dimStride[]) {
  const char *api = "[mluOpGetTensorDescriptorEx_v2]";
  MLUOP_RETURN_IF_FAILED(check_ex_outputs(api, desc, layout, dtype, dimNb, dimSize, dimStride));
  copy_wide(desc->dim, desc->dims, dimSize);
  copy_wide(desc->dim, desc->strides, dimStride);
  get_basics(desc, layout, dtype, dimNb);
  return MLUOP_STATUS_SUCCESS;
}

size_t MLUOP_WIN_API mluOpGetTensorElementNum(const mluOpTensorDescriptor_t desc) {
  if (mluop_check_not_null("[mluOpGetTensorElementNum]", "desc", desc) != MLUOP_STATUS_SUCCESS) {
    return 0;
  }
  return (size_t)desc->total_num;
}
