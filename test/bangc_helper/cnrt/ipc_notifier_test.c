/* SPDX-License-Identifier: MIT
 *
 * Notifiers shared between processes. The program starts itself as the second process; both map a
 * page that holds their progress, which the child finds through an environment variable.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

enum { SHARED = CNRT_NOTIFIER_INTERPROCESS | CNRT_NOTIFIER_DISABLE_TIMING_ALL };

struct desk {
  _Atomic int stage;
  cnrtIpcNotifierHandle handle;
};

static const char desk_variable[] = "CNRT_TEST_DESK";

static struct desk *map_desk(int file) {
  struct desk *desk = mmap(NULL, sizeof(struct desk), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(desk != MAP_FAILED);
  return desk;
}

static struct desk *desk_of_parent(void) {
  const char *path = getenv(desk_variable);
  const int file = open(path != NULL ? path : "", O_RDWR | O_CLOEXEC);
  CHECK(file >= 0);
  return map_desk(file);
}

static void wait_for_stage(const struct desk *desk, int stage) {
  while (atomic_load(&desk->stage) < stage) {
    usleep(1000);
  }
}

/* A host function that blocks its queue. */
struct gate {
  struct desk *desk;
  int stage;
};

static void pass_gate(void *argument) {
  const struct gate *gate = argument;
  wait_for_stage(gate->desk, gate->stage);
}

static void count_up(void *argument) {
  atomic_fetch_add((_Atomic int *)argument, 1);
}

/* ---- The other process ---- */

struct other {
  pthread_t thread;
  struct desk *desk;
  char setting[96];
  const char *test;
  int status;
};

static void *run_other(void *argument) {
  struct other *other = argument;
  char output[2048] = "";
  other->status = run_self(other->setting, other->test, output, sizeof(output));
  if (other->status > 0) {
    fprintf(stderr, "%s\n", output);
  }
  return NULL;
}

static void begin_desk(struct other *other) {
  const int file = memfd_create("desk", MFD_CLOEXEC);
  CHECK(file >= 0 && ftruncate(file, sizeof(struct desk)) == 0);
  other->desk = map_desk(file);
  snprintf(other->setting, sizeof(other->setting), "%s=/proc/%d/fd/%d", desk_variable,
           (int)getpid(), file);
}

static void start_other(struct other *other, const char *test) {
  other->test = test;
  CHECK(pthread_create(&other->thread, NULL, run_other, other) == 0);
}

static int join_other(struct other *other) {
  pthread_join(other->thread, NULL);
  return other->status;
}

/* ---- Waiting for each other ---- */

static void child_waits_and_places(void) {
  struct desk *desk = desk_of_parent();
  struct gate gate = {desk, 3};
  _Atomic int count = 0;
  cnrtNotifier_t notifier = NULL;
  cnrtQueue_t queue = NULL;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtIpcOpenNotifierHandle(&notifier, desk->handle));
  CHECK_EQ(cnrtQueryNotifier(notifier), cnrtErrorNotReady);
  CHECK_OK(cnrtQueueWaitNotifier(notifier, queue, 0));
  CHECK_OK(cnrtInvokeHostFunc(queue, count_up, &count));
  usleep(30000);
  CHECK_EQ(atomic_load(&count), 0);
  CHECK_EQ(cnrtQueueQuery(queue), cnrtErrorNotReady);
  atomic_store(&desk->stage, 1); /* opens the parent's gate */
  CHECK_OK(cnrtWaitNotifier(notifier));
  CHECK_OK(cnrtQueryNotifier(notifier));
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_EQ(atomic_load(&count), 1);

  CHECK_OK(cnrtInvokeHostFunc(queue, pass_gate, &gate));
  CHECK_OK(cnrtPlaceNotifier(notifier, queue));
  CHECK_EQ(cnrtQueryNotifier(notifier), cnrtErrorNotReady);
  atomic_store(&desk->stage, 2);
  CHECK_OK(cnrtWaitNotifier(notifier));
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void both_ways(void) {
  struct other other;
  cnrtNotifier_t notifier = NULL;
  cnrtQueue_t queue = NULL;
  begin_desk(&other);
  struct gate gate = {other.desk, 1};
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtNotifierCreateWithFlags(&notifier, SHARED));
  CHECK_OK(cnrtQueryNotifier(notifier)); /* never placed */
  CHECK_OK(cnrtWaitNotifier(notifier));
  CHECK_OK(cnrtIpcGetNotifierHandle(&other.desk->handle, notifier));
  CHECK_OK(cnrtInvokeHostFunc(queue, pass_gate, &gate));
  CHECK_OK(cnrtPlaceNotifier(notifier, queue));
  start_other(&other, "_child_waits_and_places");
  wait_for_stage(other.desk, 2);
  CHECK_EQ(cnrtQueryNotifier(notifier), cnrtErrorNotReady); /* now placed by the child */
  _Atomic int count = 0;
  CHECK_OK(cnrtQueueWaitNotifier(notifier, queue, 0));
  CHECK_OK(cnrtInvokeHostFunc(queue, count_up, &count));
  usleep(30000);
  CHECK_EQ(atomic_load(&count), 0);
  atomic_store(&other.desk->stage, 3);
  CHECK_OK(cnrtWaitNotifier(notifier));
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_EQ(atomic_load(&count), 1);
  CHECK_EQ(join_other(&other), 0);
  CHECK_OK(cnrtQueryNotifier(notifier)); /* reached before the child ended */
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* ---- Processes that end ---- */

