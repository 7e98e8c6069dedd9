/* SPDX-License-Identifier: MIT
 *
 * Launches C functions as kernels of the CPU root, without cncc.
 */
#include <string.h>

#include "harness.h"

struct closure {
  task_function function;
  void *argument;
};

static void copy_closure(void *dst, const void *src) {
  memcpy(dst, src, sizeof(struct closure));
}

static void run_closure(const void *pointer) {
  const struct closure *closure = pointer;
  closure->function(closure->argument);
}

static void destroy_closure(void *pointer) {
  (void)pointer;
}

static const bangKernelOps test_kernel = {
    .name = "test_kernel",
    .size = sizeof(struct closure),
    .align = _Alignof(struct closure),
    .copy = copy_closure,
    .run = run_closure,
    .destroy = destroy_closure,
};

cnrtRet_t launch(task_function function, void *argument, cnrtDim3_t dim, cnrtFunctionType_t type,
                 cnrtQueue_t queue) {
  const struct closure closure = {function, argument};
  cnrtGetLastError();
  __bang_launch_configure(dim, type, queue);
  __bang_launch_submit(&test_kernel, &closure);
  return cnrtGetLastError();
}
