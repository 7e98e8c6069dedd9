/* SPDX-License-Identifier: MIT
 *
 * Queues, notifiers, host functions, external operations.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cnrt_external.h"
#include "harness.h"

static cnrtDim3_t one(void) {
  return dim3(1, 1, 1);
}

/* ---- Order and concurrency ---- */

struct sequence {
  int next;
  int wrong;
};

struct step {
  struct sequence *sequence;
  int number;
};

static void take_step(void *argument) {
  struct step *step = argument;
  step->sequence->wrong += step->sequence->next++ != step->number;
}

static void operations_in_order(void) {
  enum { STEPS = 500 };
  static struct step steps[STEPS];
  struct sequence sequence = {0, 0};
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  for (int i = 0; i < STEPS; ++i) {
    steps[i] = (struct step){&sequence, i};
    if (i % 3 == 0) {
      CHECK_OK(cnrtInvokeHostFunc(queue, take_step, &steps[i]));
    } else {
      CHECK_OK(launch(take_step, &steps[i], one(), cnrtFuncTypeBlock, queue));
    }
  }
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_EQ(sequence.next, STEPS);
  CHECK_EQ(sequence.wrong, 0);
  CHECK_OK(cnrtQueueQuery(queue));
  CHECK_OK(cnrtQueueDestroy(queue));
}

struct rendezvous {
  _Atomic int arrived;
};

static void meet(void *argument) {
  struct rendezvous *place = argument;
  atomic_fetch_add(&place->arrived, 1);
  while (atomic_load(&place->arrived) < 2) {
    usleep(10);
  }
}

static void queues_run_side_by_side(void) {
  struct rendezvous place;
  atomic_init(&place.arrived, 0);
  cnrtQueue_t queues[2];
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(cnrtQueueCreate(&queues[i]));
    CHECK_OK(launch(meet, &place, one(), cnrtFuncTypeBlock, queues[i]));
  }
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(cnrtQueueSync(queues[i]));
    CHECK_OK(cnrtQueueDestroy(queues[i]));
  }
}

static void wait_for_flag(void *argument) {
  _Atomic int *flag = argument;
  while (!atomic_load(flag)) {
    usleep(10);
  }
}

static void launch_is_asynchronous(void) {
  _Atomic int flag = 0;
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(launch(wait_for_flag, &flag, one(), cnrtFuncTypeBlock, queue));
  CHECK_EQ(cnrtQueueQuery(queue), cnrtErrorNotReady);
  atomic_store(&flag, 1);
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_OK(cnrtQueueQuery(queue));
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void count_up(void *argument) {
  atomic_fetch_add((_Atomic int *)argument, 1);
}

static void destroy_with_pending_work(void) {
  _Atomic int flag = 0;
  _Atomic int count = 0;
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(launch(wait_for_flag, &flag, one(), cnrtFuncTypeBlock, queue));
  for (int i = 0; i < 10; ++i) {
    CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, queue));
  }
  CHECK_OK(cnrtQueueDestroy(queue));
  CHECK_EQ(cnrtQueueSync(queue), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(launch(count_up, &count, one(), cnrtFuncTypeBlock, queue),
           cnrtErrorInvalidResourceHandle);
  atomic_store(&flag, 1);
  CHECK_OK(cnrtSyncDevice()); /* waits for destroyed queues as well */
  CHECK_EQ(atomic_load(&count), 10);
}

