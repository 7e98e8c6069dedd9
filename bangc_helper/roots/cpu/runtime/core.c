/* SPDX-License-Identifier: MIT */
#include "core.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "bang_runtime.h"
#include "settings.h"

enum { SIGNAL_STACK_BYTES = 64 * 1024 };

/* initial-exec TLS: safe to read in a signal handler, where lazily allocated TLS would not be. */
static __thread struct rt_core *current __attribute__((tls_model("initial-exec")));

static struct RT_OWN_CACHE_LINE { _Atomic unsigned count; } active_cores;

void rt_core_announce(unsigned count) {
  if (count != 0) {
    atomic_fetch_add_explicit(&active_cores.count, count, memory_order_relaxed);
  }
}

void rt_core_retract(unsigned count) {
  if (count != 0) {
    atomic_fetch_sub_explicit(&active_cores.count, count, memory_order_relaxed);
  }
}

bool rt_cpus_are_left(unsigned more) {
  return atomic_load_explicit(&active_cores.count, memory_order_relaxed) + more <
         rt_settings()->cpus;
}

bool rt_cores_fill_cpus(void) {
  return !rt_cpus_are_left(0);
}

bool rt_cores_exceed_cpus(void) {
  return atomic_load_explicit(&active_cores.count, memory_order_relaxed) > rt_settings()->cpus;
}

/* ---- All cores ---- */

static struct {
  pthread_mutex_t lock;
  struct rt_core *list;
} cores = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void enlist(struct rt_core *core) {
  core->thread = pthread_self();
  pthread_mutex_lock(&cores.lock);
  core->next = cores.list;
  if (core->next != NULL) {
    core->next->prev = core;
  }
  cores.list = core;
  pthread_mutex_unlock(&cores.lock);
}

static void unlist(struct rt_core *core) {
  pthread_mutex_lock(&cores.lock);
  if (core->prev != NULL) {
    core->prev->next = core->next;
  } else {
    cores.list = core->next;
  }
  if (core->next != NULL) {
    core->next->prev = core->prev;
  }
  pthread_mutex_unlock(&cores.lock);
}

void rt_cores_visit(void (*visit)(struct rt_core *core, void *argument), void *argument) {
  pthread_mutex_lock(&cores.lock);
  for (struct rt_core *core = cores.list; core != NULL; core = core->next) {
    visit(core, argument);
  }
  pthread_mutex_unlock(&cores.lock);
}

/* ---- One core ---- */

static void find_stack(struct rt_core *core) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return;
  }
  void *lowest = NULL;
  size_t size = 0;
  size_t guard = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_destroy(&attributes);
  /* Some versions of glibc place the guard below the stack, others inside it. */
  core->stack_low = (uintptr_t)lowest - guard;
  core->stack_guard_end = (uintptr_t)lowest + guard;
}

void rt_core_init(struct rt_core *core) {
  memset(core, 0, sizeof(*core));
  find_stack(core);
  enlist(core);
  stack_t present;
  if (!rt_settings()->catch_faults || sigaltstack(NULL, &present) != 0 ||
      (present.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  /* Handlers get their own stack, since the task may have used up its stack. */
  core->signal_stack = malloc(SIGNAL_STACK_BYTES);
  const stack_t stack = {.ss_sp = core->signal_stack, .ss_size = SIGNAL_STACK_BYTES};
  if (core->signal_stack != NULL) {
    sigaltstack(&stack, NULL);
  }
}

void rt_core_fini(struct rt_core *core) {
  stack_t present;
  unlist(core);
  if (core->signal_stack == NULL) {
    return;
  }
  /* The program may have replaced it. */
  if (sigaltstack(NULL, &present) == 0 && present.ss_sp == core->signal_stack) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
  }
  free(core->signal_stack);
}

void rt_core_become(struct rt_core *core) {
  current = core;
}

struct rt_core *rt_core_self(void) {
  return current;
}

void rt_core_escape(struct rt_core *core) {
  siglongjmp(core->escape, 1);
}

void rt_core_leave_handler(struct rt_core *core, const void *context) {
  /* siglongjmp does not restore the mask. */
  pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
  rt_core_escape(core);
}

RT_EXPORT int __bang_in_task(void) {
  return current != NULL && current->in_task;
}
