/* SPDX-License-Identifier: MIT
 *
 * Host side of top_k_top_p_sample. */
#include "core/tensor_rules.h"
#include "kernels/top_k_top_p_sample/sample_forms.h"
#include "kernels/top_k_top_p_sample/sample_host.h"

enum { Q = SAMPLE_COMMON_ROWS, MIN_P, INDEX, FILTERED };
#define SAMPLE_FILTERED MLUOP_TYPES(MLUOP_DTYPE_FLOAT), MLUOP_SHAPE_OF(LOGITS, 2)
static const mluopTensorRule rules[] = {
    SAMPLE_COMMON_RULES,
    MLUOP_IN(q, MLUOP_OPTIONAL, SAMPLE_FILTERED, MLUOP_UNIFORM(0.01, 4)),
    MLUOP_IN(min_p, MLUOP_OPTIONAL, MLUOP_LEFT_OUT, MLUOP_TYPE_OF(LOGITS), SAMPLE_PER_ROW,
             MLUOP_REAL(0, 0.1)),
    MLUOP_OUT(logits_select_idx, MLUOP_TYPES(MLUOP_DTYPE_INT64), SAMPLE_PER_ROW),
    MLUOP_OUT(logits_top_kp_select, MLUOP_OPTIONAL, MLUOP_LEFT_OUT, SAMPLE_FILTERED),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("top_k_top_p_sample", rules);

typedef struct SampleScalars {
  float eps;
  bool is_need_logits;
  int top_k_guess;
  void *workspace;
  size_t workspace_size;
} SampleScalars;

static mluOpStatus_t check_descs(const mluopTensors *tensors, const SampleScalars *scalars) {
  const float eps = scalars->eps;
  MLUOP_RETURN_IF_FAILED(sample_check_inputs(tensors));
  CHECK_TENSORS(tensors, MLUOP_ONLY(MIN_P), RANK, TYPE, SHAPE, LAYOUT);
  CHECK_TENSORS(tensors, MLUOP_ONLY(INDEX), PRESENT, RANK, TYPE, SHAPE, LAYOUT);
  CHECK_TENSORS(tensors, MLUOP_ONLY(Q), RANK, TYPE, SHAPE, LAYOUT);
  CHECK_VALUE(tensors->api, eps, eps >= 0, "0 or more");
  if (scalars->is_need_logits) {
    const mluOpTensorDescriptor_t logits_top_kp_select_desc = tensors->tensor[FILTERED].desc;
    CHECK_DESC(tensors->api, logits_top_kp_select_desc);
  }
  CHECK_TENSORS(tensors, MLUOP_ONLY(FILTERED), RANK, TYPE, SHAPE, LAYOUT);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_data(mluopTensors *tensors, const SampleScalars *scalars) {
  CHECK_TENSOR_WORKSPACE(tensors, scalars->workspace, scalars->workspace_size,
                         sample_workspace_size(tensors));
  CHECK_TENSORS(tensors, MLUOP_ONLY(LOGITS, TOP_K, TOP_P, MIN_P), DATA);
  CHECK_TENSORS(tensors, MLUOP_ONLY(Q, INDEX), DATA);
  if (scalars->is_need_logits) {
    const void *logits_top_kp_select = tensors->tensor[FILTERED].data;
    CHECK_DATA(tensors->api, logits_top_kp_select);
  }
  CHECK_TENSORS(tensors, MLUOP_ALL, APART);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t sample(mluopTensors *tensors, const SampleScalars *scalars) {
  if (!scalars->is_need_logits) {
    tensors->tensor[FILTERED].desc = NULL; /* whatever the caller has passed */
    tensors->tensor[FILTERED].data = NULL;
  }
  MLUOP_RETURN_IF_FAILED(check_descs(tensors, scalars));
  MLUOP_RETURN_IF_FAILED(check_data(tensors, scalars));
  RECORD_CASE(
      gen_case, tensors, genCaseParamFloat(&gen_case, "eps", scalars->eps),
      genCaseParamName(&gen_case, "is_need_logits", scalars->is_need_logits ? "true" : "false"),
      genCaseParamInt(&gen_case, "top_k_guess", scalars->top_k_guess));
  const TopKTopPArgs args = {.min_p = tensors->tensor[MIN_P].data,
                             .q = tensors->tensor[Q].data,
                             .eps = scalars->eps,
                             .index = (int64_t *)tensors->tensor[INDEX].data,
                             .filtered = (void *)tensors->tensor[FILTERED].data,
                             .is_float_kept = true};
  return sample_launch(&top_k_top_p_sample_variants, tensors, &args, scalars->workspace);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTopKTopPSampleWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, size_t *workspace_size) {
  const mluopTensors tensors = MLUOP_TENSOR_QUERY("[mluOpGetTopKTopPSampleWorkspaceSize]", handle,
                                                  &table, LOGITS, logits_desc);
  return sample_get_workspace_size(&tensors, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpTopKTopPSample(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, const void *logits,
    const mluOpTensorDescriptor_t top_k_desc, const void *top_k,
    const mluOpTensorDescriptor_t top_p_desc, const void *top_p,
    const mluOpTensorDescriptor_t q_desc, const void *q, const float eps, const bool is_need_logits,
    const int top_k_guess, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t logits_select_idx_desc, void *logits_select_idx,
    const mluOpTensorDescriptor_t logits_top_kp_select_desc, void *logits_top_kp_select) {
  const mluOpTensorDescriptor_t min_p_desc = NULL;
  const void *min_p = NULL;
  const SampleScalars scalars = {eps, is_need_logits, top_k_guess, workspace, workspace_size};
  mluopTensors tensors = MLUOP_TENSORS("[mluOpTopKTopPSample]", handle, &table, NULL, logits, top_k,
                                       top_p, q, min_p, logits_select_idx, logits_top_kp_select);
  return sample(&tensors, &scalars);
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
  const SampleScalars scalars = {eps, is_need_logits, top_k_guess, workspace, workspace_size};
  mluopTensors tensors =
      MLUOP_TENSORS("[mluOpTopKTopPSample_v2]", handle, &table, NULL, logits, top_k, top_p, q,
                    min_p, logits_select_idx, logits_top_kp_select);
  return sample(&tensors, &scalars);
}
