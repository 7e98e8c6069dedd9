/* SPDX-License-Identifier: MIT
 *
 * A kernel launch as an operation of a queue.
 */
#ifndef RUNTIME_LAUNCH_H_
#define RUNTIME_LAUNCH_H_

#include "bang_runtime.h"
#include "pool.h"
#include "queue.h"

struct rt_launch {
  struct rt_op op;
  const bangKernelOps *kernel;
  void *closure; /* inside this allocation */
  cnrtDim3_t dim;
  unsigned union_clusters; /* N of UnionN, 0 for Block */
  _Atomic int fault;       /* first fault code of a task, 0: none */
  uint32_t trace_number;   /* number of a traced launch, else 0 */
  bool is_common;          /* allocated as a block of the common size */

  /* Block: tasks that workers share. Unused for unions. */
  struct rt_job job;

  /* Union: groups run one after another or, with enough CPUs, several at a time; guarded by the
   * device's cluster_lock. */
  uint64_t groups;
  uint64_t next_group;
  unsigned running_groups;
  unsigned most_groups;
  struct rt_launch *waiting_next;
};

/* The operation's result: success or the first fault. */
static inline cnrtRet_t rt_launch_result(struct rt_launch *launch) {
  return (cnrtRet_t)atomic_load(&launch->fault);
}

#endif /* RUNTIME_LAUNCH_H_ */
