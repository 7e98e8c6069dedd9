/* SPDX-License-Identifier: MIT
 *
 * What the host files of this family share: the checks of their tensors and sizes, and how they are
 * recorded. `api` is the public function's name in brackets. */
#ifndef KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_
#define KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_

#include "core/call_log.h"
#include "core/gen_case.h"
#include "mlu_op.h"

/* A task should have at least this much to move, else starting it costs more than it saves. */
#define DISPATCH_MIN_TASK_BYTES (32 * 1024)

typedef enum DispatchRole {
  DISPATCH_GATES,     /* [samples], or their gradient */
  DISPATCH_INDICES,   /* [samples] */
  DISPATCH_LOCATIONS, /* [samples] */
  DISPATCH_SAMPLES,   /* [samples, hidden], or their gradient */
  DISPATCH_SLOTS,     /* [num_experts * capacity, hidden] */
  DISPATCH_ROLES
} DispatchRole;

/* The tensors of a call by the names its caller knows. */
typedef struct DispatchArgs {
  mluopNamedTensor tensor[DISPATCH_ROLES];
  DispatchRole typed; /* whose data type gates, samples and slots have */
  int samples, capacity, hidden, num_experts;
} DispatchArgs;

#define DISPATCH_LOG_CALL(api, args)                                              \
  LOG_CALL(api, DISPATCH_ROLES, (args)->tensor,                                   \
           "samples %d, capacity %d, hidden %d, num_experts %d", (args)->samples, \
           (args)->capacity, (args)->hidden, (args)->num_experts)

/* Everything that is asked before the data pointers. */
mluOpStatus_t dispatch_check_tensors(const char *api, mluOpHandle_t handle,
                                     const DispatchArgs *args);

/* The data type of the samples that are moved. */
mluOpStatus_t dispatch_check_dtype(const char *api, const char *name, mluOpTensorDescriptor_t desc);

void dispatch_record_sizes(mluopGenCase *gen_case, const DispatchArgs *args);

#endif /* KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_ */
