/* SPDX-License-Identifier: MIT
 *
 * What an operator was called with and what it launches, at verbose depth 5:
 *
 *   [mluOpMoeDispatchForward] gates_desc DTYPE_FLOAT [12] LAYOUT_ARRAY, ...; samples 12, capacity
 * 8, ... MLUKernelMoeDispatchForward: 4 x 1 x 1 tasks
 */
#ifndef CORE_CALL_LOG_H_
#define CORE_CALL_LOG_H_

#include "cnrt.h"
#include "core/logging.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tensor by the name its caller knows. */
typedef struct mluopNamedTensor {
  const char *name;
  mluOpTensorDescriptor_t desc;
} mluopNamedTensor;

void mluop_log_call(const char *file, int line, const char *api, int count,
                    const mluopNamedTensor *tensors, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* `tensors`: count of mluopNamedTensor, no descriptor NULL; then a printf text of the scalars. */
#define LOG_CALL(api, count, tensors, ...)                                  \
  do {                                                                      \
    if (mluop_vlog_enabled(5, __FILE__)) {                                  \
      mluop_log_call(__FILE__, __LINE__, api, count, tensors, __VA_ARGS__); \
    }                                                                       \
  } while (0)

#define LOG_LAUNCH(kernel, dim) VLOG(5, "%s: %u x %u x %u tasks", kernel, (dim).x, (dim).y, (dim).z)

#ifdef __cplusplus
}
#endif
#endif /* CORE_CALL_LOG_H_ */
