/* SPDX-License-Identifier: MIT
 *
 * The worker threads, the copy engine and the memory registry, for libraries beside the runtime.
 */
#include <stdlib.h>

#include "cnrt_external.h"
#include "copy/mover.h"
#include "memory.h"
#include "pool.h"

struct shared_work {
  struct rt_job job;
  cnrtxTask_t task;
  cnrtxFinished_t finished;
  void *argument;
};

static void run_task(struct rt_job *job, uint64_t index) {
  const struct shared_work *work = (const struct shared_work *)job;
  work->task(work->argument, index);
}

static void finish_work(struct rt_job *job) {
  struct shared_work *work = (struct shared_work *)job;
  work->finished(work->argument);
  free(work);
}

RT_EXPORT void cnrtxShare(uint64_t total, cnrtxTask_t task, cnrtxFinished_t finished, void *arg) {
  struct shared_work *work = total > 1 ? calloc(1, sizeof(*work)) : NULL;
  if (work == NULL || rt_pool_start() != cnrtSuccess) {
    free(work);
    for (uint64_t i = 0; i < total; ++i) {
      task(arg, i);
    }
    finished(arg);
    return;
  }
  work->job.total = total;
  work->job.run = run_task;
  work->job.finished = finish_work;
  work->task = task;
  work->finished = finished;
  work->argument = arg;
  rt_job_open(&work->job);
  rt_job_work(&work->job);
  if (rt_job_leave(&work->job)) {
    finish_work(&work->job);
  }
}

RT_EXPORT void cnrtxStream(void *target, const void *source, size_t bytes) {
  const Mover *mover = bang_mover();
  mover->store(target, source, bytes);
  mover->fence();
}

RT_EXPORT bool cnrtxIsDeviceMemory(const void *address, size_t bytes) {
  return rt_memory_is_device(address, bytes);
}