static void bad_handles(void) {
  int local = 0;
  CHECK_EQ(cnrtQueueSync((cnrtQueue_t)&local), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtQueueDestroy(NULL), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtQueueCreate(NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtNotifierDestroy((cnrtNotifier_t)&local), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtPlaceNotifier(NULL, NULL), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtInvokeHostFunc(NULL, NULL, NULL), cnrtErrorArgsInvalid);
}

static void priorities(void) {
  int least = -1;
  int greatest = -1;
  int value = -1;
  cnrtQueue_t queue;
  CHECK_OK(cnrtDeviceGetQueuePriorityRange(&least, &greatest));
  CHECK_EQ(least, 7);
  CHECK_EQ(greatest, 0);
  CHECK_OK(cnrtQueueCreateWithPriority(&queue, 0, 3));
  CHECK_OK(cnrtQueueGetPriority(queue, &value));
  CHECK_EQ(value, 3);
  CHECK_OK(cnrtQueueDestroy(queue));
  CHECK_OK(cnrtQueueCreateWithPriority(&queue, 0, -100));
  CHECK_OK(cnrtQueueGetPriority(queue, &value));
  CHECK_EQ(value, 0);
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* ---- Notifiers ---- */

static void sleep_a_little(void *argument) {
  usleep(*(unsigned *)argument);
}

static void durations(void) {
  unsigned microseconds = 20000;
  cnrtQueue_t queue;
  cnrtNotifier_t start;
  cnrtNotifier_t end;
  float us = -1;
  float ms = -1;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtNotifierCreate(&start));
  CHECK_OK(cnrtNotifierCreate(&end));
  CHECK_OK(cnrtQueryNotifier(start)); /* never placed counts as reached */
  CHECK_EQ(cnrtNotifierDuration(start, end, &us), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtPlaceNotifier(start, queue));
  CHECK_OK(launch(sleep_a_little, &microseconds, one(), cnrtFuncTypeBlock, queue));
  CHECK_OK(cnrtPlaceNotifier(end, queue));
  CHECK_EQ(cnrtQueryNotifier(end), cnrtErrorNotReady);
  CHECK_EQ(cnrtNotifierDuration(start, end, &us), cnrtErrorNotReady);
  CHECK_OK(cnrtWaitNotifier(end));
  CHECK_OK(cnrtQueryNotifier(end));
  CHECK_OK(cnrtNotifierDuration(start, end, &us));
  CHECK_OK(cnrtNotifierElapsedTime(start, end, &ms));
  CHECK(us >= 20000 && us < 20e6f);
  CHECK(ms > us / 1000 * 0.999f && ms < us / 1000 * 1.001f);
  CHECK_OK(cnrtNotifierDuration(end, start, &us));
  CHECK(us < 0);
  CHECK_EQ(cnrtNotifierDuration(start, end, NULL), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtNotifierDestroy(start));
  CHECK_EQ(cnrtNotifierDestroy(start), cnrtErrorInvalidResourceHandle);
  CHECK_OK(cnrtNotifierDestroy(end));
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void queue_waits_for_notifier(void) {
  enum { QUEUES = 8 };
  _Atomic int flag = 0;
  _Atomic int count = 0;
  cnrtQueue_t first;
  cnrtQueue_t others[QUEUES];
  cnrtNotifier_t notifier;
  CHECK_OK(cnrtQueueCreate(&first));
  CHECK_OK(cnrtNotifierCreateWithFlags(&notifier, CNRT_NOTIFIER_DISABLE_TIMING_ALL));
  CHECK_OK(launch(wait_for_flag, &flag, one(), cnrtFuncTypeBlock, first));
  CHECK_OK(cnrtPlaceNotifier(notifier, first));
  /* More waiting queues than worker threads: waiting must not occupy one. */
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueCreate(&others[i]));
    CHECK_OK(cnrtQueueWaitNotifier(notifier, others[i], 0));
    CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, others[i]));
  }
  CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&count), 1); /* only the queue that does not wait */
  CHECK_OK(cnrtNotifierDestroy(notifier));
  atomic_store(&flag, 1);
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueSync(others[i]));
    CHECK_OK(cnrtQueueDestroy(others[i]));
  }
  CHECK_EQ(atomic_load(&count), 1 + QUEUES);
  CHECK_OK(cnrtQueueDestroy(first));
}

