/* SPDX-License-Identifier: MIT
 *
 * Host side of apply_top_k_top_p: the filter of top_k_top_p_sample without the draw. */
#include "core/check.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "kernels/top_k_top_p_sample/sample_host.h"

#define API "[mluOpApplyTopKTopP]"

mluOpStatus_t MLUOP_WIN_API mluOpGetApplyTopKTopPWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, size_t *workspace_size) {
  return sample_get_workspace_size("[mluOpGetApplyTopKTopPWorkspaceSize]", handle, logits_desc,
                                   workspace_size);
}

static void record_case(mluopGenCase *gen_case, const SampleInputs *in,
                        mluOpTensorDescriptor_t output_desc, const void *output) {
  genCaseInput(gen_case, "logits", in->logits_desc, in->logits, genCaseGaussian(0, 2.5));
  genCaseInput(gen_case, "top_k", in->top_k_desc, in->top_k, genCaseReal(1, 50));
  genCaseInput(gen_case, "top_p", in->top_p_desc, in->top_p, genCaseReal(0.9, 0.95));
  genCaseOutput(gen_case, "output", output_desc, output);
  genCaseTestParam(gen_case, "DIFF3", 0);
  genCaseWrite(gen_case);
}

mluOpStatus_t MLUOP_WIN_API mluOpApplyTopKTopP(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, const void *logits,
    const mluOpTensorDescriptor_t top_k_desc, const void *top_k,
    const mluOpTensorDescriptor_t top_p_desc, const void *top_p, void *workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void *output) {
  const SampleInputs inputs = {logits_desc, logits, top_k_desc, top_k,
                               top_p_desc,  top_p,  NULL,       NULL};
  MLUOP_RETURN_IF_FAILED(sample_check_inputs(API, handle, &inputs));
  CHECK_DESC(API, output_desc);
  CHECK_RANK(API, output_desc, 2);
  CHECK_SAME_DTYPE(API, output_desc, logits_desc);
  CHECK_SAME_SHAPE(API, output_desc, logits_desc);
  CHECK_CONTIGUOUS(API, output_desc);
  const size_t needed = sample_workspace_size(handle, logits_desc);
  CHECK_WORKSPACE(API, workspace, workspace_size, needed);
  MLUOP_RETURN_IF_FAILED(sample_check_data(API, &inputs));
  CHECK_DATA(API, output);
  CHECK_APART(API, MLUOP_WRITTEN(output, output_desc), MLUOP_SCRATCH(workspace, needed),
              MLUOP_READ(logits, logits_desc), MLUOP_READ(top_k, top_k_desc),
              MLUOP_READ(top_p, top_p_desc));

  GEN_CASE(gen_case, handle, "apply_top_k_top_p", NULL);
  if (genCaseIsOn(&gen_case)) record_case(&gen_case, &inputs, output_desc, output);
  const TopKTopPArgs args = {.filtered = output,
                             .is_float_kept = logits_desc->dtype == MLUOP_DTYPE_FLOAT};
  return sample_launch(&apply_top_k_top_p_variants, handle, &inputs, workspace, &args);
}
