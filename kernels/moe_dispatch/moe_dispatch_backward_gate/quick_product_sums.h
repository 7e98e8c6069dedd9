/* SPDX-License-Identifier: MIT
 *
 * The operator for devices whose scalar code is slow. */
#ifndef KERNELS_MOE_DISPATCH_BACKWARD_GATE_QUICK_PRODUCT_SUMS_H_
#define KERNELS_MOE_DISPATCH_BACKWARD_GATE_QUICK_PRODUCT_SUMS_H_

#include <stdbool.h>

#include "cnrt.h"
#include "kernels/moe_dispatch/dispatch_routing.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it is the better way to do this call, and can do it. */
bool QuickProductSumsSuits(const DispatchRouting *routing, mluOpDataType_t dtype, int hidden);

mluOpStatus_t KernelQuickProductSums(cnrtQueue_t queue, mluOpDataType_t dtype,
                                     DispatchRouting routing, const void *input,
                                     const void *dispatch, int samples, int hidden,
                                     void *grad_gates);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_DISPATCH_BACKWARD_GATE_QUICK_PRODUCT_SUMS_H_ */
