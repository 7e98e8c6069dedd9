/* SPDX-License-Identifier: MIT */
#include "watchdog.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "limit_clock.h"
#include "settings.h"

enum {
  CHECKS_PER_TIMEOUT = 8,
  SHORTEST_MS = 5,
};

struct watchdog {
  pthread_t thread;
  pid_t process; /* a child of fork() has no such thread */
  pthread_cond_t wake;
  void (*check)(void);
  bool stop;
  bool alone; /* the thread is detached and frees this itself */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct watchdog *current;
static unsigned cliques;

static uint64_t period_ns(void) {
  const uint64_t millisecond = 1000000;
  const uint64_t period = cncl_settings()->timeout_ns / CHECKS_PER_TIMEOUT;
  return period < SHORTEST_MS * millisecond    ? SHORTEST_MS * millisecond
         : period > CNCL_LIMIT_CLOCK_PERIOD_NS ? CNCL_LIMIT_CLOCK_PERIOD_NS
                                               : period;
}

static void destroy(struct watchdog *watchdog) {
  pthread_cond_destroy(&watchdog->wake);
  free(watchdog);
}

static void *watch(void *argument) {
  struct watchdog *self = argument;
  pthread_setname_np(pthread_self(), "cncl-watchdog");
  pthread_mutex_lock(&lock);
  while (!self->stop) {
    cncl_wait_until(&self->wake, &lock, cncl_now_ns() + period_ns());
    if (!self->stop) {
      pthread_mutex_unlock(&lock);
      self->check();
      pthread_mutex_lock(&lock);
    }
  }
  const bool alone = self->alone;
  pthread_mutex_unlock(&lock);
  if (alone) {
    destroy(self);
  }
  return NULL;
}

/* Called with the lock held. */
static struct watchdog *create(void (*check)(void)) {
  struct watchdog *watchdog = calloc(1, sizeof(*watchdog));
  if (watchdog == NULL) {
    return NULL;
  }
  cncl_condition_init(&watchdog->wake);
  watchdog->process = getpid();
  watchdog->check = check;
  if (!cncl_thread_create(&watchdog->thread, watch, watchdog)) {
    destroy(watchdog);
    return NULL;
  }
  return watchdog;
}

bool cncl_watchdog_acquire(void (*check)(void)) {
  pthread_mutex_lock(&lock);
  if (current == NULL) {
    current = create(check);
  }
  const bool ok = current != NULL;
  cliques += ok;
  pthread_mutex_unlock(&lock);
  return ok;
}

/* Ends the thread. The lock is held at the call and released by it. */
static void stop_current(void) {
  struct watchdog *watchdog = current;
  current = NULL;
  if (watchdog == NULL || watchdog->process != getpid()) {
    pthread_mutex_unlock(&lock);
    return;
  }
  watchdog->stop = true;
  watchdog->alone = pthread_equal(watchdog->thread, pthread_self());
  const pthread_t thread = watchdog->thread;
  if (watchdog->alone) { /* this thread released the last clique */
    pthread_detach(thread);
    pthread_mutex_unlock(&lock);
    return;
  }
  pthread_cond_signal(&watchdog->wake);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  destroy(watchdog);
}

void cncl_watchdog_release(void) {
  pthread_mutex_lock(&lock);
  if (--cliques == 0) {
    stop_current();
  } else {
    pthread_mutex_unlock(&lock);
  }
}

/* A program may end without freeing its communicators. */
__attribute__((destructor)) static void stop_at_exit(void) {
  pthread_mutex_lock(&lock);
  stop_current();
}
