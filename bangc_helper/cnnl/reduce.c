/* SPDX-License-Identifier: MIT
 *
 * Sums, means, products and extremes along dimensions.
 */
#include <math.h>

#include "element.h"
#include "handle.h"
#include "walk.h"

struct cnnlReduceStruct {
  cnnlReduceOp_t op;
  int axes;
  int axis[CNNL_DIM_MAX];
};

struct reduce {
  cnnlReduceOp_t op;
  cnnlDataType_t type;
  struct cnnl_walk outer; /* walker 0: output, walker 1: the first of its input elements */
  struct cnnl_walk inner; /* walks the other input elements; its start is set for each output */
};

static double fold(cnnlReduceOp_t op, double sum, double value) {
  switch (op) {
    case CNNL_REDUCE_MUL:
      return sum * value;
    case CNNL_REDUCE_MAX: /* NaN stays NaN */
      return value > sum || isnan(value) ? value : sum;
    case CNNL_REDUCE_MIN:
      return value < sum || isnan(value) ? value : sum;
    default:
      return sum + value;
  }
}

static int64_t fold_integer(cnnlReduceOp_t op, int64_t sum, int64_t value) {
  switch (op) {
    case CNNL_REDUCE_MUL:
      return (int64_t)((uint64_t)sum * (uint64_t)value);
    case CNNL_REDUCE_MAX:
      return value > sum ? value : sum;
    case CNNL_REDUCE_MIN:
      return value < sum ? value : sum;
    default:
      return (int64_t)((uint64_t)sum + (uint64_t)value);
  }
}

/* Extremes begin with the first element, which does not change them. */
static bool begins_with_element(cnnlReduceOp_t op) {
  return op == CNNL_REDUCE_MAX || op == CNNL_REDUCE_MIN;
}

static void reduce_one(const struct reduce *call, struct cnnl_walk *inner, char *to) {
  int64_t count = 0;
  const char *first = inner->start[0];
  const double neutral = call->op == CNNL_REDUCE_MUL ? 1 : 0;
  const bool extreme = begins_with_element(call->op);
  if (cnnl_kind(call->type) == CNNL_KIND_INTEGER) {
    int64_t sum = extreme ? cnnl_get_integer(call->type, first) : (int64_t)neutral;
    for (cnnl_walk_begin(inner); !inner->over; cnnl_walk_next(inner), ++count) {
      sum = fold_integer(call->op, sum, cnnl_get_integer(call->type, inner->at[0]));
    }
    cnnl_put_integer(call->type, to, call->op == CNNL_REDUCE_AVG ? sum / count : sum);
    return;
  }
  double sum = extreme ? cnnl_get(call->type, first) : neutral;
  for (cnnl_walk_begin(inner); !inner->over; cnnl_walk_next(inner), ++count) {
    sum = fold(call->op, sum, cnnl_get(call->type, inner->at[0]));
  }
  cnnl_put(call->type, to, call->op == CNNL_REDUCE_AVG ? sum / (double)count : sum);
}

static cnrtRet_t run_reduce(void *arguments) {
  struct reduce *call = arguments;
  struct cnnl_walk *outer = &call->outer;
  for (cnnl_walk_begin(outer); !outer->over; cnnl_walk_next(outer)) {
    call->inner.start[0] = outer->at[1];
    reduce_one(call, &call->inner, outer->at[0]);
  }
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlCreateReduceDescriptor(cnnlReduceDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyReduceDescriptor(cnnlReduceDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetReduceDescriptor_v2(cnnlReduceDescriptor_t desc, const int axis[],
                                                    int axes, cnnlReduceOp_t op,
                                                    cnnlDataType_t compute_type,
                                                    cnnlNanPropagation_t nan,
                                                    cnnlReduceIndices_t indices,
                                                    cnnlIndicesType_t indices_type, float p) {
  (void)compute_type;
  (void)nan;
  (void)indices_type;
  (void)p;
  if (desc == NULL || axis == NULL || axes < 1 || axes > CNNL_DIM_MAX) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL, or not 1 to %d axes",
                       __func__, CNNL_DIM_MAX);
  }
  if ((int)op < CNNL_REDUCE_ADD || op > CNNL_REDUCE_MIN || indices != CNNL_REDUCE_NO_INDICES) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED,
                       "%s: sums, means, products and extremes without indices only", __func__);
  }
  desc->op = op;
  desc->axes = axes;
  for (int i = 0; i < axes; ++i) {
    desc->axis[i] = axis[i];
  }
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlGetReduceOpWorkspaceSize_v2(cnnlHandle_t handle,
                                                         const cnnlTensorDescriptor_t input_desc,
                                                         const cnnlTensorDescriptor_t output_desc,
                                                         const cnnlTensorDescriptor_t indices_desc,
                                                         const cnnlReduceDescriptor_t desc,
                                                         size_t *size) {
  (void)input_desc;
  (void)output_desc;
  (void)indices_desc;
  (void)desc;
  return cnnl_no_workspace(__func__, handle, size);
}

