/* SPDX-License-Identifier: MIT
 *
 * What has to compare elements: the largest of a line, and distinct slices.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "handle.h"
#include "walk.h"

/* -1, 0 or 1 if `a` is before, equal to or after `b`; NaN is after all numbers. */
static int compare_elements(cnnlDataType_t type, const char *a, const char *b) {
  if (cnnl_kind(type) == CNNL_KIND_INTEGER) {
    const int64_t x = cnnl_get_integer(type, a);
    const int64_t y = cnnl_get_integer(type, b);
    if (type == CNNL_DTYPE_UINT64) {
      return ((uint64_t)x > (uint64_t)y) - ((uint64_t)x < (uint64_t)y);
    }
    return (x > y) - (x < y);
  }
  const double x = cnnl_get(type, a);
  const double y = cnnl_get(type, b);
  if (isnan(x) || isnan(y)) {
    return isnan(x) - isnan(y);
  }
  return (x > y) - (x < y);
}

/* Context of the comparison for qsort_r, which sorts the numbers of items. */
struct sorting {
  cnnlDataType_t type;
  const char *first;
  int64_t item_step; /* bytes from item to item */
  int64_t elements;  /* of an item */
  int64_t step;      /* bytes from element to element */
  bool falling;
};

static int compare_items(const struct sorting *s, int64_t a, int64_t b) {
  for (int64_t i = 0; i < s->elements; ++i) {
    const int order = compare_elements(s->type, s->first + a * s->item_step + i * s->step,
                                       s->first + b * s->item_step + i * s->step);
    if (order != 0) {
      return s->falling ? -order : order;
    }
  }
  return 0;
}

/* Equal items keep the order of their numbers. */
static int compare_numbers(const void *left, const void *right, void *sorting) {
  const int64_t a = *(const int64_t *)left;
  const int64_t b = *(const int64_t *)right;
  const int order = compare_items(sorting, a, b);
  return order != 0 ? order : (a > b) - (a < b);
}

static int64_t *sorted_numbers(struct sorting *sorting, int64_t count) {
  int64_t *numbers = malloc((size_t)(count > 0 ? count : 1) * sizeof(*numbers));
  if (numbers != NULL) {
    for (int64_t i = 0; i < count; ++i) {
      numbers[i] = i;
    }
    qsort_r(numbers, (size_t)count, sizeof(*numbers), compare_numbers, sorting);
  }
  return numbers;
}

/* ---- The k largest or least ---- */

struct top_k {
  int64_t k;
  int64_t length;
  bool largest;
  cnnlDataType_t type;
  cnnlDataType_t index_type;
  int64_t steps[CNNL_WALKERS]; /* along the line, in bytes */
  struct cnnl_walk lines;      /* walker 0 the input, 1 the output, 2 the index */
};

