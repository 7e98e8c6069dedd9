/* SPDX-License-Identifier: MIT
 *
 * What an operator was called with and what it launches, at verbose depth 5:
 *
 *   [mluOpMoeDispatchForward] gates_desc DTYPE_FLOAT [12] LAYOUT_ARRAY, ...; samples 12, ...
 *   MLUKernelMoeDispatchForward: 4 x 1 x 1 tasks
 */
#ifndef CORE_CALL_LOG_H_
#define CORE_CALL_LOG_H_

#include "cnrt.h"
#include "core/logging.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

void mluop_log_call(const char *file, int line, const mluopTensors *tensors, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* The tensors, none of which is absent; then a printf text of the scalars. */
#define LOG_CALL(tensors, ...)                                                                     \
  do {                                                                                             \
    if (mluop_vlog_enabled(5, __FILE__)) mluop_log_call(__FILE__, __LINE__, tensors, __VA_ARGS__); \
  } while (0)

#define LOG_LAUNCH(kernel, dim) VLOG(5, "%s: %u x %u x %u tasks", kernel, (dim).x, (dim).y, (dim).z)

#ifdef __cplusplus
}
#endif
#endif /* CORE_CALL_LOG_H_ */
