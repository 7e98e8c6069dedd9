/* SPDX-License-Identifier: MIT
 *
 * The operations that only move elements: each is one strided copy, or a few.
 */
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "handle.h"
#include "move.h"

/* A fill of `to` with `value` where has_value, then a copy of `box` elements where `from` is. */
struct move_call {
  struct cnnl_tensor to;
  bool has_value;
  char value[sizeof(double)];
  struct cnnl_box box;
  char *box_to;
  const char *from;
};

static cnrtRet_t run_move(void *arguments) {
  const struct move_call *call = arguments;
  if (call->has_value) {
    cnnl_fill(&call->to, call->value);
  }
  if (call->from != NULL) {
    cnnl_move(&call->box, call->box_to, call->from, cnnl_size(call->to.shape.type));
  }
  return cnrtSuccess;
}

static cnnlStatus_t submit_move(const char *function, cnnlHandle_t handle,
                                const struct move_call *call) {
  return cnnl_submit(function, handle, run_move, call, sizeof(*call), cnnl_count(&call->to.shape));
}

/* ---- Fill ---- */

struct device_fill {
  struct cnnl_tensor to;
  const void *value;
};

static cnrtRet_t run_device_fill(void *arguments) {
  const struct device_fill *call = arguments;
  cnnl_fill(&call->to, call->value);
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlFill_v3(cnnlHandle_t handle, cnnlPointerMode_t mode, const void *value,
                                     const cnnlTensorDescriptor_t output_desc, void *output) {
  struct move_call call = {.has_value = true};
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.to));
  if (value == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: value is NULL", __func__);
  }
  if (mode == CNNL_POINTER_MODE_DEVICE) { /* not there before the queue is */
    const struct device_fill later = {call.to, value};
    return cnnl_submit(__func__, handle, run_device_fill, &later, sizeof(later),
                       cnnl_count(&call.to.shape));
  }
  memcpy(call.value, value, cnnl_size(call.to.shape.type));
  return submit_move(__func__, handle, &call);
}

/* ---- Copy, transpose ---- */

CNNL_EXPORT cnnlStatus_t cnnlCopy_v2(cnnlHandle_t handle, const cnnlTensorDescriptor_t input_desc,
                                     const void *input, const cnnlTensorDescriptor_t output_desc,
                                     void *output, void *workspace, size_t workspace_size) {
  (void)workspace;
  (void)workspace_size;
  struct cnnl_tensor from;
  struct move_call call = {.has_value = false};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &from));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &from, &call.to));
  CNNL_CHECK(cnnl_need_same_dims(__func__, &from, &call.to));
  call.box = cnnl_box_of(&call.to.shape, &from.shape);
  call.box_to = call.to.data;
  call.from = from.data;
  return submit_move(__func__, handle, &call);
}

struct cnnlTransposeStruct {
  int rank;
  int permute[CNNL_DIM_MAX];
};

CNNL_EXPORT cnnlStatus_t cnnlCreateTransposeDescriptor(cnnlTransposeDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyTransposeDescriptor(cnnlTransposeDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetTransposeDescriptor(cnnlTransposeDescriptor_t desc, int dim_count,
                                                    const int permute[]) {
  if (desc == NULL || permute == NULL || dim_count < 1 || dim_count > CNNL_DIM_MAX) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL, or not 1 to %d dimensions",
                       __func__, CNNL_DIM_MAX);
  }
  unsigned seen = 0;
  for (int i = 0; i < dim_count; ++i) {
    if (permute[i] < 0 || permute[i] >= dim_count || (seen >> permute[i] & 1) != 0) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: permute does not name each dimension once",
                         __func__);
    }
    seen |= 1u << permute[i];
    desc->permute[i] = permute[i];
  }
  desc->rank = dim_count;
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlGetTransposeWorkspaceSize(cnnlHandle_t handle,
                                                       const cnnlTensorDescriptor_t input_desc,
                                                       const cnnlTransposeDescriptor_t desc,
                                                       size_t *size) {
  (void)input_desc;
  (void)desc;
  return cnnl_no_workspace(__func__, handle, size);
}

CNNL_EXPORT cnnlStatus_t cnnlTranspose_v2(cnnlHandle_t handle, const cnnlTransposeDescriptor_t desc,
                                          const cnnlTensorDescriptor_t input_desc,
                                          const void *input,
                                          const cnnlTensorDescriptor_t output_desc, void *output,
                                          void *workspace, size_t workspace_size) {
  (void)workspace;
  (void)workspace_size;
  struct cnnl_tensor from;
  struct move_call call = {.has_value = false};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &from));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &from, &call.to));
  if (desc == NULL || desc->rank != from.shape.rank) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: desc is not for this tensor", __func__);
  }
  struct cnnlTensorStruct turned = from.shape;
  for (int i = 0; i < desc->rank; ++i) {
    turned.dims[i] = from.shape.dims[desc->permute[i]];
    turned.strides[i] = from.shape.strides[desc->permute[i]];
  }
  from.shape = turned;
  CNNL_CHECK(cnnl_need_same_dims(__func__, &from, &call.to));
  call.box = cnnl_box_of(&call.to.shape, &from.shape);
  call.box_to = call.to.data;
  call.from = from.data;
  return submit_move(__func__, handle, &call);
}