static void child_dies(void) {
  struct desk *desk = desk_of_parent();
  struct gate never = {desk, 1000};
  cnrtNotifier_t notifier = NULL;
  CHECK_OK(cnrtIpcOpenNotifierHandle(&notifier, desk->handle));
  CHECK_OK(cnrtInvokeHostFunc(NULL, pass_gate, &never));
  CHECK_OK(cnrtPlaceNotifier(notifier, NULL));
  atomic_store(&desk->stage, 1);
  wait_for_stage(desk, 2);
  raise(SIGKILL);
}

static void death_of_the_placer(void) {
  struct other other;
  cnrtNotifier_t notifier = NULL;
  cnrtQueue_t queue = NULL;
  begin_desk(&other);
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtNotifierCreateWithFlags(&notifier, SHARED));
  CHECK_OK(cnrtIpcGetNotifierHandle(&other.desk->handle, notifier));
  start_other(&other, "_child_dies");
  wait_for_stage(other.desk, 1);
  CHECK_EQ(cnrtQueryNotifier(notifier), cnrtErrorNotReady);
  CHECK_OK(cnrtQueueWaitNotifier(notifier, queue, 0));
  atomic_store(&other.desk->stage, 2);
  CHECK_EQ(cnrtWaitNotifier(notifier), cnrtErrorSys);
  CHECK_EQ(cnrtQueryNotifier(notifier), cnrtErrorSys);
  CHECK_EQ(cnrtQueueSync(queue), cnrtErrorSys);
  CHECK_EQ(join_other(&other), -1);
  CHECK_OK(cnrtPlaceNotifier(notifier, queue)); /* a new placement is independent of the lost one */
  CHECK_OK(cnrtWaitNotifier(notifier));
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* The process ends although its queue waits for a notifier that is never reached. */
static void child_leaves(void) {
  struct desk *desk = desk_of_parent();
  cnrtNotifier_t notifier = NULL;
  CHECK_OK(cnrtIpcOpenNotifierHandle(&notifier, desk->handle));
  CHECK_OK(cnrtQueueWaitNotifier(notifier, NULL, 0));
  CHECK_EQ(cnrtQueueQuery(NULL), cnrtErrorNotReady);
}

static void end_of_the_waiter(void) {
  struct other other;
  cnrtNotifier_t notifier = NULL;
  cnrtQueue_t queue = NULL;
  begin_desk(&other);
  struct gate gate = {other.desk, 1};
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtNotifierCreateWithFlags(&notifier, SHARED));
  CHECK_OK(cnrtIpcGetNotifierHandle(&other.desk->handle, notifier));
  CHECK_OK(cnrtInvokeHostFunc(queue, pass_gate, &gate));
  CHECK_OK(cnrtPlaceNotifier(notifier, queue));
  start_other(&other, "_child_leaves");
  CHECK_EQ(join_other(&other), 0);
  atomic_store(&other.desk->stage, 1);
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* ---- One process ---- */

