/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_ONCHIP_FILL_H_
#define MLUOP_TEST_RUN_ONCHIP_FILL_H_

#include <stdint.h>

#include "cnrt.h"
#include "run/options.h"

/* Before the runtime starts: asks the embedded one to poison on-chip memory too, unless times are
 * measured. */
void mluop_onchip_fill_prepare(const mluopTestOptions *options);

/* MLUOP_GTEST_FILL_RAM: leaves NaN or infinities in on-chip memory, so that a kernel which reads
 * what it has not written shows. `seed` picks the pattern when the variable is not set. */
void mluop_onchip_fill(const mluopTestOptions *options, uint64_t seed, cnrtQueue_t queue);

#endif /* MLUOP_TEST_RUN_ONCHIP_FILL_H_ */