static void notifier_flags(void) {
  cnrtNotifier_t notifier;
  float us = 0;
  const unsigned shared = CNRT_NOTIFIER_INTERPROCESS | CNRT_NOTIFIER_DISABLE_TIMING_ALL;
  CHECK_EQ(cnrtNotifierCreateWithFlags(&notifier, CNRT_NOTIFIER_INTERPROCESS),
           cnrtErrorArgsInvalid);
  CHECK_OK(cnrtNotifierCreateWithFlags(&notifier, shared));
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_EQ(cnrtNotifierCreateWithFlags(&notifier, 0x1000), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtNotifierCreateWithFlags(&notifier, CNRT_NOTIFIER_DISABLE_TIMING_ALL));
  CHECK_OK(cnrtPlaceNotifier(notifier, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(cnrtNotifierDuration(notifier, notifier, &us), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtQueueWaitNotifier(notifier, NULL, 5), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtNotifierDestroy(notifier));
}

/* ---- Host functions and external operations ---- */

static void host_functions_do_not_occupy_workers(void) {
  enum { QUEUES = 12 };
  _Atomic int flag = 0;
  _Atomic int count = 0;
  cnrtQueue_t queues[QUEUES];
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueCreate(&queues[i]));
    CHECK_OK(cnrtInvokeHostFunc(queues[i], wait_for_flag, &flag));
  }
  CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&count), 1);
  atomic_store(&flag, 1);
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueSync(queues[i]));
    CHECK_OK(cnrtQueueDestroy(queues[i]));
  }
}

/* Queues that wait in host functions, with work of every kind after, do not block the device. */
static void waiting_queues_hold_nobody_else(void) {
  enum { QUEUES = 40, WORDS = 1024 };
  _Atomic int flag = 0;
  cnrtQueue_t queues[QUEUES];
  cnrtNotifier_t behind[QUEUES];
  unsigned *memory[QUEUES];
  unsigned *back[QUEUES];
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueCreate(&queues[i]));
    CHECK_OK(cnrtNotifierCreate(&behind[i]));
    CHECK_OK(cnrtMalloc((void **)&memory[i], WORDS * sizeof(unsigned)));
    CHECK_OK(cnrtHostMalloc((void **)&back[i], WORDS * sizeof(unsigned)));
    CHECK_OK(cnrtMemsetD32Async(memory[i], 1, WORDS, queues[i]));
    CHECK_OK(cnrtInvokeHostFunc(queues[i], wait_for_flag, &flag));
    CHECK_OK(cnrtMemsetD32Async(memory[i], (unsigned)i + 2, WORDS, queues[i]));
    CHECK_OK(cnrtMemcpyAsync(back[i], memory[i], WORDS * sizeof(unsigned), queues[i],
                             cnrtMemcpyDevToHost));
    CHECK_OK(cnrtPlaceNotifier(behind[i], queues[i]));
    CHECK_EQ(cnrtQueueQuery(queues[i]), cnrtErrorNotReady);
  }
  for (int i = 0; i < QUEUES; ++i) {
    unsigned *other = NULL;
    unsigned word = 0;
    CHECK_OK(cnrtMalloc((void **)&other, sizeof(unsigned)));
    CHECK_OK(cnrtMemsetD32(other, 7, 1));
    CHECK_OK(cnrtMemcpy(&word, other, sizeof(word), cnrtMemcpyDevToHost));
    CHECK_EQ(word, 7);
    CHECK_OK(cnrtFree(other));
    CHECK_OK(cnrtFree(memory[i])); /* takes effect once the pending work is done */
    CHECK_EQ(cnrtQueryNotifier(behind[i]), cnrtErrorNotReady);
  }
  atomic_store(&flag, 1);
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtWaitNotifier(behind[i]));
    CHECK_EQ(back[i][0], i + 2);
    CHECK_EQ(back[i][WORDS - 1], i + 2);
    CHECK_OK(cnrtQueueSync(queues[i]));
    CHECK_OK(cnrtFreeHost(back[i]));
    CHECK_OK(cnrtNotifierDestroy(behind[i]));
    CHECK_OK(cnrtQueueDestroy(queues[i]));
  }
}

