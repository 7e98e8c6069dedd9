/* SPDX-License-Identifier: MIT
 *
 * For roots whose kernels cannot be C functions: enqueues one host function per task, with the same
 * order and waiting.
 */
#include "harness.h"

cnrtRet_t launch(task_function function, void *argument, cnrtDim3_t dim, cnrtFunctionType_t type,
                 cnrtQueue_t queue) {
  (void)type;
  cnrtGetLastError();
  for (unsigned i = 0; i < dim.x * dim.y * dim.z; ++i) {
    cnrtInvokeHostFunc(queue, function, argument);
  }
  return cnrtGetLastError();
}
