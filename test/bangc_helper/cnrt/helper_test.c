/* SPDX-License-Identifier: MIT
 *
 * A thread that waits for a queue helps: it runs tasks of the queue. Tasks see the same environment
 * there as on a worker, and no launch depends on the help.
 */
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { TRIES = 1000, SECONDS = 60 };

static pthread_t waiting_thread;
static _Atomic int on_waiting_thread;

static bool is_waiting_thread(void) {
  return pthread_equal(pthread_self(), waiting_thread) != 0;
}

static unsigned cores(void) {
  int value = 0;
  CHECK_OK(cnrtDeviceGetAttribute(&value, cnrtAttrMcorePerCluster, 0));
  return (unsigned)value;
}

enum { MIN_TASK_US = 50, MORE_PER_TRY_US = 20 };
static _Atomic int task_us = MIN_TASK_US;

/* Gives another thread time to take the next task; ends early once the waiting thread has one. */
static void take_time(void) {
  const double end = now_us() + atomic_load(&task_us);
  while (now_us() < end && atomic_load(&on_waiting_thread) == 0) {
    sched_yield();
  }
}

static void note_thread(void *argument) {
  (void)argument;
  if (is_waiting_thread()) {
    atomic_fetch_add(&on_waiting_thread, 1);
  }
  take_time();
  __bang_barrier(BANG_BARRIER_ALL, __FILE__, __LINE__);
}

/* Workers take tasks before a waiting thread does. So another queue keeps one of the two workers
 * (see main) busy. */
static _Atomic bool worker_is_busy;
static _Atomic bool worker_may_rest;

static void keep_worker_busy(void *argument) {
  (void)argument;
  atomic_store(&worker_is_busy, true);
  const double end = now_us() + SECONDS * 1e6;
  while (!atomic_load(&worker_may_rest) && now_us() < end) {
    sched_yield();
  }
}

static cnrtQueue_t busy_begin(void) {
  cnrtQueue_t queue;
  atomic_store(&worker_is_busy, false);
  atomic_store(&worker_may_rest, false);
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(launch(keep_worker_busy, NULL, dim3(1, 1, 1), cnrtFuncTypeBlock, queue));
  while (!atomic_load(&worker_is_busy)) {
    sched_yield();
  }
  return queue;
}

