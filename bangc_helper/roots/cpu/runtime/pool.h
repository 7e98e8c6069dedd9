/* SPDX-License-Identifier: MIT
 *
 * The worker threads of the process. They advance queues and run the tasks of jobs that other
 * threads opened; they never wait for anything else.
 */
#ifndef RUNTIME_POOL_H_
#define RUNTIME_POOL_H_

#include "common.h"
#include "offers.h"

/* Numbered tasks that any number of threads share. */
struct rt_job {
  /* Runs one task. */
  void (*run)(struct rt_job *job, uint64_t index);
  /* Called by the worker that leaves an exhausted job last (see rt_job_leave). */
  void (*finished)(struct rt_job *job);
  uint64_t total;
  struct rt_offers *offers; /* to waiting threads that may work, too; NULL: none wait */

  _Atomic uint64_t next;
  _Atomic bool owed; /* one worker fewer was called: a waiting thread is expected */
  unsigned workers;  /* guarded by the pool's lock */
  bool listed;       /* guarded by the pool's lock */
  struct rt_job *list_next, *list_prev;
};

/* Starts the worker threads on first use. */
cnrtRet_t rt_pool_start(void);
/* Number of worker threads. */
unsigned rt_pool_size(void);
/* How many threads may work on one job: MLUOP_CPU_THREADS, or fewer after cnrtxLimitThreads. */
unsigned rt_pool_job_threads(void);
/* From now on at most `count` threads work on one job; 0: all. For programs whose own threads
 * compute, too, such as the Python package. Only the CPU root has it. */
void cnrtxLimitThreads(unsigned count);

/* Work for a worker, such as a queue whose next operation can start. */
struct rt_ready {
  struct rt_ready *next;
  int priority; /* 0 is the highest */
  void (*advance)(struct rt_ready *ready);
};
/* Calls ready->advance on a worker, once. */
void rt_pool_add_ready(struct rt_ready *ready);
/* True if work waits for a worker. */
bool rt_pool_has_ready(void);

/* Opens a job with the calling thread as its first worker and lets idle workers join; one fewer is
 * called if the calling thread helps. The caller has set run, finished, total (not 0) and offers.
 */
void rt_job_open(struct rt_job *job, bool helps);
/* Runs tasks until none are left; a worker thread also stops when other work waits. */
void rt_job_work(struct rt_job *job);
/* Ends the calling thread's part. True for the last thread of an exhausted job: the job is over,
 * and the caller does what `finished` would do. */
bool rt_job_leave(struct rt_job *job);
/* Works on an offered job as a waiting thread; false when there is none. */
bool rt_job_help(const struct rt_offers *offers);
/* Drops the tasks that were not started. */
void rt_job_cancel(struct rt_job *job);

#endif /* RUNTIME_POOL_H_ */
