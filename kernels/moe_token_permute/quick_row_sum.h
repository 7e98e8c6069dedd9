/* SPDX-License-Identifier: MIT
 *
 * The sum of row_sum.mluh without padding, for devices whose scalar code is slow. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_QUICK_ROW_SUM_H_
#define KERNELS_MOE_TOKEN_PERMUTE_QUICK_ROW_SUM_H_

#include "cnrt.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it is the better way to do this call, and can do it. */
bool QuickRowSumSuits(const MoeTokenRowsArgs *args, mluOpDataType_t dtype, int64_t hidden);

/* sums[token] = the sum of the token's rows, weighted where there are probs; types as of the
 * operators, all sizes are positive. */
mluOpStatus_t KernelQuickRowSum(cnrtQueue_t queue, mluOpDataType_t dtype,
                                mluOpDataType_t probs_dtype, const MoeTokenRowsArgs *args,
                                const void *rows, int64_t hidden, void *sums);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_QUICK_ROW_SUM_H_ */
