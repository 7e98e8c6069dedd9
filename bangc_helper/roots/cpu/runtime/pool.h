/* SPDX-License-Identifier: MIT
 *
 * The worker threads of the process. They advance queues and run the tasks of jobs that other
 * threads opened; they never wait for anything else.
 */
#ifndef RUNTIME_POOL_H_
#define RUNTIME_POOL_H_

#include "common.h"
#include "offers.h"

/* Numbered tasks that any number of threads work off together. */
struct rt_job {
  /* Runs one task. */
  void (*run)(struct rt_job *job, uint64_t index);
  /* Called by the worker that leaves an exhausted job last (see rt_job_leave). */
  void (*finished)(struct rt_job *job);
  uint64_t total;
  struct rt_offers *offers; /* to threads that wait for it and may work, too; NULL: nobody waits */

  _Atomic uint64_t next;
  _Atomic bool owed; /* one worker less was called: a waiting thread is expected */
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
/* Lets at most `count` threads work on one job from now on; 0: all. For programs whose own threads
 * compute, too; the Python package calls it. Other roots have no such function. */
void cnrtxLimitThreads(unsigned count);

/* Something for a worker to go on with, such as a queue whose next operation can start. */
struct rt_ready {
  struct rt_ready *next;
  int priority; /* 0 is the greatest */
  void (*advance)(struct rt_ready *ready);
};
/* Calls ready->advance on a worker, once. */
void rt_pool_add_ready(struct rt_ready *ready);
/* Whether something waits for a worker. */
bool rt_pool_has_ready(void);

/* Opens a job with the calling thread as its first worker and lets idle workers join; one less is
 * called if the calling thread helps. run, finished, total (not 0) and offers must be set. */
void rt_job_open(struct rt_job *job, bool helps);
/* Runs tasks until none is left; a worker thread also stops when something waits for it. */
void rt_job_work(struct rt_job *job);
/* Ends the calling thread's part. True when it was the last and nothing is left: the job is over,
 * and the caller does what `finished` would do. */
bool rt_job_leave(struct rt_job *job);
/* Works on a job that was offered, as a waiting thread; false when there is none to work on. */
bool rt_job_help(const struct rt_offers *offers);
/* Drops the tasks that have not been started. */
void rt_job_cancel(struct rt_job *job);

#endif /* RUNTIME_POOL_H_ */
