/* SPDX-License-Identifier: MIT
 *
 * Host side of gather_in_ub and gather_in_ub_batched. */
#ifndef KERNELS_GATHER_IN_UB_GATHER_HOST_H_
#define KERNELS_GATHER_IN_UB_GATHER_HOST_H_

#include "kernels/gather_in_ub/gather_rows.h"

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

/* Rows of both tensor tables; that of gather_in_ub ends with the output. */
enum { PARAM, INDICES, BLOCK_TABLE, OUTPUT, REQUEST_IDS, COUNTS };
#define GATHER_PARAM_RULE                                                               \
  MLUOP_IN(param, PAGED_ROW_TYPES, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_SPACED_ROWS, \
           MLUOP_UNIFORM(-100, 100))

/* Checks the call and launches it. */
mluOpStatus_t gather_rows(mluopTensors *tensors, const mluopVariantTable *variants, int block_size,
                          int axis);

#endif /* KERNELS_GATHER_IN_UB_GATHER_HOST_H_ */
