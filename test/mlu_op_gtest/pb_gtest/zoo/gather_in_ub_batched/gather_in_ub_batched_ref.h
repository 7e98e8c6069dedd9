/* SPDX-License-Identifier: MIT */
#ifndef ZOO_GATHER_IN_UB_BATCHED_REF_H_
#define ZOO_GATHER_IN_UB_BATCHED_REF_H_

#include <stdint.h>

#include "test/common/paged_ref.h"
#include "test/common/ref_share.h"

/* One call of the operator on host memory. Rows are bytes, because their type does not matter. */
typedef struct GatherInUbBatchedCall {
  PagedRefTables tables;
  PagedRefQueries queries;
  int64_t row_bytes;
  const void *param; /* [token_size][row_bytes] */
  void *output;      /* [queries][k][row_bytes] */
  RefShare share;    /* of the queries */
} GatherInUbBatchedCall;

/* The definition of the operator. */
void gather_in_ub_batched_ref(const GatherInUbBatchedCall *call);

/* Minimum of bytes moved: ids, one table entry and one row in per existing row, all rows once out.
 */
int64_t gather_in_ub_batched_theory_bytes(const GatherInUbBatchedCall *call);

#endif /* ZOO_GATHER_IN_UB_BATCHED_REF_H_ */
