/* SPDX-License-Identifier: MIT
 *
 * The operator for rows of the usual size, for devices whose scalar code is slow. */
#ifndef KERNELS_MOE_DISPATCH_BACKWARD_DATA_QUICK_GATHER_SCALED_H_
#define KERNELS_MOE_DISPATCH_BACKWARD_DATA_QUICK_GATHER_SCALED_H_

#include <stdbool.h>

#include "cnrt.h"
#include "kernels/moe_dispatch/dispatch_routing.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it is the better way to do this call, and can do it. */
bool QuickGatherScaledSuits(const DispatchRouting *routing, mluOpDataType_t dtype, int hidden);

mluOpStatus_t KernelQuickGatherScaled(cnrtQueue_t queue, mluOpDataType_t dtype, const void *gates,
                                      DispatchRouting routing, const void *dispatch, int samples,
                                      int hidden, void *grad_input);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_DISPATCH_BACKWARD_DATA_QUICK_GATHER_SCALED_H_ */
