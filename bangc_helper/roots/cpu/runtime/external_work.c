/* SPDX-License-Identifier: MIT
 *
 * Work of other libraries (libcncl) on the worker threads and the copy engine of the runtime.
 */
#include <stdlib.h>

#include "cnrt_external.h"
#include "copy/mover.h"
#include "device_access.h"
#include "pool.h"
#include "settings.h"

struct external_work {
  struct rt_job job;
  cnrtxTask_t task;
  cnrtxFinished_t finished;
  void *argument;
};

static void run_task(struct rt_job *job, uint64_t index) {
  const struct external_work *work = (const struct external_work *)job;
  work->task(work->argument, index);
}

static void finish_work(struct rt_job *job) {
  struct external_work *work = (struct external_work *)job;
  work->finished(work->argument);
  free(work);
}

static void run_alone(uint64_t total, cnrtxTask_t task, cnrtxFinished_t finished, void *argument) {
  for (uint64_t i = 0; i < total; ++i) {
    task(argument, i);
  }
  finished(argument);
}

RT_EXPORT void cnrtxShare(uint64_t total, cnrtxTask_t task, cnrtxFinished_t finished, void *arg,
                          int flags) {
  const bool helps = (flags & CNRTX_SHARE_LEAVE) == 0;
  const uint64_t least = helps ? 2 : 1; /* fewer pieces are not worth waking a worker */
  struct external_work *work = total >= least ? calloc(1, sizeof(*work)) : NULL;
  if (work == NULL || rt_pool_start() != cnrtSuccess) {
    free(work);
    run_alone(total, task, finished, arg);
    return;
  }
  work->task = task;
  work->finished = finished;
  work->argument = arg;
  work->job.run = run_task;
  work->job.finished = finish_work;
  work->job.total = total;
  rt_job_open(&work->job, helps);
  if (helps) {
    rt_job_work(&work->job);
  }
  if (rt_job_leave(&work->job)) {
    finish_work(&work->job);
  }
}

RT_EXPORT void cnrtxStreamAll(void *const *targets, const void *const *sources, const size_t *bytes,
                              size_t count) {
  const Mover *mover = bang_mover();
  const int previous = rt_device_access_open();
  for (size_t i = 0; i < count; ++i) {
    mover->store(targets[i], sources[i], bytes[i]);
  }
  mover->fence();
  rt_device_access_close(previous);
}

RT_EXPORT bool cnrtxHostReaches(void) {
  return rt_settings()->host_access;
}