/* Splits the input's dimensions into those that stay, in the order of the output, and those that
 * are reduced. */
static cnnlStatus_t split(const char *function, const struct cnnlReduceStruct *desc,
                          const struct cnnl_tensor *from, struct cnnl_tensor *stay,
                          struct cnnl_tensor *go) {
  bool goes[CNNL_DIM_MAX] = {false};
  for (int i = 0; i < desc->axes; ++i) {
    const int axis = desc->axis[i] < 0 ? desc->axis[i] + from->shape.rank : desc->axis[i];
    if (axis < 0 || axis >= from->shape.rank) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: there is no dimension %d", function, axis);
    }
    goes[axis] = true;
  }
  *stay = *from;
  *go = *from;
  for (int i = 0; i < from->shape.rank; ++i) {
    struct cnnlTensorStruct *other = goes[i] ? &stay->shape : &go->shape;
    other->dims[i] = 1;
  }
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlReduce_v2(cnnlHandle_t handle, const cnnlReduceDescriptor_t desc,
                                       const cnnlTensorDescriptor_t input_desc, const void *input,
                                       const void *alpha, const void *beta, void *workspace,
                                       size_t workspace_size,
                                       const cnnlTensorDescriptor_t output_desc, void *output,
                                       const cnnlTensorDescriptor_t indices_desc, void *indices) {
  (void)workspace;
  (void)workspace_size;
  (void)indices_desc;
  struct cnnl_tensor from;
  struct cnnl_tensor to;
  struct cnnl_tensor stay;
  struct cnnl_tensor go;
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &from));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &from, &to));
  if (desc == NULL || desc->axes == 0) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: desc is NULL or not set", __func__);
  }
  if (alpha != NULL || beta != NULL || indices != NULL ||
      cnnl_kind(from.shape.type) == CNNL_KIND_COMPLEX) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED,
                       "%s: only of real numbers, without alpha, beta and indices", __func__);
  }
  CNNL_CHECK(split(__func__, desc, &from, &stay, &go));
  if (cnnl_count(&from.shape) == 0) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: the input is empty", __func__);
  }
  /* The output has size 1 along reduced dimensions, or lacks them: only the order of the others
   * matters. */
  if (cnnl_count(&to.shape) != cnnl_count(&stay.shape)) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the output's dimensions do not fit", __func__);
  }
  struct cnnl_tensor target = {.shape = stay.shape, .data = to.data};
  int next = 0;
  for (int i = 0; i < stay.shape.rank; ++i) {
    if (stay.shape.dims[i] == 1) {
      continue;
    }
    while (next < to.shape.rank && to.shape.dims[next] == 1) {
      ++next;
    }
    if (next == to.shape.rank || to.shape.dims[next] != stay.shape.dims[i]) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the output's dimensions do not fit", __func__);
    }
    target.shape.strides[i] = to.shape.strides[next++];
  }
  struct reduce call = {.op = desc->op,
                        .type = from.shape.type,
                        .outer = cnnl_walk_over(&stay.shape),
                        .inner = cnnl_walk_over(&go.shape)};
  cnnl_walk_add(&call.outer, 0, &target);
  cnnl_walk_add(&call.outer, 1, &stay);
  cnnl_walk_add(&call.inner, 0, &go);
  return cnnl_submit(__func__, handle, run_reduce, &call, sizeof(call), cnnl_count(&from.shape));
}
