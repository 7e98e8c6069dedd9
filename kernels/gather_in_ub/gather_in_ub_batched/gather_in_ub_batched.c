/* SPDX-License-Identifier: MIT
 *
 * Host side of gather_in_ub_batched: checks, and the call handed to a form of the kernel. */
#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "kernels/gather_in_ub/gather_rows.h"
#include "kernels/gather_in_ub/paged_host.h"

#define API "[mluOpGatherInUbBatched]"

typedef struct GatherInUbBatchedArgs {
  mluOpTensorDescriptor_t param_desc, indices_desc, block_table_desc, request_ids_desc;
  mluOpTensorDescriptor_t valid_counts_desc, output_desc;
  const void *request_ids, *valid_counts;
  int block_size, axis;
} GatherInUbBatchedArgs;

static mluOpStatus_t check_tensors(mluOpHandle_t handle, const GatherInUbBatchedArgs *args) {
  mluOpTensorDescriptor_t param_desc = args->param_desc, indices_desc = args->indices_desc;
  mluOpTensorDescriptor_t block_table_desc = args->block_table_desc;
  mluOpTensorDescriptor_t request_ids_desc = args->request_ids_desc;
  mluOpTensorDescriptor_t valid_counts_desc = args->valid_counts_desc;
  mluOpTensorDescriptor_t output_desc = args->output_desc;
  const void *request_ids = args->request_ids, *valid_counts = args->valid_counts;
  int block_size = args->block_size, axis = args->axis;

  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, param_desc);
  CHECK_DESC(API, indices_desc);
  CHECK_DESC(API, block_table_desc);
  CHECK_DESC(API, output_desc);

  CHECK_RANK(API, param_desc, 2);
  CHECK_RANK(API, indices_desc, 2);
  CHECK_RANK(API, block_table_desc, 2);
  CHECK_RANK(API, output_desc, 3);

  CHECK_DTYPE(API, param_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16,
              MLUOP_DTYPE_INT8, MLUOP_DTYPE_UINT8);
  CHECK_BFLOAT16(API, handle, param_desc);
  CHECK_SAME_DTYPE(API, output_desc, param_desc);
  CHECK_DTYPE(API, indices_desc, MLUOP_DTYPE_INT32);
  CHECK_DTYPE(API, block_table_desc, MLUOP_DTYPE_INT32);

  CHECK_VALUE(API, block_size, block_size > 0, "1 or more");
  CHECK_VALUE(API, axis, axis == -2, "-2");
  CHECK_DIM(API, output_desc, 0, indices_desc->dims[0]);
  CHECK_DIM(API, output_desc, 1, indices_desc->dims[1]);
  CHECK_DIM(API, output_desc, 2, param_desc->dims[1]);
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "param_desc", param_desc));
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "indices_desc", indices_desc));
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "block_table_desc", block_table_desc));
  CHECK_PAGED_OPTIONAL(API, request_ids, request_ids_desc, indices_desc->dims[0]);
  CHECK_PAGED_OPTIONAL(API, valid_counts, valid_counts_desc, indices_desc->dims[0]);

  CHECK_ROWS(API, param_desc);
  CHECK_CONTIGUOUS(API, indices_desc);
  CHECK_CONTIGUOUS(API, block_table_desc);
  CHECK_CONTIGUOUS(API, output_desc);
  return paged_check_table(API, "block_table_desc", block_table_desc);
}

mluOpStatus_t MLUOP_WIN_API mluOpGatherInUbBatched(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t param_desc, const void *param,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table,
    const mluOpTensorDescriptor_t request_ids_desc, const void *request_ids,
    const mluOpTensorDescriptor_t valid_counts_desc, const void *valid_counts, const int block_size,
    const int axis, const mluOpTensorDescriptor_t output_desc, void *output) {
  const GatherInUbBatchedArgs args = {
      param_desc,  indices_desc, block_table_desc, request_ids_desc, valid_counts_desc,
      output_desc, request_ids,  valid_counts,     block_size,       axis};
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, &args));
  CHECK_DATA(API, param);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, block_table);
  CHECK_DATA(API, output);
  CHECK_APART(API, MLUOP_WRITTEN(output, output_desc), MLUOP_READ(param, param_desc),
              MLUOP_READ(indices, indices_desc), MLUOP_READ(block_table, block_table_desc),
              MLUOP_READ(request_ids, request_ids_desc),
              MLUOP_READ(valid_counts, valid_counts_desc));

  const GatherRowsCall call = {.cache = paged_cache(param_desc, param, block_size),
                               .tables = page_tables(block_table_desc, block_table),
                               .queries = {.ids = indices,
                                           .query_num = indices_desc->dims[0],
                                           .ids_per_query = indices_desc->dims[1],
                                           .request_ids = request_ids,
                                           .valid_counts = valid_counts},
                               .output = output};

  GEN_CASE(gen_case, handle, "gather_in_ub_batched", NULL);
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "param", param_desc, param, genCaseUniform(-100, 100));
    genCaseInput(&gen_case, "indices", indices_desc, indices,
                 genCaseReal(0, (double)call.tables.entry_num * block_size - 1));
    genCaseInput(&gen_case, "block_table", block_table_desc, block_table,
                 genCaseReal(0, (double)((call.cache.row_num - 1) / block_size)));
    genCaseInput(&gen_case, "request_ids", request_ids_desc, request_ids,
                 genCaseReal(0, (double)(call.tables.request_num - 1)));
    genCaseInput(&gen_case, "valid_counts", valid_counts_desc, valid_counts,
                 genCaseReal(0, (double)call.queries.ids_per_query));
    genCaseOutput(&gen_case, "output", output_desc, output);
    genCaseParamInt(&gen_case, "block_size", block_size);
    genCaseParamInt(&gen_case, "axis", axis);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  return mluop_variant_launch(&gather_in_ub_batched_variants, handle, &call);
}
