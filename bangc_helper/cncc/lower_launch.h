/* SPDX-License-Identifier: MIT
 *
 * Launches: kernel<<<dim, type, queue>>>(args).
 */
#ifndef CNCC_LOWER_LAUNCH_H_
#define CNCC_LOWER_LAUNCH_H_

#include "lowering.h"

/* The launch around the token "<<<" at `index`. */
void lower_launch(Lowering *lowering, int index);

#endif /* CNCC_LOWER_LAUNCH_H_ */
