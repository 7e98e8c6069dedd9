/* SPDX-License-Identifier: MIT
 *
 * A core: a thread that runs tasks, one at a time. It knows how to leave a task that
 * faults.
 */
#ifndef RUNTIME_CORE_H_
#define RUNTIME_CORE_H_

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "common.h"

struct rt_cluster_copies;
struct rt_launch;
struct rt_member;

/* Why a task ended early. */
struct rt_fault {
  int code;          /* driver code, 0: another core of the group failed */
  int signal;        /* 0: not caused by a signal */
  uintptr_t address; /* of the access, for memory faults */
  uintptr_t place;   /* in the code, 0: not known */
  char message[256]; /* empty: the code says it all */
};

struct rt_core {
  pthread_t thread;
  struct rt_core *next, *prev; /* in the list of all */
  _Atomic bool in_task;
  /* Start time of the running task, 0 without a task or without a time limit; and the start time of
   * the task that must end. */
  _Atomic uint64_t started_ns, overdue_ns;
  sigjmp_buf escape; /* valid while in_task */
  struct rt_fault fault;
  struct rt_launch *launch;         /* of the running task */
  struct rt_member *member;         /* place in a union group, NULL for a block task */
  struct rt_cluster_copies *copies; /* of its cluster, NULL for a block task */
  bool is_copying; /* true while it does a copy for its cluster and holds the lock of `copies` */

  uintptr_t stack_low; /* lowest address of the stack, including the guard */
  uintptr_t stack_guard_end;
  void *signal_stack; /* NULL: the thread had one before, or there was no memory */
};

/* Coordinates of a task. */
struct rt_task {
  int x, y, z;
  int core_id;
  int cluster_id;
  int cluster_dim;
};

/* Sets up a core for the calling thread, with a stack for signal handlers. */
void rt_core_init(struct rt_core *core);
/* Undoes rt_core_init; to be called before the thread ends. */
void rt_core_fini(struct rt_core *core);
/* Makes this the calling thread's core; NULL: it has none. */
void rt_core_become(struct rt_core *core);
/* The calling thread's core, NULL on a thread of the program. */
struct rt_core *rt_core_self(void);

/* Counts threads that run tasks or have been called to. */
void rt_core_announce(unsigned count);
void rt_core_retract(unsigned count);
/* True if a CPU is free when `more` of them run. */
bool rt_cpus_are_left(unsigned more);
/* True if active cores need every CPU: then a waiting thread sleeps instead of spinning. */
bool rt_cores_fill_cpus(void);
/* True if there are more of them than CPUs, so that they should not spin waiting for each other. */
bool rt_cores_exceed_cpus(void);

/* Leaves the running task; core->fault says why. Does not return. */
void rt_core_escape(struct rt_core *core) __attribute__((noreturn));
/* The same in a signal handler. */
void rt_core_leave_handler(struct rt_core *core, const void *context) __attribute__((noreturn));

/* Calls visit for every core; no core is added or removed meanwhile. */
void rt_cores_visit(void (*visit)(struct rt_core *core, void *argument), void *argument);

#endif /* RUNTIME_CORE_H_ */
