/* SPDX-License-Identifier: MIT
 *
 * Host side of paged_cache_write: checks, and the call handed to the kernel. */
#include "kernels/gather_in_ub/paged_cache_write/paged_cache_write.h"

#include "core/check.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "kernels/gather_in_ub/paged_host.h"

#define API "[mluOpPagedCacheWrite]"

typedef struct PagedCacheWriteArgs {
  mluOpTensorDescriptor_t input_desc, positions_desc, request_ids_desc, block_table_desc,
      cache_desc;
  const void *request_ids;
  int block_size;
} PagedCacheWriteArgs;

static mluOpStatus_t check_tensors(mluOpHandle_t handle, const PagedCacheWriteArgs *args) {
  mluOpTensorDescriptor_t input_desc = args->input_desc, positions_desc = args->positions_desc;
  mluOpTensorDescriptor_t request_ids_desc = args->request_ids_desc;
  mluOpTensorDescriptor_t block_table_desc = args->block_table_desc, cache_desc = args->cache_desc;
  int block_size = args->block_size;
  const void *request_ids = args->request_ids;

  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, input_desc);
  CHECK_DESC(API, positions_desc);
  CHECK_DESC(API, block_table_desc);
  CHECK_DESC(API, cache_desc);

  CHECK_RANK(API, input_desc, 2);
  CHECK_RANK(API, positions_desc, 1);
  CHECK_RANK(API, block_table_desc, 2);
  CHECK_RANK(API, cache_desc, 2);

  CHECK_DTYPE(API, input_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16,
              MLUOP_DTYPE_INT8, MLUOP_DTYPE_UINT8);
  CHECK_BFLOAT16(API, handle, input_desc);
  CHECK_SAME_DTYPE(API, cache_desc, input_desc);
  CHECK_DTYPE(API, positions_desc, MLUOP_DTYPE_INT32);
  CHECK_DTYPE(API, block_table_desc, MLUOP_DTYPE_INT32);

  CHECK_VALUE(API, block_size, block_size > 0, "1 or more");
  CHECK_DIM(API, positions_desc, 0, input_desc->dims[0]);
  CHECK_DIM(API, cache_desc, 1, input_desc->dims[1]);
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "input_desc", input_desc));
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "block_table_desc", block_table_desc));
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "cache_desc", cache_desc));
  CHECK_PAGED_OPTIONAL(API, request_ids, request_ids_desc, input_desc->dims[0]);
  CHECK_VALUE(API, request_ids, request_ids || block_table_desc->dims[0] == 1,
              "not NULL, because block_table has more than one row");

  CHECK_CONTIGUOUS(API, input_desc);
  CHECK_CONTIGUOUS(API, positions_desc);
  CHECK_CONTIGUOUS(API, block_table_desc);
  CHECK_ROWS(API, cache_desc);
  MLUOP_RETURN_IF_FAILED(mluop_check_limit(API, "cache_desc", "rows", (uint64_t)cache_desc->dims[0],
                                           (uint64_t)1 << 32, ""));
  /* Entries of all requests are addressed by one unsigned 32-bit byte offset. */
  return mluop_check_limit(API, "block_table_desc", "entries",
                           (uint64_t)block_table_desc->total_num, PAGE_TABLE_MAX_ENTRIES, "");
}

mluOpStatus_t MLUOP_WIN_API mluOpPagedCacheWrite(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void *input,
    const mluOpTensorDescriptor_t positions_desc, const void *positions,
    const mluOpTensorDescriptor_t request_ids_desc, const void *request_ids,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table, const int block_size,
    const mluOpTensorDescriptor_t cache_desc, void *cache) {
  const PagedCacheWriteArgs args = {input_desc, positions_desc, request_ids_desc, block_table_desc,
                                    cache_desc, request_ids,    block_size};
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, &args));
  CHECK_DATA(API, input);
  CHECK_DATA(API, positions);
  CHECK_DATA(API, block_table);
  CHECK_DATA(API, cache);
  CHECK_APART(API, MLUOP_WRITTEN(cache, cache_desc), MLUOP_READ(input, input_desc),
              MLUOP_READ(positions, positions_desc), MLUOP_READ(block_table, block_table_desc),
              MLUOP_READ(request_ids, request_ids_desc));

  const PagedCacheWriteCall call = {.input = input,
                                    .row_num = input_desc->dims[0],
                                    .positions = positions,
                                    .request_ids = request_ids,
                                    .tables = page_tables(block_table_desc, block_table),
                                    .cache = paged_cache(cache_desc, cache, block_size)};

  GEN_CASE(gen_case, handle, "paged_cache_write", NULL);
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "input", input_desc, input, genCaseUniform(-100, 100));
    genCaseInput(&gen_case, "positions", positions_desc, positions,
                 genCaseReal(0, (double)call.tables.entry_num * block_size - 1));
    genCaseInput(&gen_case, "request_ids", request_ids_desc, request_ids,
                 genCaseReal(0, (double)(call.tables.request_num - 1)));
    genCaseInput(&gen_case, "block_table", block_table_desc, block_table,
                 genCaseReal(0, (double)((call.cache.row_num - 1) / block_size)));
    genCaseInput(&gen_case, "cache", cache_desc, cache, genCaseUniform(-100, 100));
    genCaseOutput(&gen_case, "cache", cache_desc, cache);
    genCaseParamInt(&gen_case, "block_size", block_size);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  return PagedCacheWriteReference(handle, &call);
}
