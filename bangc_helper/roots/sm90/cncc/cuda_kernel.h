/* SPDX-License-Identifier: MIT
 *
 * Kernels whose body is a device lambda.
 */
#ifndef CNCC_CUDA_KERNEL_H_
#define CNCC_CUDA_KERNEL_H_

#include "lowering.h"

void cuda_wrap_kernel(Lowering *lowering, const Declaration *decl, const char *itself, StrBuf *open,
                      StrBuf *close);

#endif /* CNCC_CUDA_KERNEL_H_ */
