/* SPDX-License-Identifier: MIT
 *
 * Checks, workspace and launch for the host files of this family. */
#ifndef KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_HOST_H_
#define KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_HOST_H_

#include <stdbool.h>
#include <stddef.h>

#include "kernels/top_k_top_p_sample/sample_forms.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

/* All tables of the family begin with these three. */
enum { LOGITS, TOP_K, TOP_P, SAMPLE_COMMON_ROWS };
#define SAMPLE_COMMON_RULES                                                                \
  MLUOP_IN(logits, MLUOP_TYPES(MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT), \
           MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_SPACED_ROWS, MLUOP_GAUSSIAN(0, 2.5)),   \
      MLUOP_IN(top_k, MLUOP_INT32, SAMPLE_PER_ROW, MLUOP_REAL(1, 50)),                     \
      MLUOP_IN(top_p, MLUOP_TYPE_OF(LOGITS), SAMPLE_PER_ROW, MLUOP_REAL(0.9, 0.95))
#define SAMPLE_PER_ROW MLUOP_DIMS(MLUOP_DIM(LOGITS, 0))

/* Checks the handle and these three descriptors. */
mluOpStatus_t sample_check_inputs(mluopTensors *tensors);

/* Body of the workspace queries, which only have the logits. */
mluOpStatus_t sample_get_workspace_size(mluopTensors *tensors, size_t *workspace_size);

/* Bytes of workspace for checked logits. */
size_t sample_workspace_size(const mluopTensors *tensors);

/* Adds these three tensors to `args` and launches. */
mluOpStatus_t sample_launch(const mluopVariantTable *variants, const mluopTensors *tensors,
                            const TopKTopPArgs *args, void *workspace);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_HOST_H_ */
