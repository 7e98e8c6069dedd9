/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"
#include "kernels/top_k_top_p_sample/sample_forms.h"

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

static mluOpStatus_t check_descs(mluopTensors *tensors, float eps, bool is_need_logits) {
  MLUOP_RETURN_IF_FAILED(sample_check_inputs(tensors));
  CHECK_TENSORS(tensors, MLUOP_ONLY(MIN_P), RANK, TYPE, SHAPE, LAYOUT);
  CHECK_TENSORS(tensors, MLUOP_ONLY(INDEX), PRESENT, RANK, TYPE, SHAPE, LAYOUT);
  CHECK_TENSORS(tensors, MLUOP_ONLY(Q), RANK, TYPE, SHAPE, LAYOUT);
  CHECK_VALUE(tensors->api, eps, eps >= 0, "0 or more");
  if (is_need_logits) {
    const mluOpTensorDescriptor_t logits_top_kp_select_desc = tensors->tensor[FILTERED].desc;
    CHECK_DESC(tensors->api, logits_top_kp_select_desc);
  }
  CHECK_TENSORS(tensors, MLUOP_ONLY(FILTERED), RANK, TYPE, SHAPE, LAYOUT);
  return MLUOP_STATUS_SUCCESS;
}

/* Parameters of both public functions before and after min_p, and the same as arguments. */
#define SAMPLE_FIRST_PARAMETERS \
  mluOpHandle_t handle, MLUOP_IN_ARGS(logits), MLUOP_IN_ARGS(top_k), MLUOP_IN_ARGS(top_p)
#define SAMPLE_OTHER_PARAMETERS                                                        \
  MLUOP_IN_ARGS(q), const float eps, const bool is_need_logits, const int top_k_guess, \
      void *workspace, const size_t workspace_size, MLUOP_OUT_ARGS(logits_select_idx), \
      MLUOP_OUT_ARGS(logits_top_kp_select)
#define SAMPLE_FIRST_ARGUMENTS handle, logits_desc, logits, top_k_desc, top_k, top_p_desc, top_p
#define SAMPLE_OTHER_ARGUMENTS                                                                    \
  q_desc, q, eps, is_need_logits, top_k_guess, workspace, workspace_size, logits_select_idx_desc, \
      logits_select_idx, logits_top_kp_select_desc, logits_top_kp_select

static mluOpStatus_t sample(const char *api, SAMPLE_FIRST_PARAMETERS, MLUOP_IN_ARGS(min_p),
                            SAMPLE_OTHER_PARAMETERS) {
  mluopTensors tensors = MLUOP_TENSORS(api, handle, &table, NULL, logits, top_k, top_p, q, min_p,
                                       logits_select_idx, logits_top_kp_select);
  if (!is_need_logits) {
    tensors.tensor[FILTERED].desc = NULL; /* ignores what the caller passed */
    tensors.tensor[FILTERED].data = NULL;
  }
  MLUOP_RETURN_IF_FAILED(check_descs(&tensors, eps, is_need_logits));
  CHECK_TENSOR_WORKSPACE(&tensors, workspace, workspace_size, sample_workspace_size(&tensors));
  CHECK_TENSORS(&tensors, MLUOP_ONLY(LOGITS, TOP_K, TOP_P, MIN_P), DATA);
  CHECK_TENSORS(&tensors, MLUOP_ONLY(Q, INDEX), DATA);
  if (is_need_logits) CHECK_DATA(api, logits_top_kp_select);
  CHECK_TENSORS(&tensors, MLUOP_ALL, APART);
  RECORD_CASE(&tensors, eps, is_need_logits, top_k_guess);
  const TopKTopPArgs args = {.min_p = min_p,
                             .q = q,
                             .eps = eps,
                             .index = logits_select_idx,
                             .filtered = is_need_logits ? logits_top_kp_select : NULL,
                             .is_float_kept = true};
  return sample_launch(&top_k_top_p_sample_variants, &tensors, &args, workspace);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTopKTopPSampleWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, size_t *workspace_size) {
  mluopTensors tensors = MLUOP_TENSOR_QUERY("[mluOpGetTopKTopPSampleWorkspaceSize]", handle, &table,
                                            LOGITS, logits_desc);
  return sample_get_workspace_size(&tensors, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpTopKTopPSample(SAMPLE_FIRST_PARAMETERS, SAMPLE_OTHER_PARAMETERS) {
  return sample("[mluOpTopKTopPSample]", SAMPLE_FIRST_ARGUMENTS, NULL, NULL,
                SAMPLE_OTHER_ARGUMENTS);
}

mluOpStatus_t MLUOP_WIN_API mluOpTopKTopPSample_v2(SAMPLE_FIRST_PARAMETERS, MLUOP_IN_ARGS(min_p),
                                                   SAMPLE_OTHER_PARAMETERS) {
  return sample("[mluOpTopKTopPSample_v2]", SAMPLE_FIRST_ARGUMENTS, min_p_desc, min_p,
                SAMPLE_OTHER_ARGUMENTS);
}
