/* SPDX-License-Identifier: MIT
 *
 * Logs the arguments of an operator call and its kernel launches, at verbose depth 5:
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

typedef struct mluopScalar mluopScalar;

/* `scalars` ends with an entry without a name. */
void mluop_log_call(const char *file, int line, const mluopTensors *tensors,
                    const mluopScalar *scalars);

/* Logs the tensors, none of which may be absent, then the scalars by name: LOG_CALL(&tensors,
 * axis).
 */
#define LOG_CALL(tensors, ...)                                                                  \
  do {                                                                                          \
    if (mluop_vlog_enabled(5, __FILE__)) {                                                      \
      const mluopScalar mluop_scalars_[] = {MLUOP_SCALARS(__VA_ARGS__){NULL, mluopValueOf(0)}}; \
      mluop_log_call(__FILE__, __LINE__, tensors, mluop_scalars_);                              \
    }                                                                                           \
  } while (0)

#define LOG_LAUNCH(kernel, dim) VLOG(5, "%s: %u x %u x %u tasks", kernel, (dim).x, (dim).y, (dim).z)

#ifdef __cplusplus
}
#endif
#endif /* CORE_CALL_LOG_H_ */
