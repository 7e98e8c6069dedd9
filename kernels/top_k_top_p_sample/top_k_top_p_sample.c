/* SPDX-License-Identifier: MIT
 *
 * Host side of top_k_top_p_sample. */
#include "kernels/top_k_top_p_sample/sample_forms.h"

#include "core/check.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "kernels/top_k_top_p_sample/sample_host.h"

typedef struct SampleCall {
  const char *api;
  SampleInputs inputs;
  mluOpTensorDescriptor_t q_desc;
  const void *q;
  float eps;
  bool is_need_logits;
  int top_k_guess;
  void *workspace;
  size_t workspace_size;
  mluOpTensorDescriptor_t logits_select_idx_desc;
  void *logits_select_idx;
  mluOpTensorDescriptor_t logits_top_kp_select_desc;
  void *logits_top_kp_select;
} SampleCall;

static mluOpStatus_t check_descs(const SampleCall *call, mluOpHandle_t handle) {
  const char *api = call->api;
  mluOpTensorDescriptor_t logits_desc = call->inputs.logits_desc, q_desc = call->q_desc;
  mluOpTensorDescriptor_t logits_select_idx_desc = call->logits_select_idx_desc;
  mluOpTensorDescriptor_t logits_top_kp_select_desc = call->logits_top_kp_select_desc;
  float eps = call->eps;
  MLUOP_RETURN_IF_FAILED(sample_check_inputs(api, handle, &call->inputs));
  CHECK_DESC(api, logits_select_idx_desc);
  CHECK_RANK(api, logits_select_idx_desc, 1);
  CHECK_DTYPE(api, logits_select_idx_desc, MLUOP_DTYPE_INT64);
  CHECK_DIM(api, logits_select_idx_desc, 0, logits_desc->dims[0]);
  CHECK_CONTIGUOUS(api, logits_select_idx_desc);
  if (q_desc != NULL) {
    CHECK_RANK(api, q_desc, 2);
    CHECK_DTYPE(api, q_desc, MLUOP_DTYPE_FLOAT);
    CHECK_SAME_SHAPE(api, q_desc, logits_desc);
    CHECK_CONTIGUOUS(api, q_desc);
  }
  CHECK_VALUE(api, eps, eps >= 0, "0 or more");
  if (call->is_need_logits) {
    CHECK_DESC(api, logits_top_kp_select_desc);
    CHECK_RANK(api, logits_top_kp_select_desc, 2);
    CHECK_DTYPE(api, logits_top_kp_select_desc, MLUOP_DTYPE_FLOAT);
    CHECK_SAME_SHAPE(api, logits_top_kp_select_desc, logits_desc);
    CHECK_CONTIGUOUS(api, logits_top_kp_select_desc);
  }
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_data(const SampleCall *call, mluOpHandle_t handle) {
  const char *api = call->api;
  const SampleInputs *inputs = &call->inputs;
  const void *logits = inputs->logits, *top_k = inputs->top_k, *top_p = inputs->top_p;
  const void *min_p = inputs->min_p, *logits_select_idx = call->logits_select_idx;
  const void *logits_top_kp_select = call->logits_top_kp_select, *q = call->q;
  const void *workspace = call->workspace;
  const size_t needed = sample_workspace_size(handle, inputs->logits_desc);
  CHECK_WORKSPACE(api, workspace, call->workspace_size, needed);
  MLUOP_RETURN_IF_FAILED(sample_check_data(api, &call->inputs));
  CHECK_OPTIONAL(api, q, call->q_desc);
  CHECK_DATA(api, logits_select_idx);
  if (call->is_need_logits) CHECK_DATA(api, logits_top_kp_select);
  CHECK_APART(api, MLUOP_WRITTEN(logits_select_idx, call->logits_select_idx_desc),
              MLUOP_WRITTEN(logits_top_kp_select,
                            call->is_need_logits ? call->logits_top_kp_select_desc : NULL),
              MLUOP_SCRATCH(workspace, needed), MLUOP_READ(logits, inputs->logits_desc),
              MLUOP_READ(top_k, inputs->top_k_desc), MLUOP_READ(top_p, inputs->top_p_desc),
              MLUOP_READ(min_p, inputs->min_p_desc), MLUOP_READ(q, call->q_desc));
  return MLUOP_STATUS_SUCCESS;
}

static void record_case(mluopGenCase *gen_case, const SampleCall *call) {
  const SampleInputs *in = &call->inputs;
  genCaseInput(gen_case, "logits", in->logits_desc, in->logits, genCaseGaussian(0, 2.5));
  genCaseInput(gen_case, "top_k", in->top_k_desc, in->top_k, genCaseReal(1, 50));
  genCaseInput(gen_case, "top_p", in->top_p_desc, in->top_p, genCaseReal(0.9, 0.95));
  genCaseInput(gen_case, "q", call->q_desc, call->q, genCaseUniform(0.01, 4));
  if (in->min_p_desc != NULL)
    genCaseInput(gen_case, "min_p", in->min_p_desc, in->min_p, genCaseReal(0, 0.1));
  genCaseOutput(gen_case, "logits_select_idx", call->logits_select_idx_desc,
                call->logits_select_idx);
  if (call->is_need_logits)
    genCaseOutput(gen_case, "logits_top_kp_select", call->logits_top_kp_select_desc,
                  call->logits_top_kp_select);
  genCaseParamFloat(gen_case, "eps", call->eps);
  genCaseParamName(gen_case, "is_need_logits", call->is_need_logits ? "true" : "false");
  genCaseParamInt(gen_case, "top_k_guess", call->top_k_guess);
  genCaseTestParam(gen_case, "DIFF3", 0);
  genCaseWrite(gen_case);
}

static mluOpStatus_t sample(mluOpHandle_t handle, const SampleCall *call) {
  MLUOP_RETURN_IF_FAILED(check_descs(call, handle));
  MLUOP_RETURN_IF_FAILED(check_data(call, handle));
  GEN_CASE(gen_case, handle, "top_k_top_p_sample", NULL);
  if (genCaseIsOn(&gen_case)) record_case(&gen_case, call);
  const TopKTopPArgs args = {.q = call->q,
                             .eps = call->eps,
                             .index = call->logits_select_idx,
                             .filtered = call->is_need_logits ? call->logits_top_kp_select : NULL,
                             .is_float_kept = true};
  return sample_launch(&top_k_top_p_sample_variants, handle, &call->inputs, call->workspace, &args);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTopKTopPSampleWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, size_t *workspace_size) {
  return sample_get_workspace_size("[mluOpGetTopKTopPSampleWorkspaceSize]", handle, logits_desc,
                                   workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpTopKTopPSample(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, const void *logits,
    const mluOpTensorDescriptor_t top_k_desc, const void *top_k,
    const mluOpTensorDescriptor_t top_p_desc, const void *top_p,
    const mluOpTensorDescriptor_t q_desc, const void *q, const float eps, const bool is_need_logits,
    const int top_k_guess, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t logits_select_idx_desc, void *logits_select_idx,
    const mluOpTensorDescriptor_t logits_top_kp_select_desc, void *logits_top_kp_select) {
  const SampleCall call = {"[mluOpTopKTopPSample]",
                           {logits_desc, logits, top_k_desc, top_k, top_p_desc, top_p, NULL, NULL},
                           q_desc,
                           q,
                           eps,
                           is_need_logits,
                           top_k_guess,
                           workspace,
                           workspace_size,
                           logits_select_idx_desc,
                           logits_select_idx,
                           logits_top_kp_select_desc,
                           logits_top_kp_select};
  return sample(handle, &call);
}

mluOpStatus_t MLUOP_WIN_API mluOpTopKTopPSample_v2(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, const void *logits,
    const mluOpTensorDescriptor_t top_k_desc, const void *top_k,
    const mluOpTensorDescriptor_t top_p_desc, const void *top_p,
    const mluOpTensorDescriptor_t min_p_desc, const void *min_p,
    const mluOpTensorDescriptor_t q_desc, const void *q, const float eps, const bool is_need_logits,
    const int top_k_guess, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t logits_select_idx_desc, void *logits_select_idx,
    const mluOpTensorDescriptor_t logits_top_kp_select_desc, void *logits_top_kp_select) {
  const SampleCall call = {
      "[mluOpTopKTopPSample_v2]",
      {logits_desc, logits, top_k_desc, top_k, top_p_desc, top_p, min_p_desc, min_p},
      q_desc,
      q,
      eps,
      is_need_logits,
      top_k_guess,
      workspace,
      workspace_size,
      logits_select_idx_desc,
      logits_select_idx,
      logits_top_kp_select_desc,
      logits_top_kp_select};
  return sample(handle, &call);
}
