/* SPDX-License-Identifier: MIT
 *
 * Block launches: independent tasks, worked off by the pool or, when an order is asked for, one
 * after another.
 */
#include "block.h"

#include "core.h"
#include "order.h"
#include "settings.h"
#include "task.h"
#include "threads.h"

static void run_task(struct rt_launch *launch, uint64_t index) {
  const struct rt_task task = {
      .x = (int)(index % launch->dim.x),
      .y = (int)(index / launch->dim.x % launch->dim.y),
      .z = (int)(index / launch->dim.x / launch->dim.y),
  };
  rt_core_announce(1);
  if (!rt_task_run(launch, &task, NULL)) {
    rt_job_cancel(&launch->job);
  }
  rt_core_retract(1);
}

static struct rt_launch *launch_of(struct rt_job *job) {
  return (struct rt_launch *)((char *)job - offsetof(struct rt_launch, job));
}

static void run_shared_task(struct rt_job *job, uint64_t index) {
  run_task(launch_of(job), index);
}

static void finish_shared(struct rt_job *job) {
  struct rt_launch *launch = launch_of(job);
  rt_op_complete(&launch->op, rt_launch_result(launch));
}

static void run_in_order(struct rt_launch *launch) {
  for (uint64_t i = 0;
       i < launch->job.total && rt_launch_result(launch) == cnrtSuccess && !rt_threads_stopping();
       ++i) {
    run_task(launch, rt_ordered_index(i, launch->job.total));
  }
}

enum rt_op_state rt_block_start(struct rt_launch *launch) {
  launch->job.total = (uint64_t)launch->dim.x * launch->dim.y * launch->dim.z;
  if (launch->job.total == 1 || rt_settings()->order != RT_ORDER_PARALLEL) {
    run_in_order(launch);
  } else {
    launch->job.offers = &launch->op.queue->offers;
    launch->job.run = run_shared_task;
    launch->job.finished = finish_shared;
    rt_job_open(&launch->job, true);
    rt_job_work(&launch->job);
    if (!rt_job_leave(&launch->job)) {
      return RT_OP_PENDING;
    }
  }
  launch->op.result = rt_launch_result(launch);
  return RT_OP_DONE;
}