/* ---- Pad, slice ---- */

CNNL_EXPORT cnnlStatus_t cnnlPad(cnnlHandle_t handle, const cnnlTensorDescriptor_t input_desc,
                                 const void *input, const void *paddings, const void *padding_value,
                                 const cnnlTensorDescriptor_t output_desc, void *output) {
  struct cnnl_tensor from;
  struct move_call call = {.has_value = true};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &from));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &from, &call.to));
  CNNL_CHECK(cnnl_need_rank(__func__, "output", &call.to, from.shape.rank));
  if (paddings == NULL || padding_value == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", __func__);
  }
  const size_t size = cnnl_size(from.shape.type);
  const int *pads = paddings;
  memcpy(call.value, padding_value, size);
  call.box = cnnl_box_of(&from.shape, &from.shape);
  call.box_to = call.to.data;
  call.from = from.data;
  for (int i = 0; i < from.shape.rank; ++i) {
    const int64_t before = pads[2 * i];
    const int64_t after = pads[2 * i + 1];
    if (before < 0 || after < 0 || before + from.shape.dims[i] + after != call.to.shape.dims[i]) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the paddings of dimension %d do not fit",
                         __func__, i);
    }
    call.box.to[i] = call.to.shape.strides[i];
    call.box_to += before * call.to.shape.strides[i] * (int64_t)size;
  }
  return submit_move(__func__, handle, &call);
}

CNNL_EXPORT cnnlStatus_t cnnlStridedSlice_v2(cnnlHandle_t handle,
                                             const cnnlTensorDescriptor_t input_desc,
                                             const void *input, const int64_t begin[],
                                             const int64_t end[], const int64_t stride[],
                                             const cnnlTensorDescriptor_t output_desc,
                                             void *output) {
  struct cnnl_tensor from;
  struct move_call call = {.has_value = false};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &from));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &from, &call.to));
  CNNL_CHECK(cnnl_need_rank(__func__, "output", &call.to, from.shape.rank));
  if (begin == NULL || end == NULL || stride == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", __func__);
  }
  call.box = cnnl_box_of(&call.to.shape, &from.shape);
  call.box_to = call.to.data;
  call.from = from.data;
  for (int i = 0; i < from.shape.rank; ++i) {
    const int64_t length = from.shape.dims[i];
    const int64_t step = stride[i];
    const int64_t first = begin[i] < 0 ? begin[i] + length : begin[i];
    const int64_t last = end[i] < 0 ? end[i] + length : end[i];
    if (step == 0 || first < 0 || first >= length || last < -1 || last > length) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: begin, end or stride %d is not right",
                         __func__, i);
    }
    const int64_t count =
        step > 0 ? (last - first + step - 1) / step : (first - last - step - 1) / -step;
    if (count != call.to.shape.dims[i]) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: dimension %d of the slice has %lld elements",
                         __func__, i, (long long)count);
    }
    call.from += first * from.shape.strides[i] * (int64_t)cnnl_size(from.shape.type);
    call.box.from[i] = step * from.shape.strides[i];
  }
  return submit_move(__func__, handle, &call);
}

/* ---- Concatenate: an operation per input ---- */

CNNL_EXPORT cnnlStatus_t cnnlConcat(cnnlHandle_t handle, int count, int axis,
                                    const cnnlTensorDescriptor_t input_descs[],
                                    const void *const inputs[], void *workspace,
                                    size_t workspace_size, const cnnlTensorDescriptor_t output_desc,
                                    void *output) {
  (void)workspace;
  (void)workspace_size;
  struct cnnl_tensor whole;
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &whole));
  const int dim = axis < 0 ? axis + whole.shape.rank : axis;
  if (count < 1 || input_descs == NULL || inputs == NULL || dim < 0 || dim >= whole.shape.rank) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL or out of range", __func__);
  }
  /* All inputs are checked before the first is copied. */
  int64_t total = 0;
  for (int pass = 0; pass < 2; ++pass) {
    int64_t place = 0;
    for (int i = 0; i < count; ++i) {
      struct cnnl_tensor from;
      struct move_call call = {.has_value = false, .to = whole};
      CNNL_CHECK(cnnl_take(__func__, "an input", input_descs[i], inputs[i], &from));
      CNNL_CHECK(cnnl_need_same_type(__func__, &from, &whole));
      CNNL_CHECK(cnnl_need_rank(__func__, "an input", &from, whole.shape.rank));
      call.to.shape.dims[dim] = from.shape.dims[dim];
      CNNL_CHECK(cnnl_need_same_dims(__func__, &from, &call.to));
      call.box = cnnl_box_of(&call.to.shape, &from.shape);
      call.box_to =
          whole.data + place * whole.shape.strides[dim] * (int64_t)cnnl_size(whole.shape.type);
      call.from = from.data;
      if (pass == 1) {
        CNNL_CHECK(submit_move(__func__, handle, &call));
      }
      place += from.shape.dims[dim];
    }
    total = place;
    if (total != whole.shape.dims[dim]) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the inputs have %lld places, the output %lld",
                         __func__, (long long)total, (long long)whole.shape.dims[dim]);
    }
  }
  return CNNL_STATUS_SUCCESS;
}
