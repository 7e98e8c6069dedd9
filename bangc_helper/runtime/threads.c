/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "root.h"

enum {
  MAX_WAKERS = 8,
  STACK_SLACK = 64 * 1024,
  /* More than a page, since a kernel's stack frame may skip one. */
  GUARD_BYTES = 256 * 1024,
  JOIN_SECONDS = 2,
  WAKE_AGAIN_NS = 2000000,
};

struct thread {
  pthread_t id;
  struct thread *next, *prev;
  const char *name;
  void *(*body)(void *argument);
  void *argument;
};

static struct {
  pthread_mutex_t lock;
  struct thread *list;
  void (*wakers[MAX_WAKERS])(void);
  size_t waker_count;
  _Atomic bool stopping;
  _Atomic bool used; /* set when there is something that a child of fork() would not have */
  _Atomic bool lost;
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread struct thread *self;

static void after_fork_in_child(void) {
  atomic_store(&threads.lost, atomic_load(&threads.used));
}

__attribute__((constructor)) static void watch_fork(void) {
  pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* Size of the thread-local storage of all modules. glibc takes it from a thread's stack, so it is
 * added to the stack size of a task. */
static int add_tls_size(struct dl_phdr_info *info, size_t size, void *sum) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_TLS) {
      *(size_t *)sum += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
    }
  }
  return 0;
}

static void *thread_main(void *argument) {
  self = argument;
  pthread_setname_np(pthread_self(), self->name);
  return self->body(self->argument);
}

static void unlink_locked(struct thread *thread) {
  if (thread->prev != NULL) {
    thread->prev->next = thread->next;
  } else {
    threads.list = thread->next;
  }
  if (thread->next != NULL) {
    thread->next->prev = thread->prev;
  }
}

static bool start_locked(struct thread *thread) {
  size_t tls = 0;
  dl_iterate_phdr(add_tls_size, &tls);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) {
    return false;
  }
  const size_t wanted = rt_thread_stack_bytes() + tls + GUARD_BYTES + STACK_SLACK;
  pthread_attr_setguardsize(&attributes, GUARD_BYTES);
  pthread_attr_setstacksize(&attributes, rt_whole_pages(wanted));

  /* Signals such as SIGINT are handled on the program's own threads. */
  sigset_t blocked;
  sigset_t previous;
  sigfillset(&blocked);
  const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); ++i) {
    sigdelset(&blocked, faults[i]);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, &previous);
  const int error = pthread_create(&thread->id, &attributes, thread_main, thread);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  pthread_attr_destroy(&attributes);
  return error == 0;
}

bool rt_thread_create(const char *name, void *(*body)(void *argument), void *argument) {
  if (rt_fork_refuse() != cnrtSuccess) {
    return false;
  }
  struct thread *thread = calloc(1, sizeof(*thread));
  if (thread == NULL) {
    return false;
  }
  thread->name = name;
  thread->body = body;
  thread->argument = argument;
  pthread_mutex_lock(&threads.lock);
  /* Checked under the lock, since a thread that starts later would not be joined. */
  const bool started = !rt_threads_stopping() && start_locked(thread);
  if (started) {
    thread->next = threads.list;
    if (threads.list != NULL) {
      threads.list->prev = thread;
    }
    threads.list = thread;
  }
  pthread_mutex_unlock(&threads.lock);
  if (!started) {
    free(thread);
  }
  return started;
}

void rt_thread_forget(void) {
  pthread_mutex_lock(&threads.lock);
  /* At the end of the process the joining thread owns the list. */
  const bool mine = !atomic_load(&threads.stopping);
  if (mine) {
    unlink_locked(self);
    pthread_detach(self->id);
  }
  pthread_mutex_unlock(&threads.lock);
  if (mine) {
    free(self);
  }
}

bool rt_threads_stopping(void) {
  return atomic_load_explicit(&threads.stopping, memory_order_acquire);
}

void rt_threads_on_stop(void (*wake)(void)) {
  pthread_mutex_lock(&threads.lock);
  if (threads.waker_count < MAX_WAKERS) {
    threads.wakers[threads.waker_count++] = wake;
  }
  pthread_mutex_unlock(&threads.lock);
}

cnrtRet_t rt_fork_refuse(void) {
  if (atomic_load_explicit(&threads.lost, memory_order_acquire)) {
    rt_warn("a child of fork() cannot use a device its parent has used; use exec, or fork first");
    return cnrtErrorInit;
  }
  /* Every call reads this, so it is written only once. */
  if (!atomic_load_explicit(&threads.used, memory_order_relaxed)) {
    atomic_store_explicit(&threads.used, true, memory_order_relaxed);
  }
  return cnrtSuccess;
}

static void wake_threads(size_t waker_count) {
  for (size_t i = 0; i < waker_count; ++i) {
    threads.wakers[i]();
  }
}

/* Waits for a thread up to the limit and wakes it repeatedly, since a single wake may have come
 * just before it slept. */
static bool join(pthread_t id, uint64_t limit_ns, size_t waker_count) {
  for (;;) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAKE_AGAIN_NS;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      ++until.tv_sec;
    }
    if (pthread_timedjoin_np(id, NULL, &until) == 0) {
      return true;
    }
    if (rt_now_ns() >= limit_ns) {
      return false;
    }
    wake_threads(waker_count);
  }
}

/* Ends the threads with the process, so that leak checkers find nothing of them. A thread that
 * never becomes idle must not keep the process alive: the wait is short. */
__attribute__((destructor)) static void stop_threads(void) {
  if (atomic_load(&threads.lost)) {
    return;
  }
  pthread_mutex_lock(&threads.lock);
  atomic_store_explicit(&threads.stopping, true, memory_order_release);
  struct thread *list = threads.list;
  threads.list = NULL;
  const size_t waker_count = threads.waker_count; /* later callers see that it is stopping */
  pthread_mutex_unlock(&threads.lock);
  wake_threads(waker_count);
  const uint64_t limit_ns = rt_now_ns() + JOIN_SECONDS * (uint64_t)1000000000;
  while (list != NULL) {
    struct thread *thread = list;
    list = list->next;
    if (!pthread_equal(thread->id, pthread_self()) && join(thread->id, limit_ns, waker_count)) {
      free(thread);
    }
  }
}
