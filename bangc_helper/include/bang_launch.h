/* SPDX-License-Identifier: MIT
 *
 * The function that cncc calls for <<<...>>>; included by each root's lowering.
 */
#ifndef BANG_LAUNCH_H_
#define BANG_LAUNCH_H_

#include "bang_runtime.h"

/* Configures a launch: <<<dim, type, queue>>>; without a queue, the default queue. */
static inline __attribute__((unused)) void __bang_launch(cnrtDim3_t dim, cnrtFunctionType_t type,
                                                         cnrtQueue_t queue) {
  __bang_launch_configure(dim, type, queue);
}
static inline __attribute__((unused)) void __bang_launch(cnrtDim3_t dim, cnrtFunctionType_t type) {
  __bang_launch_configure(dim, type, nullptr);
}

#endif /* BANG_LAUNCH_H_ */
