/* SPDX-License-Identifier: MIT
 *
 * The filter of top_k_top_p_sample without the draw. */
#include "core/tensor_rules.h"
#include "kernels/top_k_top_p_sample/sample_forms.h"

enum { OUTPUT = SAMPLE_COMMON_ROWS };
static const mluopTensorRule rules[] = {
    SAMPLE_COMMON_RULES,
    MLUOP_OUT(output, MLUOP_TYPE_OF(LOGITS), MLUOP_SHAPE_OF(LOGITS, 2)),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("apply_top_k_top_p", rules);

mluOpStatus_t MLUOP_WIN_API mluOpGetApplyTopKTopPWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, size_t *workspace_size) {
  mluopTensors tensors = MLUOP_TENSOR_QUERY("[mluOpGetApplyTopKTopPWorkspaceSize]", handle, &table,
                                            LOGITS, logits_desc);
  return sample_get_workspace_size(&tensors, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpApplyTopKTopP(mluOpHandle_t handle, MLUOP_IN_ARGS(logits),
                                               MLUOP_IN_ARGS(top_k), MLUOP_IN_ARGS(top_p),
                                               void *workspace, const size_t workspace_size,
                                               MLUOP_OUT_ARGS(output)) {
  mluopTensors tensors =
      MLUOP_TENSORS("[mluOpApplyTopKTopP]", handle, &table, NULL, logits, top_k, top_p, output);
  MLUOP_RETURN_IF_FAILED(sample_check_inputs(&tensors));
  CHECK_TENSORS(&tensors, MLUOP_ONLY(OUTPUT), PRESENT, RANK, TYPE, SHAPE, LAYOUT);
  CHECK_TENSOR_WORKSPACE(&tensors, workspace, workspace_size, sample_workspace_size(&tensors));
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);
  RECORD_CASE(&tensors);
  const TopKTopPArgs args = {.filtered = output,
                             .is_float_kept = logits_desc->dtype == MLUOP_DTYPE_FLOAT};
  return sample_launch(&apply_top_k_top_p_variants, &tensors, &args, workspace);
}
