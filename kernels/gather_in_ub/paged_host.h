/* SPDX-License-Identifier: MIT
 *
 * What the host files of this family share: checks of a paged cache, its tables and the queries,
 * and how work is cut. Each check prints one line and returns the status when it fails; `api` is
 * the public function's name in brackets. */
#ifndef KERNELS_GATHER_IN_UB_PAGED_HOST_H_
#define KERNELS_GATHER_IN_UB_PAGED_HOST_H_

#include <stdint.h>

#include "cnrt.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Not too many entries per request, else NOT_SUPPORTED. Rank 2. */
mluOpStatus_t paged_check_table(const char *api, const char *name, mluOpTensorDescriptor_t desc);

/* Every size is positive. */
mluOpStatus_t paged_check_not_empty(const char *api, const char *name,
                                    mluOpTensorDescriptor_t desc);

/* An optional int32 tensor [wanted], whose text is part of the message. */
#define CHECK_PAGED_OPTIONAL(api, data, desc, wanted) \
  MLUOP_RETURN_IF_FAILED(paged_check_optional(api, #data, data, #desc, desc, #wanted, wanted))
mluOpStatus_t paged_check_optional(const char *api, const char *name, const void *data,
                                   const char *desc_name, mluOpTensorDescriptor_t desc,
                                   const char *wanted_text, int64_t wanted);

/* The checked tensors as the kernels take them. */
PagedCache paged_cache(mluOpTensorDescriptor_t desc, const void *data, int block_size);
PageTables page_tables(mluOpTensorDescriptor_t desc, const void *data);

/* How many ids a unit has and how many tasks share the units: all cores have work as long as a unit
 * has something to move, also when there is one query only. */
typedef struct PagedLaunch {
  cnrtDim3_t dim;
  int unit_ids;
} PagedLaunch;

PagedLaunch paged_launch(mluOpHandle_t handle, int64_t query_num, int64_t ids_per_query,
                         int64_t row_bytes, int max_unit_ids, int tasks_per_core);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_GATHER_IN_UB_PAGED_HOST_H_ */