/* The opened notifier is a second object, connected with the first only by the shared page. */
static void opened_here(void) {
  enum { ROUNDS = 100 }; /* more than the page has lines */
  cnrtNotifier_t notifier = NULL;
  cnrtNotifier_t opened = NULL;
  cnrtIpcNotifierHandle handle;
  cnrtIpcNotifierHandle same;
  float us = 0;
  CHECK_OK(cnrtNotifierCreateWithFlags(&notifier, SHARED));
  CHECK_OK(cnrtIpcGetNotifierHandle(&handle, notifier));
  CHECK_OK(cnrtIpcOpenNotifierHandle(&opened, handle));
  CHECK(opened != notifier);
  CHECK_OK(cnrtIpcGetNotifierHandle(&same, opened));
  CHECK(memcmp(&handle, &same, sizeof(handle)) == 0);
  for (int i = 0; i < ROUNDS; ++i) {
    CHECK_OK(cnrtPlaceNotifier(i % 2 == 0 ? notifier : opened, NULL));
    CHECK_OK(cnrtWaitNotifier(i % 3 == 0 ? notifier : opened));
    CHECK_OK(cnrtQueryNotifier(notifier));
    CHECK_OK(cnrtQueryNotifier(opened));
  }
  CHECK_EQ(cnrtNotifierDuration(notifier, opened, &us), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtQueueWaitNotifier(opened, NULL, 0)); /* its owner destroyed it: no wait */
  CHECK_OK(cnrtPlaceNotifier(opened, NULL));
  CHECK_OK(cnrtWaitNotifier(opened));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_OK(cnrtNotifierDestroy(opened));
}

static void many(void) {
  enum { NOTIFIERS = 1000, ROUNDS = 40 }; /* in total more than fit at once */
  static cnrtNotifier_t notifiers[NOTIFIERS];
  cnrtIpcNotifierHandle handle;
  cnrtNotifier_t opened = NULL;
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < NOTIFIERS; ++i) {
      CHECK_OK(cnrtNotifierCreateWithFlags(&notifiers[i], SHARED));
    }
    CHECK_OK(cnrtIpcGetNotifierHandle(&handle, notifiers[round]));
    for (int i = 0; i < NOTIFIERS; ++i) {
      CHECK_OK(cnrtNotifierDestroy(notifiers[i]));
    }
    CHECK_EQ(cnrtIpcOpenNotifierHandle(&opened, handle), cnrtErrorArgsInvalid);
  }
}

static void refused(void) {
  cnrtNotifier_t notifier = NULL;
  cnrtNotifier_t opened = NULL;
  cnrtIpcNotifierHandle handle = {{0}};
  int supported = -1;
  CHECK_OK(cnrtDeviceGetAttribute(&supported, cnrtAttrIPCNotifierSupported, 0));
  CHECK_EQ(supported, 1);
  CHECK_EQ(cnrtNotifierCreateWithFlags(&notifier, CNRT_NOTIFIER_INTERPROCESS),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtIpcOpenNotifierHandle(&opened, handle), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtNotifierCreate(&notifier));
  CHECK_EQ(cnrtIpcGetNotifierHandle(&handle, notifier), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_EQ(cnrtIpcGetNotifierHandle(&handle, notifier), cnrtErrorInvalidResourceHandle);
  CHECK_OK(cnrtNotifierCreateWithFlags(&notifier, SHARED));
  CHECK_EQ(cnrtIpcGetNotifierHandle(NULL, notifier), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtIpcGetNotifierHandle(&handle, notifier));
  CHECK_EQ(cnrtIpcOpenNotifierHandle(NULL, handle), cnrtErrorArgsInvalid);
  for (int word = 0; word < CNRT_IPC_HANDLE_SIZE; ++word) {
    cnrtIpcNotifierHandle wrong = handle;
    wrong.res[word] += (uint64_t)1 << 40;
    const cnrtRet_t answer = cnrtIpcOpenNotifierHandle(&opened, wrong);
    if (word < 4) { /* the other words are unused */
      CHECK_EQ(answer, cnrtErrorArgsInvalid);
    }
    if (answer == cnrtSuccess) {
      CHECK_OK(cnrtNotifierDestroy(opened));
    }
  }
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_EQ(
      run_self("MLUOP_CPU_SHARED_MEMORY=0 MLUOP_SM90_SHARED_MEMORY=0", "_child_cannot", NULL, 0),
      0);
}

static void child_cannot(void) {
  cnrtNotifier_t notifier = NULL;
  const cnrtIpcNotifierHandle handle = {{0}};
  int supported = -1;
  CHECK_OK(cnrtDeviceGetAttribute(&supported, cnrtAttrIPCNotifierSupported, 0));
  CHECK_EQ(supported, 0);
  CHECK_EQ(cnrtNotifierCreateWithFlags(&notifier, SHARED), cnrtErrorNotSupport);
  CHECK_EQ(cnrtIpcOpenNotifierHandle(&notifier, handle), cnrtErrorNotSupport);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"both_ways", both_ways},
      {"death_of_the_placer", death_of_the_placer},
      {"end_of_the_waiter", end_of_the_waiter},
      {"opened_here", opened_here},
      {"many", many},
      {"refused", refused},
      {"_child_waits_and_places", child_waits_and_places},
      {"_child_dies", child_dies},
      {"_child_leaves", child_leaves},
      {"_child_cannot", child_cannot},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
