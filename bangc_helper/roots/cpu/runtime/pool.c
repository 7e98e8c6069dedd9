/* SPDX-License-Identifier: MIT
 *
 * Idle workers: one of them spins for a short while, because the next work often follows within
 * microseconds; the others sleep on `epoch`, which grows with every piece of work.
 */
#include "pool.h"

#include <limits.h>
#include <pthread.h>

#include "core.h"
#include "cpu_placement.h"
#include "settings.h"
#include "threads.h"

static struct {
  pthread_mutex_t lock;
  struct rt_ready *ready_head, *ready_tail;
  struct rt_job *jobs;
  unsigned size;
  _Atomic unsigned limit; /* threads that may work on one job; 0: all */

  _Atomic unsigned ready_count;
  _Atomic uint32_t epoch;
  _Atomic uint32_t sleepers;
  _Atomic uint32_t spinners;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread bool is_worker;

/* Wakes idle workers until `count` of them look for work. */
static void notify(unsigned count) {
  atomic_fetch_add(&pool.epoch, 1);
  const unsigned spinning = atomic_load(&pool.spinners);
  if (count > spinning && atomic_load(&pool.sleepers) != 0) {
    rt_futex_wake(&pool.epoch, count - spinning);
  }
}

static void wake_all(void) {
  atomic_fetch_add(&pool.epoch, 1);
  rt_futex_wake(&pool.epoch, UINT32_MAX);
}

static struct rt_ready *pop_ready_locked(void) {
  struct rt_ready *ready = pool.ready_head;
  if (ready != NULL) {
    pool.ready_head = ready->next;
    if (pool.ready_head == NULL) {
      pool.ready_tail = NULL;
    }
    atomic_fetch_sub(&pool.ready_count, 1);
  }
  return ready;
}

static bool exhausted(struct rt_job *job) {
  return atomic_load_explicit(&job->next, memory_order_relaxed) >= job->total;
}

static void unlist_locked(struct rt_job *job) {
  if (!job->listed) {
    return;
  }
  job->listed = false;
  if (job->offers != NULL) {
    rt_offer_withdraw(job->offers);
  }
  if (job->list_prev != NULL) {
    job->list_prev->list_next = job->list_next;
  } else {
    pool.jobs = job->list_next;
  }
  if (job->list_next != NULL) {
    job->list_next->list_prev = job->list_prev;
  }
}

/* Joins a job with fewer than `most` workers; any job if `offers` is NULL. */
static struct rt_job *join_job_locked(const struct rt_offers *offers, unsigned most) {
  for (struct rt_job *job = pool.jobs; job != NULL; job = job->list_next) {
    if (!exhausted(job) && job->workers < most && (offers == NULL || job->offers == offers)) {
      ++job->workers;
      return job;
    }
  }
  return NULL;
}

static void work_and_leave(struct rt_job *job) {
  rt_job_work(job);
  if (rt_job_leave(job)) {
    job->finished(job);
  }
}

unsigned rt_pool_job_threads(void) {
  const unsigned limit = atomic_load_explicit(&pool.limit, memory_order_relaxed);
  const unsigned all = rt_settings()->threads;
  return limit == 0 || limit > all ? all : limit;
}

RT_EXPORT void cnrtxLimitThreads(unsigned count) {
  atomic_store_explicit(&pool.limit, count, memory_order_relaxed);
}

static bool is_limited(void) {
  return atomic_load_explicit(&pool.limit, memory_order_relaxed) != 0;
}

/* Does one piece of work; false when there is none. */
static bool work_once(void) {
  pthread_mutex_lock(&pool.lock);
  struct rt_ready *ready = pop_ready_locked();
  struct rt_job *job =
      ready == NULL ? join_job_locked(NULL, is_limited() ? rt_pool_job_threads() : UINT_MAX) : NULL;
  pthread_mutex_unlock(&pool.lock);
  if (ready != NULL) {
    if (rt_pool_has_ready()) {
      notify(1);
    }
    ready->advance(ready);
    return true;
  }
  if (job != NULL) {
    work_and_leave(job);
    return true;
  }
  return false;
}

bool rt_job_help(const struct rt_offers *offers) {
  pthread_mutex_lock(&pool.lock);
  struct rt_job *job = join_job_locked(offers, is_limited() ? rt_pool_job_threads() : pool.size);
  pthread_mutex_unlock(&pool.lock);
  if (job == NULL) {
    return false;
  }
  atomic_store_explicit(&job->owed, false, memory_order_relaxed);
  work_and_leave(job);
  return true;
}

static bool epoch_changed(const void *seen) {
  return atomic_load_explicit(&pool.epoch, memory_order_acquire) != *(const uint32_t *)seen;
}

/* Spins until the epoch changes; false when that takes too long or another worker spins. */
static bool spin_for_work(uint32_t seen) {
  static struct rt_spin spin = RT_SPIN_INITIALIZER(rt_cores_fill_cpus);
  bool changed = false;
  if (atomic_fetch_add(&pool.spinners, 1) == 0) {
    changed = rt_spin_until(&spin, epoch_changed, &seen);
  }
  atomic_fetch_sub(&pool.spinners, 1);
  return changed;
}

static void wait_for_work(uint32_t seen) {
  if (spin_for_work(seen)) {
    return;
  }
  atomic_fetch_add(&pool.sleepers, 1);
  if (atomic_load(&pool.epoch) == seen && !rt_threads_stopping()) {
    rt_futex_wait(&pool.epoch, seen, 0);
  }
  atomic_fetch_sub(&pool.sleepers, 1);
}

static void *worker_main(void *argument) {
  (void)argument;
  is_worker = true;
  struct rt_core core;
  rt_core_init(&core);
  rt_core_become(&core);
  while (!rt_threads_stopping()) {
    const uint32_t seen = atomic_load(&pool.epoch);
    if (!work_once()) {
      wait_for_work(seen);
    }
  }
  rt_core_fini(&core);
  return NULL;
}

static void create_workers(void) {
  rt_threads_on_stop(wake_all);
  const unsigned wanted = rt_settings()->threads;
  while (pool.size < wanted && rt_thread_create("cnrt-worker", worker_main, NULL)) {
    ++pool.size;
  }
  if (pool.size < wanted) {
    rt_warn("only %u of %u worker threads could be created", pool.size, wanted);
  }
}

cnrtRet_t rt_pool_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const cnrtRet_t error = rt_fork_refuse();
  if (error != cnrtSuccess) {
    return error;
  }
  pthread_once(&once, create_workers);
  return pool.size != 0 && !rt_threads_stopping() ? cnrtSuccess : cnrtErrorInit;
}

