/* SPDX-License-Identifier: MIT
 *
 * The shared row gather with many queries. */
#include "core/tensor_rules.h"
#include "kernels/gather_in_ub/paged_calls.h"

static const mluopTensorRule rules[] = {
    GATHER_PARAM_RULE,
    MLUOP_IN(indices, MLUOP_INT32, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_BELOW(LOGICAL_ROWS)),
    MLUOP_IN(block_table, PAGED_TABLES),
    MLUOP_OUT(output, MLUOP_TYPE_OF(GATHER_PARAM),
              MLUOP_DIMS(MLUOP_DIM(GATHER_INDICES, 0), MLUOP_DIM(GATHER_INDICES, 1),
                         MLUOP_DIM(GATHER_PARAM, 1))),
    MLUOP_IN(request_ids, PAGED_OPTIONAL(GATHER_INDICES, 0, REQUESTS)),
    MLUOP_IN(valid_counts, PAGED_OPTIONAL(GATHER_INDICES, 0, VALID_COUNTS)),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("gather_in_ub_batched", rules);

mluOpStatus_t MLUOP_WIN_API mluOpGatherInUbBatched(
    mluOpHandle_t handle, MLUOP_IN_ARGS(param), MLUOP_IN_ARGS(indices), MLUOP_IN_ARGS(block_table),
    MLUOP_IN_ARGS(request_ids), MLUOP_IN_ARGS(valid_counts), const int block_size, const int axis,
    MLUOP_OUT_ARGS(output)) {
  mluopTensors tensors = MLUOP_TENSORS("[mluOpGatherInUbBatched]", handle, &table, NULL, param,
                                       indices, block_table, output, request_ids, valid_counts);
  return gather_rows(&tensors, block_size, axis);
}
