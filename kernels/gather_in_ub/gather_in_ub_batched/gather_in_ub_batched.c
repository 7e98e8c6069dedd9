/* SPDX-License-Identifier: MIT
 *
 * Host side of gather_in_ub_batched: checks, and the call handed to a form of the kernel. */
#include "core/tensor_rules.h"
#include "kernels/gather_in_ub/gather_rows.h"
#include "kernels/gather_in_ub/paged_host.h"

#define API "[mluOpGatherInUbBatched]"

enum { PARAM, INDICES, BLOCK_TABLE, REQUEST_IDS, COUNTS, OUTPUT };
static const mluopTensorRule rules[] = {
    MLUOP_IN(param, PAGED_ROW_TYPES, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_SPACED_ROWS,
             MLUOP_UNIFORM(-100, 100)),
    MLUOP_IN(indices, MLUOP_INT32, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_BELOW(LOGICAL_ROWS)),
    MLUOP_IN(block_table, PAGED_TABLES),
    MLUOP_IN(request_ids, PAGED_OPTIONAL(INDICES, 0, REQUESTS)),
    MLUOP_IN(valid_counts, PAGED_OPTIONAL(INDICES, 0, VALID_COUNTS)),
    MLUOP_OUT(output, MLUOP_TYPE_OF(PARAM),
              MLUOP_DIMS(MLUOP_DIM(INDICES, 0), MLUOP_DIM(INDICES, 1), MLUOP_DIM(PARAM, 1))),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("gather_in_ub_batched", rules);

mluOpStatus_t MLUOP_WIN_API mluOpGatherInUbBatched(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t param_desc, const void *param,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table,
    const mluOpTensorDescriptor_t request_ids_desc, const void *request_ids,
    const mluOpTensorDescriptor_t valid_counts_desc, const void *valid_counts, const int block_size,
    const int axis, const mluOpTensorDescriptor_t output_desc, void *output) {
  int64_t sizes[PAGED_SIZES];
  const mluopTensors tensors = MLUOP_TENSORS(API, handle, &table, sizes, param, indices,
                                             block_table, request_ids, valid_counts, output);
  MLUOP_RETURN_IF_FAILED(paged_check_types(&tensors, block_size));
  CHECK_VALUE(API, axis, axis == -2, "-2");
  MLUOP_RETURN_IF_FAILED(paged_check_shapes(&tensors));
  MLUOP_RETURN_IF_FAILED(paged_check_layouts(&tensors, BLOCK_TABLE));
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);

  const GatherRowsCall call = {.cache = paged_cache(param_desc, param, block_size),
                               .tables = page_tables(block_table_desc, block_table),
                               .queries = {.ids = indices,
                                           .query_num = indices_desc->dims[0],
                                           .ids_per_query = indices_desc->dims[1],
                                           .request_ids = request_ids,
                                           .valid_counts = valid_counts},
                               .output = output};
  paged_set_sizes(sizes, &call.cache, &call.tables, call.queries.ids_per_query);
  RECORD_CASE(gen_case, &tensors, genCaseParamInt(&gen_case, "block_size", block_size),
              genCaseParamInt(&gen_case, "axis", axis));
  return mluop_variant_launch(&gather_in_ub_batched_variants, handle, &call);
}
