/* SPDX-License-Identifier: MIT
 *
 * What the host files of this family share: checks, workspace and launch. */
#ifndef KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_HOST_H_
#define KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_HOST_H_

#include <stdbool.h>
#include <stddef.h>

#include "kernels/top_k_top_p_sample/sample_forms.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tensors all operators of the family take. */
typedef struct SampleInputs {
  mluOpTensorDescriptor_t logits_desc;
  const void *logits;
  mluOpTensorDescriptor_t top_k_desc;
  const void *top_k;
  mluOpTensorDescriptor_t top_p_desc;
  const void *top_p;
  mluOpTensorDescriptor_t min_p_desc; /* NULL: off */
  const void *min_p;
} SampleInputs;

/* Handle and descriptors of the inputs; `api` is the public function's name in brackets. */
mluOpStatus_t sample_check_inputs(const char *api, mluOpHandle_t handle,
                                  const SampleInputs *inputs);

/* The data pointers of the inputs. */
mluOpStatus_t sample_check_data(const char *api, const SampleInputs *inputs);

/* Body of the workspace queries. */
mluOpStatus_t sample_get_workspace_size(const char *api, mluOpHandle_t handle,
                                        mluOpTensorDescriptor_t logits_desc,
                                        size_t *workspace_size);

/* Bytes the checked logits need. */
size_t sample_workspace_size(mluOpHandle_t handle, mluOpTensorDescriptor_t logits_desc);

/* Completes `outputs`, which has the noise and the outputs, and launches. */
mluOpStatus_t sample_launch(const mluopVariantTable *variants, mluOpHandle_t handle,
                            const SampleInputs *inputs, void *workspace,
                            const TopKTopPArgs *outputs);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_HOST_H_ */
