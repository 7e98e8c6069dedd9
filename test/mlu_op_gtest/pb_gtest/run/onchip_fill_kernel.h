/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_ONCHIP_FILL_KERNEL_H_
#define MLUOP_TEST_RUN_ONCHIP_FILL_KERNEL_H_

#include <stdint.h>

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills NRAM and WRAM of every core with a word. */
void KernelOnchipFill(cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue, uint32_t word);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_ONCHIP_FILL_KERNEL_H_ */