static cnrtRet_t run_top_k(void *arguments) {
  struct top_k *call = arguments;
  struct cnnl_walk *lines = &call->lines;
  const size_t size = cnnl_size(call->type);
  for (cnnl_walk_begin(lines); !lines->over; cnnl_walk_next(lines)) {
    struct sorting sorting = {.type = call->type,
                              .first = lines->at[0],
                              .item_step = call->steps[0],
                              .elements = 1,
                              .falling = call->largest};
    int64_t *numbers = sorted_numbers(&sorting, call->length);
    if (numbers == NULL) {
      return cnrtErrorNoMem;
    }
    for (int64_t i = 0; i < call->k; ++i) {
      memcpy(lines->at[1] + i * call->steps[1], lines->at[0] + numbers[i] * call->steps[0], size);
      cnnl_put_integer(call->index_type, lines->at[2] + i * call->steps[2], numbers[i]);
    }
    free(numbers);
  }
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlGetTopKTensorWorkspaceSize(cnnlHandle_t handle,
                                                        const cnnlTensorDescriptor_t input_desc,
                                                        int k, int dim, bool largest,
                                                        const cnnlTensorDescriptor_t output_desc,
                                                        const cnnlTensorDescriptor_t index_desc,
                                                        size_t *size) {
  (void)input_desc;
  (void)k;
  (void)dim;
  (void)largest;
  (void)output_desc;
  (void)index_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

CNNL_EXPORT cnnlStatus_t cnnlTopKTensor_v3(cnnlHandle_t handle,
                                           const cnnlTensorDescriptor_t input_desc,
                                           const void *input, int k, int dim, bool largest,
                                           bool sorted, bool lower_index_first, void *workspace,
                                           size_t workspace_size,
                                           const cnnlTensorDescriptor_t output_desc, void *output,
                                           const cnnlTensorDescriptor_t index_desc, void *index) {
  (void)sorted;
  (void)lower_index_first;
  (void)workspace;
  (void)workspace_size;
  struct cnnl_tensor tensors[CNNL_WALKERS];
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &tensors[0]));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &tensors[1]));
  CNNL_CHECK(cnnl_take(__func__, "index", index_desc, index, &tensors[2]));
  CNNL_CHECK(cnnl_need_same_type(__func__, &tensors[0], &tensors[1]));
  const struct cnnlTensorStruct *shape = &tensors[0].shape;
  const int axis = dim < 0 ? dim + shape->rank : dim;
  if (axis < 0 || axis >= shape->rank || k < 0 || k > shape->dims[axis]) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: dim %d or k %d is out of range", __func__, dim,
                       k);
  }
  if (cnnl_kind(shape->type) == CNNL_KIND_COMPLEX ||
      cnnl_kind(tensors[2].shape.type) != CNNL_KIND_INTEGER) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: not of these types", __func__);
  }
  struct top_k call = {.k = k,
                       .length = shape->dims[axis],
                       .largest = largest,
                       .type = shape->type,
                       .index_type = tensors[2].shape.type};
  const int64_t work = cnnl_count(shape);
  struct cnnlTensorStruct lines = *shape;
  lines.dims[axis] = 1;
  call.lines = cnnl_walk_over(&lines);
  for (int i = 0; i < CNNL_WALKERS; ++i) {
    CNNL_CHECK(cnnl_need_rank(__func__, "a tensor", &tensors[i], lines.rank));
    struct cnnlTensorStruct *of = &tensors[i].shape;
    call.steps[i] = of->strides[axis] * (int64_t)cnnl_size(of->type);
    if (i > 0 && of->dims[axis] != k) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: results have %lld places, not k", __func__,
                         (long long)of->dims[axis]);
    }
    of->dims[axis] = 1;
    CNNL_CHECK(cnnl_need_same_dims(__func__, &tensors[i], &tensors[0]));
    cnnl_walk_add(&call.lines, i, &tensors[i]);
  }
  return cnnl_submit(__func__, handle, run_top_k, &call, sizeof(call), work);
}

/* ---- Distinct slices of dimension 0 ---- */

struct cnnlUniqueStruct {
  bool is_set;
  int dim;
  bool inverse;
  bool counts;
};

struct unique {
  struct cnnl_tensor from;
  struct cnnl_tensor to;
  struct cnnl_tensor indices; /* optional, as is counts */
  struct cnnl_tensor counts;
  int *output_num;
};

static char *item(const struct cnnl_tensor *tensor, int64_t number) {
  return tensor->data + number * tensor->shape.strides[0] * (int64_t)cnnl_size(tensor->shape.type);
}

