/* SPDX-License-Identifier: MIT
 *
 * The sum of row_sum.mluh without padding; a task has a part of one token. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_SMALL_TASKS_ROW_SUM_H_
#define KERNELS_MOE_TOKEN_PERMUTE_SMALL_TASKS_ROW_SUM_H_

#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why it cannot do a call, or NULL. */
const char *small_row_sum_refusal(const MoeTokenRowsArgs *args, mluOpDataType_t dtype,
                                  int64_t hidden);

/* sums[token] = sum of the token's rows, weighted if there are probs. All sizes are positive. */
mluOpStatus_t KernelSmallRowSum(mluOpHandle_t handle, mluOpDataType_t dtype,
                                mluOpDataType_t probs_dtype, const MoeTokenRowsArgs *args,
                                const void *rows, int64_t hidden, void *sums);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_SMALL_TASKS_ROW_SUM_H_ */