unsigned rt_pool_size(void) {
  return pool.size;
}

void rt_pool_add_ready(struct rt_ready *ready) {
  pthread_mutex_lock(&pool.lock);
  ready->next = NULL;
  /* Higher priority (a smaller number) goes first, equal ones in order. */
  struct rt_ready *after = NULL;
  if (pool.ready_tail != NULL && pool.ready_tail->priority <= ready->priority) {
    after = pool.ready_tail;
  } else {
    for (struct rt_ready *other = pool.ready_head;
         other != NULL && other->priority <= ready->priority; other = other->next) {
      after = other;
    }
  }
  if (after == NULL) {
    ready->next = pool.ready_head;
    pool.ready_head = ready;
  } else {
    ready->next = after->next;
    after->next = ready;
  }
  if (ready->next == NULL) {
    pool.ready_tail = ready;
  }
  atomic_fetch_add(&pool.ready_count, 1);
  pthread_mutex_unlock(&pool.lock);
  notify(1);
}

bool rt_pool_has_ready(void) {
  return atomic_load_explicit(&pool.ready_count, memory_order_relaxed) != 0;
}

void rt_job_open(struct rt_job *job, bool helps) {
  atomic_init(&job->next, 0);
  atomic_init(&job->owed, false);
  job->workers = 1;
  job->listed = true;
  job->list_prev = NULL;
  pthread_mutex_lock(&pool.lock);
  job->list_next = pool.jobs;
  if (pool.jobs != NULL) {
    pool.jobs->list_prev = job;
  }
  pool.jobs = job;
  pthread_mutex_unlock(&pool.lock);
  const unsigned most = is_limited() ? rt_pool_job_threads() : pool.size;
  unsigned others = job->total < most ? (unsigned)job->total : most;
  if (helps) {
    --others;
  }
  if (job->offers != NULL) {
    rt_offer(job->offers);
    if (others != 0 && rt_offers_expect(job->offers, others + 1)) {
      atomic_store_explicit(&job->owed, true, memory_order_relaxed);
      --others;
    }
  }
  if (others != 0) {
    notify(others);
  }
}

/* Calls the worker that was left out for an expected thread of the program, which did not come. */
static void call_owed(struct rt_job *job) {
  if (atomic_load_explicit(&job->owed, memory_order_relaxed) && !exhausted(job) &&
      atomic_exchange_explicit(&job->owed, false, memory_order_relaxed)) {
    rt_offers_expect_help(job->offers, NULL);
    notify(1);
  }
}

void rt_job_work(struct rt_job *job) {
  const int cpu = rt_cpu_enter();
  while (!(is_worker && rt_pool_has_ready()) && !rt_threads_stopping()) {
    const uint64_t index = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    if (index >= job->total) {
      break;
    }
    job->run(job, index);
    call_owed(job);
  }
  rt_cpu_leave(cpu);
}

bool rt_job_leave(struct rt_job *job) {
  pthread_mutex_lock(&pool.lock);
  --job->workers;
  const bool over = exhausted(job);
  if (over) {
    unlist_locked(job);
  }
  const bool last = over && job->workers == 0;
  pthread_mutex_unlock(&pool.lock);
  if (!over && is_limited()) {
    notify(1); /* a thread that found the job full may take this thread's place */
  }
  return last;
}

void rt_job_cancel(struct rt_job *job) {
  /* Later indices are past the end and cannot wrap around from here. */
  atomic_store_explicit(&job->next, job->total, memory_order_relaxed);
}
