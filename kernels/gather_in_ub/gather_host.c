/* SPDX-License-Identifier: MIT */
#include "kernels/gather_in_ub/gather_host.h"

#include "core/tensor_rules.h"
#include "kernels/gather_in_ub/paged_host.h"

mluOpStatus_t gather_rows(mluopTensors *tensors, const mluopVariantTable *variants, int block_size,
                          int axis) {
  MLUOP_RETURN_IF_FAILED(paged_check_types(tensors, block_size));
  CHECK_VALUE(tensors->api, axis, axis == -2, "-2");
  MLUOP_RETURN_IF_FAILED(paged_check_shapes(tensors));
  MLUOP_RETURN_IF_FAILED(paged_check_layouts(tensors, BLOCK_TABLE));
  CHECK_TENSORS(tensors, MLUOP_ALL, DATA, APART);

  const GatherRowsCall call = {.cache = paged_cache(tensors, PARAM, block_size),
                               .tables = page_tables(tensors, BLOCK_TABLE),
                               .queries = paged_queries(tensors, INDICES, REQUEST_IDS, COUNTS),
                               .output = (void *)tensors->tensor[OUTPUT].data};
  int64_t sizes[PAGED_SIZES];
  paged_set_sizes(tensors, sizes, &call.cache, &call.tables, call.queries.ids_per_query);
  RECORD_CASE(tensors, block_size, axis);
  return mluop_variant_launch(variants, tensors->handle, &call);
}