static cnrtRet_t run_unique(void *arguments) {
  const struct unique *call = arguments;
  const struct cnnlTensorStruct *shape = &call->from.shape;
  const int64_t size = (int64_t)cnnl_size(shape->type);
  const int64_t count = shape->dims[0];
  struct sorting sorting = {.type = shape->type,
                            .first = call->from.data,
                            .item_step = shape->strides[0] * size,
                            .elements = count > 0 ? cnnl_count(shape) / count : 0,
                            .step = size};
  int64_t *numbers = sorted_numbers(&sorting, count);
  if (numbers == NULL) {
    return cnrtErrorNoMem;
  }
  int64_t places = 0;
  int64_t here = 0; /* slices equal to the one at the last place */
  for (int64_t i = 0; i < count; ++i) {
    const bool is_new = i == 0 || compare_items(&sorting, numbers[i - 1], numbers[i]) != 0;
    if (is_new) {
      memcpy(item(&call->to, places), item(&call->from, numbers[i]),
             (size_t)(sorting.elements * size));
      ++places;
      here = 0;
    }
    ++here;
    if (call->indices.data != NULL) {
      cnnl_put_integer(call->indices.shape.type, item(&call->indices, numbers[i]), places - 1);
    }
    if (call->counts.data != NULL) {
      cnnl_put_integer(call->counts.shape.type, item(&call->counts, places - 1), here);
    }
  }
  *call->output_num = (int)places;
  free(numbers);
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlCreateUniqueDescriptor(cnnlUniqueDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyUniqueDescriptor(cnnlUniqueDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetUniqueDescriptor(cnnlUniqueDescriptor_t desc, cnnlUniqueSort_t mode,
                                                 int dim, bool return_inverse, bool return_counts) {
  if (desc == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: desc is NULL", __func__);
  }
  if (mode != CNNL_SORT_ASCEND || dim != 0) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED,
                       "%s: only CNNL_SORT_ASCEND along dimension 0, not %d along %d", __func__,
                       (int)mode, dim);
  }
  *desc = (struct cnnlUniqueStruct){true, dim, return_inverse, return_counts};
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlGetUniqueWorkspaceSize(cnnlHandle_t handle,
                                                    const cnnlUniqueDescriptor_t desc,
                                                    const cnnlTensorDescriptor_t input_desc,
                                                    size_t *size) {
  (void)desc;
  (void)input_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

/* Slices are contiguous, so that they are compared and copied as a whole. */
static bool slices_are_dense(const struct cnnlTensorStruct *shape) {
  int64_t step = 1;
  for (int i = shape->rank - 1; i > 0; --i) {
    if (shape->dims[i] != 1 && shape->strides[i] != step) {
      return false;
    }
    step *= shape->dims[i];
  }
  return true;
}

CNNL_EXPORT cnnlStatus_t cnnlUnique_v2(cnnlHandle_t handle, const cnnlUniqueDescriptor_t desc,
                                       const cnnlTensorDescriptor_t input_desc, const void *input,
                                       void *workspace, size_t workspace_size, int *output_num,
                                       const cnnlTensorDescriptor_t output_desc, void *output,
                                       const cnnlTensorDescriptor_t indices_desc, void *indices,
                                       const cnnlTensorDescriptor_t counts_desc, void *counts) {
  (void)workspace;
  (void)workspace_size;
  struct unique call = {.output_num = output_num};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &call.from));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &call.from, &call.to));
  if (desc == NULL || !desc->is_set || output_num == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: desc is not set, or output_num is NULL",
                       __func__);
  }
  if (desc->inverse) {
    CNNL_CHECK(cnnl_take_optional(__func__, "indices", indices_desc, indices, &call.indices));
  }
  if (desc->counts) {
    CNNL_CHECK(cnnl_take_optional(__func__, "counts", counts_desc, counts, &call.counts));
  }
  if (cnnl_kind(call.from.shape.type) == CNNL_KIND_COMPLEX || !slices_are_dense(&call.from.shape) ||
      !slices_are_dense(&call.to.shape)) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED,
                       "%s: only of real numbers that lie side by side in a slice", __func__);
  }
  return cnnl_submit(__func__, handle, run_unique, &call, sizeof(call),
                     cnnl_count(&call.from.shape));
}
