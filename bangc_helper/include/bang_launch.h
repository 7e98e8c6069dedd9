/* SPDX-License-Identifier: MIT
 *
 * What cncc makes of the brackets of a launch: included by the lowering of a root.
 */
#ifndef BANG_LAUNCH_H_
#define BANG_LAUNCH_H_

#include "bang_runtime.h"

/* The configuration of a launch: <<<dim, type, queue>>>, or without a queue the default one. */
static inline __attribute__((unused)) void __bang_launch(cnrtDim3_t dim, cnrtFunctionType_t type,
                                                         cnrtQueue_t queue) {
  __bang_launch_configure(dim, type, queue);
}
static inline __attribute__((unused)) void __bang_launch(cnrtDim3_t dim, cnrtFunctionType_t type) {
  __bang_launch_configure(dim, type, nullptr);
}

#endif /* BANG_LAUNCH_H_ */
