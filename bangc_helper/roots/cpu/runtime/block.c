/* SPDX-License-Identifier: MIT
 *
 * Block launches: independent tasks, worked off by the pool or, when an order is asked for, one
 * after another.
 */
#include "core.h"
#include "launch.h"
#include "settings.h"
#include "threads.h"

static void run_task(struct rt_launch *launch, uint64_t index) {
  const struct rt_task task = {
      .x = (int)(index % launch->dim.x),
      .y = (int)(index / launch->dim.x % launch->dim.y),
      .z = (int)(index / launch->dim.x / launch->dim.y),
  };
  rt_core_announce(1);
  if (!rt_core_run(launch, &task, NULL)) {
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
    launch->job.queue = launch->op.queue;
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

/* A pseudo-random permutation: a Feistel network on the next even number of bits, walked until it
 * falls into the range again. */
static uint64_t permuted(uint64_t index, uint64_t total, uint64_t seed) {
  unsigned half_bits = 1;
  while (half_bits < 32 && (uint64_t)1 << (2 * half_bits) < total) {
    ++half_bits;
  }
  const uint64_t mask = ((uint64_t)1 << half_bits) - 1;
  do {
    uint64_t left = index >> half_bits;
    uint64_t right = index & mask;
    for (uint64_t round = 1; round <= 4; ++round) {
      uint64_t mixed = (right + seed + round * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
      mixed ^= mixed >> 29;
      const uint64_t next = left ^ (mixed & mask);
      left = right;
      right = next;
    }
    index = left << half_bits | right;
  } while (index >= total);
  return index;
}

uint64_t rt_ordered_index(uint64_t index, uint64_t total) {
  switch (rt_settings()->order) {
    case RT_ORDER_REVERSED:
      return total - 1 - index;
    case RT_ORDER_RANDOM:
      return permuted(index, total, rt_settings()->order_seed);
    default:
      return index;
  }
}
