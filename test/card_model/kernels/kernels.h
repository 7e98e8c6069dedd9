/* SPDX-License-Identifier: MIT
 *
 * The rows of the calibration. Each launches kernels shaped like published ones on a queue;
 * `memory` holds the operands.
 */
#ifndef TEST_CARD_MODEL_KERNELS_H_
#define TEST_CARD_MODEL_KERNELS_H_

#ifdef __cplusplus
#include <bang.h>
extern "C" {
#endif

#include <cnrt.h>

#define CARD_ROW(name) void row_##name(cnrtQueue_t queue, void *memory);
#include "row_names.def"
#undef CARD_ROW

#ifdef __cplusplus
}
#endif

#endif /* TEST_CARD_MODEL_KERNELS_H_ */
