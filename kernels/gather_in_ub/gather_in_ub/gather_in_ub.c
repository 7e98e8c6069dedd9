/* SPDX-License-Identifier: MIT
 *
 * Host side of gather_in_ub: checks, and the call handed to a form of the kernel. One
 * query of the shared row gather. */
#include "core/tensor_rules.h"
#include "kernels/gather_in_ub/gather_rows.h"
#include "kernels/gather_in_ub/paged_host.h"

#define API "[mluOpGatherInUb]"

enum { PARAM, INDICES, BLOCK_TABLE, OUTPUT };
static const mluopTensorRule rules[] = {
    MLUOP_IN(param, PAGED_ROW_TYPES, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_SPACED_ROWS,
             MLUOP_UNIFORM(-100, 100)),
    MLUOP_IN(indices, MLUOP_INT32, MLUOP_DIMS(MLUOP_ONE, MLUOP_ANY), MLUOP_BELOW(LOGICAL_ROWS)),
    MLUOP_IN(block_table, MLUOP_INT32, MLUOP_DIMS(MLUOP_ONE, MLUOP_ANY), MLUOP_BELOW(BLOCKS)),
    MLUOP_OUT(output, MLUOP_TYPE_OF(PARAM), MLUOP_DIMS(MLUOP_DIM(INDICES, 1), MLUOP_DIM(PARAM, 1))),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("gather_in_ub", rules);

mluOpStatus_t MLUOP_WIN_API mluOpGatherInUb(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t param_desc, const void *param,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table, const int block_size,
    const int axis, const mluOpTensorDescriptor_t output_desc, void *output) {
  int64_t sizes[PAGED_SIZES];
  const mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, sizes, param, indices, block_table, output);
  MLUOP_RETURN_IF_FAILED(paged_check_types(&tensors, block_size));
  CHECK_VALUE(API, axis, axis == -2, "-2");
  MLUOP_RETURN_IF_FAILED(paged_check_shapes(&tensors));
  MLUOP_RETURN_IF_FAILED(paged_check_layouts(&tensors, BLOCK_TABLE));
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);

  const GatherRowsCall call = {
      .cache = paged_cache(param_desc, param, block_size),
      .tables = page_tables(block_table_desc, block_table),
      .queries = {.ids = indices, .query_num = 1, .ids_per_query = indices_desc->dims[1]},
      .output = output};
  paged_set_sizes(sizes, &call.cache, &call.tables, call.queries.ids_per_query);
  RECORD_CASE(gen_case, &tensors, genCaseParamInt(&gen_case, "block_size", block_size),
              genCaseParamInt(&gen_case, "axis", axis));
  return mluop_variant_launch(&gather_in_ub_variants, handle, &call);
}
