/* SPDX-License-Identifier: MIT */
#include "kernels/top_k_top_p_sample/sample_host.h"

#include "core/check.h"
#include "core/context.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "kernels/kernel.h"

static mluOpStatus_t check_logits(const char *api, mluOpTensorDescriptor_t logits_desc) {
  CHECK_RANK(api, logits_desc, 2);
  CHECK_DTYPE(api, logits_desc, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT);
  int64_t batch = logits_desc->dims[0], vocab = logits_desc->dims[1];
  CHECK_VALUE(api, batch, batch > 0, "1 or more rows in logits_desc");
  CHECK_VALUE(api, vocab, vocab > 0 && vocab <= TOP_K_TOP_P_MAX_VOCAB,
              "1 to %d columns in logits_desc", TOP_K_TOP_P_MAX_VOCAB);
  CHECK_ROWS(api, logits_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sample_check_inputs(const char *api, mluOpHandle_t handle,
                                  const SampleInputs *inputs) {
  mluOpTensorDescriptor_t logits_desc = inputs->logits_desc, top_k_desc = inputs->top_k_desc;
  mluOpTensorDescriptor_t top_p_desc = inputs->top_p_desc, min_p_desc = inputs->min_p_desc;
  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  CHECK_DESC(api, logits_desc);
  CHECK_DESC(api, top_k_desc);
  CHECK_DESC(api, top_p_desc);
  MLUOP_RETURN_IF_FAILED(check_logits(api, logits_desc));
  CHECK_BFLOAT16(api, handle, logits_desc);
  CHECK_RANK(api, top_k_desc, 1);
  CHECK_RANK(api, top_p_desc, 1);
  CHECK_DTYPE(api, top_k_desc, MLUOP_DTYPE_INT32);
  CHECK_SAME_DTYPE(api, top_p_desc, logits_desc);
  CHECK_DIM(api, top_k_desc, 0, logits_desc->dims[0]);
  CHECK_DIM(api, top_p_desc, 0, logits_desc->dims[0]);
  CHECK_CONTIGUOUS(api, top_k_desc);
  CHECK_CONTIGUOUS(api, top_p_desc);
  if (min_p_desc == NULL) return MLUOP_STATUS_SUCCESS;
  CHECK_RANK(api, min_p_desc, 1);
  CHECK_SAME_DTYPE(api, min_p_desc, logits_desc);
  CHECK_DIM(api, min_p_desc, 0, logits_desc->dims[0]);
  CHECK_CONTIGUOUS(api, min_p_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sample_check_data(const char *api, const SampleInputs *inputs) {
  const void *logits = inputs->logits, *top_k = inputs->top_k, *top_p = inputs->top_p;
  const void *min_p = inputs->min_p;
  CHECK_DATA(api, logits);
  CHECK_DATA(api, top_k);
  CHECK_DATA(api, top_p);
  CHECK_OPTIONAL(api, min_p, inputs->min_p_desc);
  return MLUOP_STATUS_SUCCESS;
}

size_t sample_workspace_size(mluOpHandle_t handle, mluOpTensorDescriptor_t logits_desc) {
  return top_k_top_p_workspace_size(handle, logits_desc->dtype, logits_desc->dims[0],
                                    logits_desc->dims[1]);
}

mluOpStatus_t sample_get_workspace_size(const char *api, mluOpHandle_t handle,
                                        mluOpTensorDescriptor_t logits_desc,
                                        size_t *workspace_size) {
  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  CHECK_DESC(api, logits_desc);
  CHECK_NOT_NULL(api, workspace_size);
  MLUOP_RETURN_IF_FAILED(check_logits(api, logits_desc));
  *workspace_size = sample_workspace_size(handle, logits_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sample_launch(const mluopVariantTable *variants, mluOpHandle_t handle,
                            const SampleInputs *inputs, void *workspace,
                            const TopKTopPArgs *outputs) {
  const mluOpTensorDescriptor_t logits_desc = inputs->logits_desc;
  TopKTopPCall call = {logits_desc->dtype, *outputs, workspace};
  TopKTopPArgs *args = &call.args;
  args->logits = inputs->logits;
  args->batch = logits_desc->dims[0];
  args->vocab = (int)logits_desc->dims[1];
  args->row_stride = args->batch > 1 ? logits_desc->strides[0] : args->vocab;
  args->top_k = inputs->top_k;
  args->top_p = inputs->top_p;
  args->min_p = inputs->min_p;
  return mluop_variant_launch(variants, handle, &call);
}
