/* SPDX-License-Identifier: MIT */
#include "kernels/top_k_top_p_sample/sample_host.h"

#include "core/tensor_rules.h"

static mluOpStatus_t check_logits(mluopTensors *tensors) {
  const char *api = tensors->api;
  CHECK_TENSORS(tensors, MLUOP_ONLY(LOGITS), RANK, TYPE);
  const int64_t *dims = tensors->tensor[LOGITS].desc->dims, batch = dims[0], vocab = dims[1];
  CHECK_VALUE(api, batch, batch > 0, "1 or more rows in logits_desc");
  CHECK_VALUE(api, vocab, vocab > 0 && vocab <= TOP_K_TOP_P_MAX_VOCAB,
              "1 to %d columns in logits_desc", TOP_K_TOP_P_MAX_VOCAB);
  CHECK_TENSORS(tensors, MLUOP_ONLY(LOGITS), LAYOUT);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sample_check_inputs(mluopTensors *tensors) {
  CHECK_TENSORS(tensors, MLUOP_ONLY(LOGITS, TOP_K, TOP_P), HANDLE, PRESENT);
  MLUOP_RETURN_IF_FAILED(check_logits(tensors));
  CHECK_TENSORS(tensors, MLUOP_ONLY(TOP_K, TOP_P), BFLOAT16, RANK, TYPE, SHAPE, LAYOUT);
  return MLUOP_STATUS_SUCCESS;
}

size_t sample_workspace_size(const mluopTensors *tensors) {
  const mluOpTensorDescriptor_t desc = tensors->tensor[LOGITS].desc;
  return top_k_top_p_workspace_size(tensors->handle, desc->dtype, desc->dims[0], desc->dims[1]);
}

mluOpStatus_t sample_get_workspace_size(mluopTensors *tensors, size_t *workspace_size) {
  CHECK_TENSOR_QUERY(tensors, MLUOP_ONLY(LOGITS), workspace_size);
  MLUOP_RETURN_IF_FAILED(check_logits(tensors));
  *workspace_size = sample_workspace_size(tensors);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sample_launch(const mluopVariantTable *variants, const mluopTensors *tensors,
                            const TopKTopPArgs *args, void *workspace) {
  const mluOpTensorDescriptor_t logits_desc = tensors->tensor[LOGITS].desc;
  TopKTopPCall call = {logits_desc->dtype, *args, workspace};
  call.args.logits = tensors->tensor[LOGITS].data;
  call.args.batch = logits_desc->dims[0];
  call.args.vocab = (int)logits_desc->dims[1];
  call.args.row_stride = call.args.batch > 1 ? logits_desc->strides[0] : call.args.vocab;
  call.args.top_k = tensors->tensor[TOP_K].data;
  call.args.top_p = tensors->tensor[TOP_P].data;
  return mluop_variant_launch(variants, tensors->handle, &call);
}
