/* SPDX-License-Identifier: MIT
 *
 * Helpers: threads of the program that run tasks of a queue while they wait for it. With few CPUs,
 * a waiting thread would have to yield to a thread of the runtime and be woken again: two context
 * switches, too many for a short kernel.
 *
 * A thread of the program must offer what tasks rely on: a stack of the usual size, the default
 * floating-point environment, access to device memory, and a shared RAM that no other cluster uses
 * at the same time. Kernels keep the address of the shared RAM, so a thread is bound to one slot
 * for life, and does not help while others use that slot.
 */
#if !defined(__x86_64__) && !defined(__i386__)
#include <fenv.h>
#endif
#include <pthread.h>
#include <stdlib.h>

#include "cluster_threads.h"
#include "core.h"
#include "device_access.h"
#include "pool.h"
#include "queue.h"
#include "settings.h"
#include "slot.h"

enum {
  /* Stack that the program may have used already, beside the stack size of a task. */
  PROGRAM_STACK = 256 * 1024,
  /* The guard gap that the kernel keeps below a growing stack, in pages. */
  GUARD_GAP_PAGES = 256,
};

struct helper {
  struct rt_core core;
  struct rt_slot *slot; /* NULL: this thread cannot help */
};

static __thread struct helper *self __attribute__((tls_model("initial-exec")));
static pthread_key_t helper_key;

static void destroy_helper(void *pointer) {
  struct helper *helper = pointer;
  if (helper->slot != NULL) {
    rt_slot_unbind(helper->slot);
  }
  rt_core_fini(&helper->core);
  free(helper);
}

static void create_key(void) {
  pthread_key_create(&helper_key, destroy_helper);
}

static struct helper *create_helper(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, create_key);
  struct helper *helper = calloc(1, sizeof(*helper));
  if (helper == NULL) {
    return NULL;
  }
  rt_core_init(&helper->core);
  const size_t gap = GUARD_GAP_PAGES * rt_page_bytes();
  if (helper->core.stack_low > gap) {
    helper->core.stack_low -= gap;
  }
  helper->slot = rt_slot_bind();
  pthread_setspecific(helper_key, helper);
  return helper;
}

static bool has_stack(const struct rt_core *core) {
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return here > core->stack_guard_end &&
         here - core->stack_guard_end + PROGRAM_STACK >= rt_settings()->stack_bytes;
}

/* Tasks of a block launch need a shared RAM each, so the slot must be free and is taken. */
static bool help_with_job(struct CNqueue_st *queue, struct rt_slot *slot) {
  if (!rt_slot_take(slot)) {
    return false;
  }
  const bool helped = rt_job_help(&queue->offers);
  rt_slot_return(slot);
  return helped;
}

/* Sets the floating-point environment of a new thread and returns the program's. fesetenv would
 * take as long as a short task. */
#if defined(__x86_64__) || defined(__i386__)
typedef unsigned float_state;
static float_state float_state_reset(void) {
  const float_state of_program = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(0x1f80);
  return of_program;
}
static void float_state_restore(const float_state *of_program) {
  __builtin_ia32_ldmxcsr(*of_program);
}
#else
typedef fenv_t float_state;
static float_state float_state_reset(void) {
  float_state of_program;
  fegetenv(&of_program);
  fesetenv(FE_DFL_ENV);
  return of_program;
}
static void float_state_restore(const float_state *of_program) {
  fesetenv(of_program);
}
#endif

static bool help_as(struct helper *helper, struct CNqueue_st *queue) {
  int cancelling = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
  const float_state of_program = float_state_reset();
  const int access = rt_device_access_open(); /* still open after a task that faulted */
  rt_core_become(&helper->core);
  const bool helped =
      rt_cluster_threads_help(queue, helper->slot) || help_with_job(queue, helper->slot);
  rt_core_become(NULL);
  rt_device_access_close(access);
  float_state_restore(&of_program);
  pthread_setcancelstate(cancelling, NULL);
  return helped;
}

/* Runs tasks of the queue on the calling thread while there are unstarted ones; false when it ran
 * none. */
static bool help(struct CNqueue_st *queue) {
  if (rt_core_self() != NULL || !rt_settings()->helpers ||
      rt_settings()->order != RT_ORDER_PARALLEL) {
    return false;
  }
  if (self == NULL) {
    self = create_helper();
  }
  if (self == NULL || self->slot == NULL || !has_stack(&self->core)) {
    return false;
  }
  const bool helped = help_as(self, queue);
  if (helped) {
    rt_offers_expect_help(&queue->offers, self->slot);
  }
  return helped;
}

__attribute__((constructor)) static void offer_help(void) {
  rt_queue_set_helper(help);
}
