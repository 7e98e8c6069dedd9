/* SPDX-License-Identifier: MIT */
#include "service.h"

#include <pthread.h>

#include "threads.h"

/* A service thread without work for this long ends. */
static const uint64_t idle_limit_ns = 2000000000u;

static struct {
  pthread_mutex_t lock;
  struct rt_service_job *head, *tail;
  unsigned pending;
  unsigned idle;
  unsigned threads;
  _Atomic uint32_t epoch;
} service = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct rt_service_job *take_work(void) {
  pthread_mutex_lock(&service.lock);
  struct rt_service_job *job = service.head;
  if (job != NULL) {
    service.head = job->next;
    if (service.head == NULL) {
      service.tail = NULL;
    }
    --service.pending;
  }
  pthread_mutex_unlock(&service.lock);
  return job;
}

/* Sleeps until there may be work; false when the thread must end. */
static bool wait_for_work(uint32_t seen) {
  pthread_mutex_lock(&service.lock);
  ++service.idle;
  pthread_mutex_unlock(&service.lock);
  const uint64_t start = rt_now_ns();
  while (atomic_load(&service.epoch) == seen && !rt_threads_stopping() &&
         rt_now_ns() - start < idle_limit_ns) {
    rt_futex_wait(&service.epoch, seen, idle_limit_ns);
  }
  pthread_mutex_lock(&service.lock);
  --service.idle;
  const bool stay =
      (atomic_load(&service.epoch) != seen || service.pending != 0) && !rt_threads_stopping();
  service.threads -= !stay;
  pthread_mutex_unlock(&service.lock);
  return stay;
}

static void *service_main(void *argument) {
  (void)argument;
  for (;;) {
    const uint32_t seen = atomic_load(&service.epoch);
    struct rt_service_job *job = take_work();
    if (job != NULL) {
      job->run(job);
    } else if (!wait_for_work(seen)) {
      break;
    }
  }
  rt_thread_forget();
  return NULL;
}

static void wake_all(void) {
  atomic_fetch_add(&service.epoch, 1);
  rt_futex_wake(&service.epoch, UINT32_MAX);
}

static void register_wake(void) {
  rt_threads_on_stop(wake_all);
}

/* No thread can be created: a busy one will take the job later, or this one does it. */
static void without_thread(void) {
  pthread_mutex_lock(&service.lock);
  const bool alone = --service.threads == 0;
  pthread_mutex_unlock(&service.lock);
  struct rt_service_job *job = alone ? take_work() : NULL;
  if (job != NULL) {
    job->run(job);
  }
}

void rt_service_post(struct rt_service_job *job) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_wake);
  job->next = NULL;
  pthread_mutex_lock(&service.lock);
  if (service.tail != NULL) {
    service.tail->next = job;
  } else {
    service.head = job;
  }
  service.tail = job;
  ++service.pending;
  const bool create = service.pending > service.idle;
  service.threads += create;
  atomic_fetch_add(&service.epoch, 1);
  pthread_mutex_unlock(&service.lock);
  rt_futex_wake(&service.epoch, 1);
  if (create && !rt_thread_create("cnrt-service", service_main, NULL)) {
    without_thread();
  }
}