/* A wait is for the latest placement at the time of the call; later placements do not change it. */
static void notifier_placed_again_behind_a_wait(void) {
  _Atomic int flag = 0;
  _Atomic int count = 0;
  cnrtQueue_t held;
  cnrtQueue_t waiting;
  cnrtQueue_t other;
  cnrtNotifier_t notifier;
  CHECK_OK(cnrtQueueCreate(&held));
  CHECK_OK(cnrtQueueCreate(&waiting));
  CHECK_OK(cnrtQueueCreate(&other));
  CHECK_OK(cnrtNotifierCreate(&notifier));
  CHECK_OK(cnrtInvokeHostFunc(held, wait_for_flag, &flag));
  CHECK_OK(cnrtInvokeHostFunc(held, count_up, (void *)&count));
  CHECK_OK(cnrtPlaceNotifier(notifier, held));
  CHECK_OK(cnrtQueueWaitNotifier(notifier, waiting, 0));
  CHECK_OK(cnrtInvokeHostFunc(waiting, count_up, (void *)&count));
  CHECK_OK(cnrtPlaceNotifier(notifier, other)); /* does not affect the earlier wait */
  CHECK_OK(cnrtWaitNotifier(notifier));
  CHECK_OK(cnrtQueueSync(other));
  CHECK_EQ(atomic_load(&count), 0);
  CHECK_EQ(cnrtQueueQuery(waiting), cnrtErrorNotReady);
  CHECK_OK(cnrtNotifierDestroy(notifier));
  atomic_store(&flag, 1);
  CHECK_OK(cnrtQueueSync(waiting));
  CHECK_EQ(atomic_load(&count), 2);
  CHECK_OK(cnrtQueueDestroy(held));
  CHECK_OK(cnrtQueueDestroy(waiting));
  CHECK_OK(cnrtQueueDestroy(other));
}

static cnrtQueue_t shared_queue;
static cnrtRet_t answer_inside;

static void sync_inside(void *argument) {
  (void)argument;
  answer_inside = cnrtQueueSync(shared_queue);
}

static void waiting_for_oneself_is_refused(void) {
  CHECK_OK(cnrtQueueCreate(&shared_queue));
  CHECK_OK(cnrtInvokeHostFunc(shared_queue, sync_inside, NULL));
  CHECK_OK(cnrtQueueSync(shared_queue));
  CHECK_EQ(answer_inside, cnrtErrorOpsNotPermitted);
  answer_inside = cnrtSuccess;
  CHECK_OK(launch(sync_inside, NULL, one(), cnrtFuncTypeBlock, shared_queue));
  CHECK_OK(cnrtQueueSync(shared_queue));
  CHECK_EQ(answer_inside, cnrtErrorOpsNotPermitted);
  CHECK_OK(cnrtQueueDestroy(shared_queue));
}

struct external {
  _Atomic(cnrtxOp_t) op;
};

static void remember_op(cnrtxOp_t op, void *argument) {
  atomic_store(&((struct external *)argument)->op, op);
}

static void complete_at_once(cnrtxOp_t op, void *argument) {
  cnrtxComplete(op, *(cnrtRet_t *)argument);
}

static cnrtxOp_t wait_for_op(struct external *external) {
  cnrtxOp_t op = NULL;
  while ((op = atomic_load(&external->op)) == NULL) {
    usleep(10);
  }
  return op;
}

