/* SPDX-License-Identifier: MIT
 *
 * The shared row gather with one query. */
#include "core/tensor_rules.h"
#include "kernels/gather_in_ub/paged_calls.h"

static const mluopTensorRule rules[] = {
    GATHER_PARAM_RULE,
    MLUOP_IN(indices, MLUOP_INT32, MLUOP_DIMS(MLUOP_ONE, MLUOP_ANY), MLUOP_BELOW(LOGICAL_ROWS)),
    MLUOP_IN(block_table, MLUOP_INT32, MLUOP_DIMS(MLUOP_ONE, MLUOP_ANY), MLUOP_BELOW(BLOCKS)),
    MLUOP_OUT(output, MLUOP_TYPE_OF(GATHER_PARAM),
              MLUOP_DIMS(MLUOP_DIM(GATHER_INDICES, 1), MLUOP_DIM(GATHER_PARAM, 1))),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("gather_in_ub", rules);

mluOpStatus_t MLUOP_WIN_API mluOpGatherInUb(mluOpHandle_t handle, MLUOP_IN_ARGS(param),
                                            MLUOP_IN_ARGS(indices), MLUOP_IN_ARGS(block_table),
                                            const int block_size, const int axis,
                                            MLUOP_OUT_ARGS(output)) {
  mluopTensors tensors =
      MLUOP_TENSORS("[mluOpGatherInUb]", handle, &table, NULL, param, indices, block_table, output);
  return gather_rows(&tensors, block_size, axis);
}
