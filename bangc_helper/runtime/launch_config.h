/* SPDX-License-Identifier: MIT
 *
 * From `kernel<<<dim, type, queue>>>(...)` to a launch: the configuration of the next kernel call,
 * and the checks of a configuration.
 */
#ifndef RUNTIME_LAUNCH_CONFIG_H_
#define RUNTIME_LAUNCH_CONFIG_H_

#include "root.h"

struct rt_launch_config {
  cnrtDim3_t dim;
  cnrtFunctionType_t type;
  cnrtQueue_t queue;
};

/* Prints why a kernel is not started and returns the code. Few programs ask for the last error
 * after a launch, and the queue of a refused launch has none. */
cnrtRet_t rt_launch_refuse(const char *kernel, cnrtRet_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Takes the innermost configuration of this thread for the named kernel, or refuses it. */
cnrtRet_t rt_launch_config_take(const char *kernel, struct rt_launch_config *config);
/* Refuses launch dimensions that the device cannot run. */
cnrtRet_t rt_launch_config_check(const char *kernel, const struct rt_launch_config *config,
                                 const struct rt_device *device);

#endif /* RUNTIME_LAUNCH_CONFIG_H_ */
