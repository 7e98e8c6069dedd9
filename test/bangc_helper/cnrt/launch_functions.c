/* SPDX-License-Identifier: MIT
 *
 * Where kernels cannot be functions of the host: as many host functions in the queue as there are
 * tasks. Order and waiting are the same.
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