static void external_operations(void) {
  enum { QUEUES = 8 };
  static struct external external[QUEUES];
  cnrtQueue_t queues[QUEUES];
  _Atomic int count = 0;
  for (int i = 0; i < QUEUES; ++i) {
    const int flags = i % 2 == 0 ? CNRTX_START_MAY_BLOCK : CNRTX_START_INLINE;
    atomic_init(&external[i].op, NULL);
    CHECK_OK(cnrtQueueCreate(&queues[i]));
    CHECK_OK(cnrtxEnqueue(queues[i], remember_op, &external[i], flags, "test"));
    CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, queues[i]));
  }
  for (int i = 0; i < QUEUES; ++i) {
    wait_for_op(&external[i]);
  }
  CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&count), 1);
  for (int i = 0; i < QUEUES; ++i) {
    cnrtxComplete(wait_for_op(&external[i]), i == 3 ? cnrtErrorSys : cnrtSuccess);
  }
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_EQ(cnrtQueueSync(queues[i]), i == 3 ? cnrtErrorSys : cnrtSuccess);
    CHECK_OK(cnrtQueueSync(queues[i])); /* the error is cleared */
    CHECK_OK(cnrtQueueDestroy(queues[i]));
  }
  CHECK_EQ(atomic_load(&count), 1 + QUEUES);

  cnrtRet_t results[2] = {cnrtSuccess, cnrtErrorBusy};
  for (int flags = 0; flags < 2; ++flags) {
    for (int i = 0; i < 2; ++i) {
      CHECK_OK(cnrtxEnqueue(NULL, complete_at_once, &results[i], flags, "test"));
      CHECK_EQ(cnrtQueueSync(NULL), results[i]);
    }
  }
  CHECK_EQ(cnrtxEnqueue(NULL, NULL, NULL, 0, "test"), cnrtErrorArgsInvalid);
}

static void device_sync_returns_first_error(void) {
  cnrtRet_t result = cnrtErrorBusy;
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtxEnqueue(queue, complete_at_once, &result, CNRTX_START_INLINE, "test"));
  CHECK_EQ(cnrtSyncDevice(), cnrtErrorBusy);
  CHECK_OK(cnrtSyncDevice());
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* ---- Many threads ---- */

enum { HOST_THREADS = 4, ROUNDS = 200, TASKS = 8 };

static void *use_runtime(void *argument) {
  (void)argument;
  _Atomic int count = 0;
  cnrtQueue_t queue;
  cnrtNotifier_t notifier;
  int *device = NULL;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtNotifierCreate(&notifier));
  for (int i = 0; i < ROUNDS; ++i) {
    int back = 0;
    CHECK_OK(cnrtMalloc((void **)&device, 4096));
    CHECK_OK(launch(count_up, &count, dim3(TASKS, 1, 1), cnrtFuncTypeBlock, queue));
    CHECK_OK(cnrtMemsetD32Async(device, (unsigned)i, 1024, queue));
    CHECK_OK(cnrtPlaceNotifier(notifier, queue));
    CHECK_OK(cnrtQueueWaitNotifier(notifier, NULL, 0));
    CHECK_OK(cnrtMemcpyAsync(&back, device, sizeof(back), queue, cnrtMemcpyDevToHost));
    CHECK_OK(cnrtQueueSync(queue));
    CHECK_EQ(back, i);
    CHECK_OK(cnrtFree(device));
  }
  CHECK_EQ(atomic_load(&count), ROUNDS * TASKS);
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtQueueDestroy(queue));
  return NULL;
}

static void several_host_threads(void) {
  pthread_t threads[HOST_THREADS];
  for (int i = 0; i < HOST_THREADS; ++i) {
    pthread_create(&threads[i], NULL, use_runtime, NULL);
  }
  for (int i = 0; i < HOST_THREADS; ++i) {
    pthread_join(threads[i], NULL);
  }
  CHECK_OK(cnrtSyncDevice());
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"operations_in_order", operations_in_order},
      {"queues_run_side_by_side", queues_run_side_by_side},
      {"launch_is_asynchronous", launch_is_asynchronous},
      {"destroy_with_pending_work", destroy_with_pending_work},
      {"bad_handles", bad_handles},
      {"priorities", priorities},
      {"durations", durations},
      {"queue_waits_for_notifier", queue_waits_for_notifier},
      {"notifier_flags", notifier_flags},
      {"host_functions_do_not_occupy_workers", host_functions_do_not_occupy_workers},
      {"waiting_queues_hold_nobody_else", waiting_queues_hold_nobody_else},
      {"notifier_placed_again_behind_a_wait", notifier_placed_again_behind_a_wait},
      {"waiting_for_oneself_is_refused", waiting_for_oneself_is_refused},
      {"external_operations", external_operations},
      {"device_sync_returns_first_error", device_sync_returns_first_error},
      {"several_host_threads", several_host_threads},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
