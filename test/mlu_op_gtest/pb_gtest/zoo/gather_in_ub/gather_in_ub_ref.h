/* SPDX-License-Identifier: MIT */
#ifndef ZOO_GATHER_IN_UB_REF_H_
#define ZOO_GATHER_IN_UB_REF_H_

#include <stdint.h>

#include "test/common/paged_ref.h"

/* One call of the operator on host memory. Rows are bytes, because their type does not matter. */
typedef struct GatherInUbCall {
  PagedRefTables tables; /* one request */
  const int32_t *indices;
  int64_t k;
  int64_t row_bytes;
  const void *param; /* [token_size][row_bytes] */
  void *output;      /* [k][row_bytes] */
} GatherInUbCall;

/* The definition of the operator. */
void gather_in_ub_ref(const GatherInUbCall *call);

/* Minimum of bytes moved: ids, one table entry for each id that has one, existing rows once in, all
 * rows once out. */
int64_t gather_in_ub_theory_bytes(const GatherInUbCall *call);

#endif /* ZOO_GATHER_IN_UB_REF_H_ */