static void busy_end(cnrtQueue_t queue) {
  atomic_store(&worker_may_rest, true);
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* Launches until the calling thread has run a task, at most `tries` times; returns the result of
 * the last sync. Each try has longer tasks, for machines where this thread is scheduled late. */
static cnrtRet_t launch_for_help(task_function function, void *argument, cnrtDim3_t dim,
                                 cnrtFunctionType_t type, cnrtQueue_t queue, int tries) {
  const cnrtQueue_t busy = busy_begin();
  cnrtRet_t error = cnrtSuccess;
  waiting_thread = pthread_self();
  atomic_store(&on_waiting_thread, 0);
  for (int i = 0; i < tries && error == cnrtSuccess && atomic_load(&on_waiting_thread) == 0; ++i) {
    atomic_store(&task_us, MIN_TASK_US + i * MORE_PER_TRY_US);
    CHECK_OK(launch(function, argument, dim, type, queue));
    error = cnrtQueueSync(queue);
  }
  atomic_store(&task_us, MIN_TASK_US);
  busy_end(busy);
  return error;
}

/* The same for tasks that do not fault. True if the calling thread has run a task. */
static bool launch_until_helped(task_function function, void *argument, cnrtDim3_t dim,
                                cnrtFunctionType_t type, cnrtQueue_t queue, int tries) {
  CHECK_OK(launch_for_help(function, argument, dim, type, queue, tries));
  return atomic_load(&on_waiting_thread) != 0;
}

static void waiting_thread_runs_tasks(void) {
  CHECK(launch_until_helped(note_thread, NULL, dim3(4, 1, 1), cnrtFuncTypeBlock, NULL, TRIES));
  CHECK(
      launch_until_helped(note_thread, NULL, dim3(cores(), 1, 1), cnrtFuncTypeUnion1, NULL, TRIES));
}

static void child_off(void) {
  CHECK(!launch_until_helped(note_thread, NULL, dim3(4, 1, 1), cnrtFuncTypeBlock, NULL, 20));
  CHECK(!launch_until_helped(note_thread, NULL, dim3(cores(), 1, 1), cnrtFuncTypeUnion1, NULL, 20));
}

static void can_be_switched_off(void) {
  CHECK_EQ(run_self("MLUOP_CPU_HELPERS=0", "_child_off", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_TASK_ORDER=reversed", "_child_off", NULL, 0), 0);
}

/* ---- The environment of a task ---- */

static _Atomic int other_rounding;

static void look_at_rounding(void *argument) {
  note_thread(argument);
  if (is_waiting_thread()) { /* other threads inherit their creator's rounding */
    const volatile double tiny = 0x1p-60;
    if (1.0 + tiny != 1.0) {
      atomic_fetch_add(&other_rounding, 1);
    }
  }
}

static void rounding_is_the_default(void) {
  atomic_store(&other_rounding, 0);
  CHECK_OK(launch(note_thread, NULL, dim3(4, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL)); /* from here on the threads of the runtime exist */
  fesetround(FE_UPWARD);
  CHECK(launch_until_helped(look_at_rounding, NULL, dim3(4, 1, 1), cnrtFuncTypeBlock, NULL, TRIES));
  CHECK_EQ(fegetround(), FE_UPWARD);
  fesetround(FE_TONEAREST);
  CHECK_EQ(atomic_load(&other_rounding), 0);
}

/* Tasks fill their shared RAM and read it back; each block task has its own. */
static _Atomic int foreign_words;

static void use_own_shared_ram(void *argument) {
  enum { WORDS = 256 };
  volatile int *ram = __bang_space_open(BANG_SPACE_SRAM);
  const int mark = *(const int *)argument + __bang_taskId;
  for (int i = 0; i < WORDS; ++i) {
    ram[i] = mark;
  }
  sched_yield();
  for (int i = 0; i < WORDS; ++i) {
    if (ram[i] != mark) {
      atomic_fetch_add(&foreign_words, 1);
    }
  }
}

static void *launch_and_wait(void *argument) {
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  for (int i = 0; i < 300; ++i) {
    CHECK_OK(launch(use_own_shared_ram, argument, dim3(8, 1, 1), cnrtFuncTypeBlock, queue));
    if (i % 3 == 0) {
      CHECK_OK(launch(note_thread, NULL, dim3(cores(), 1, 1), cnrtFuncTypeUnion1, queue));
    }
    CHECK_OK(cnrtQueueSync(queue));
  }
  CHECK_OK(cnrtQueueDestroy(queue));
  return NULL;
}

static void shared_ram_is_its_own(void) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  int marks[THREADS];
  atomic_store(&foreign_words, 0);
  for (int i = 0; i < THREADS; ++i) {
    marks[i] = (i + 1) << 16;
    CHECK_EQ(pthread_create(&threads[i], NULL, launch_and_wait, &marks[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  }
  CHECK_EQ(atomic_load(&foreign_words), 0);
}

static void fill_stack(void *argument) {
  volatile char block[1 << 20];
  memset((char *)block, 1, sizeof(block));
  atomic_fetch_add((_Atomic int *)argument, block[sizeof(block) / 2]);
}

static void *launch_on_short_stack(void *argument) {
  for (int i = 0; i < 20; ++i) {
    CHECK_OK(launch(fill_stack, argument, dim3(4, 1, 1), cnrtFuncTypeBlock, NULL));
    CHECK_OK(cnrtQueueSync(NULL));
  }
  return NULL;
}

/* A thread whose stack is too small for a task only waits. */
static void short_stack(void) {
  _Atomic int count = 0;
  pthread_attr_t attributes;
  pthread_t thread;
  CHECK_EQ(pthread_attr_init(&attributes), 0);
  CHECK_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  CHECK_EQ(pthread_create(&thread, &attributes, launch_on_short_stack, &count), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
  CHECK_EQ(atomic_load(&count), 80);
}

/* ---- Faults ---- */

static void fail_on_waiting_thread(void *argument) {
  note_thread(argument);
  if (is_waiting_thread()) {
    __bang_fault(CN_INVOKE_ERROR_ASSERT, "on the waiting thread");
  }
}

static void check_fault(cnrtDim3_t dim, cnrtFunctionType_t type) {
  const cnrtRet_t error = launch_for_help(fail_on_waiting_thread, NULL, dim, type, NULL, TRIES);
  CHECK_EQ(error, CN_INVOKE_ERROR_ASSERT);
  cnrtGetLastError();
  CHECK_OK(launch(note_thread, NULL, dim, type, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
}

static void child_fault(void) {
  check_fault(dim3(4, 1, 1), cnrtFuncTypeBlock);
  check_fault(dim3(cores(), 1, 1), cnrtFuncTypeUnion1);
}

static void fault_on_waiting_thread(void) {
  char text[1024];
  CHECK_EQ(run_self("A=1", "_child_fault", text, sizeof(text)), 0);
  CHECK(strstr(text, "on the waiting thread") != NULL);
}

/* ---- No launch depends on help ---- */

static void check_unattended(cnrtDim3_t dim, cnrtFunctionType_t type) {
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  for (int i = 0; i < 20; ++i) { /* after this the runtime expects help */
    launch_until_helped(note_thread, NULL, dim, type, queue, 20);
    CHECK_OK(launch(note_thread, NULL, dim, type, queue));
    const double end = now_us() + SECONDS * 1e6;
    while (cnrtQueueQuery(queue) != cnrtSuccess && now_us() < end) {
      sched_yield();
    }
    CHECK_OK(cnrtQueueQuery(queue));
  }
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void launches_end_without_a_waiter(void) {
  check_unattended(dim3(4, 1, 1), cnrtFuncTypeBlock);
  check_unattended(dim3(cores(), 1, 1), cnrtFuncTypeUnion1);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"waiting_thread_runs_tasks", waiting_thread_runs_tasks},
      {"can_be_switched_off", can_be_switched_off},
      {"rounding_is_the_default", rounding_is_the_default},
      {"shared_ram_is_its_own", shared_ram_is_its_own},
      {"short_stack", short_stack},
      {"fault_on_waiting_thread", fault_on_waiting_thread},
      {"launches_end_without_a_waiter", launches_end_without_a_waiter},
      {"_child_off", child_off},
      {"_child_fault", child_fault},
  };
  setenv("MLUOP_CPU_THREADS", "2", 1);
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
