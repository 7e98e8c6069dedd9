/* SPDX-License-Identifier: MIT
 *
 * Queues that exist without being created: the default queue of a device, and one per thread.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "cnrt_external.h"
#include "harness.h"

static cnrtDim3_t one(void) {
  return dim3(1, 1, 1);
}

static void count_up(void *argument) {
  atomic_fetch_add((_Atomic int *)argument, 1);
}

static void wait_for_flag(void *argument) {
  while (!atomic_load((_Atomic int *)argument)) {
    usleep(100);
  }
}

static void default_queues(void) {
  _Atomic int count = 0;
  CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, NULL));
  CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, cnrtQueueLegacy));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&count), 2);
  const int other = device_up_to(1);
  CHECK_OK(cnrtSetDevice(other)); /* each device has its own */
  int device = -1;
  CHECK_OK(cnrtxQueueDevice(NULL, &device));
  CHECK_EQ(device, other);
  CHECK_OK(cnrtSetDevice(0));
}

static void synchronous_copy_follows_default_queue(void) {
  _Atomic int flag = 0;
  int *device = NULL;
  int back = 0;
  CHECK_OK(cnrtMalloc((void **)&device, sizeof(int)));
  CHECK_OK(cnrtMemset(device, 0, sizeof(int)));
  CHECK_OK(launch(wait_for_flag, &flag, one(), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtMemsetD32Async(device, 5, 1, NULL));
  atomic_store(&flag, 1);
  CHECK_OK(cnrtMemcpy(&back, device, sizeof(int), cnrtMemcpyDevToHost));
  CHECK_EQ(back, 5);
  CHECK_OK(cnrtFree(device));
}

/* ---- cnrtQueuePerThread ---- */

static void *use_own_queue(void *argument) {
  _Atomic int *count = argument;
  CHECK_OK(cnrtQueueQuery(cnrtQueuePerThread)); /* work of the other thread is not in it */
  CHECK_OK(launch(count_up, count, one(), cnrtFuncTypeBlock, cnrtQueuePerThread));
  CHECK_OK(cnrtQueueSync(cnrtQueuePerThread));
  CHECK_EQ(atomic_load(count), 1);
  return NULL;
}

static void threads_do_not_wait_for_each_other(void) {
  _Atomic int flag = 0;
  _Atomic int count = 0;
  pthread_t thread;
  CHECK_OK(launch(wait_for_flag, &flag, one(), cnrtFuncTypeBlock, cnrtQueuePerThread));
  CHECK_EQ(pthread_create(&thread, NULL, use_own_queue, &count), 0);
  pthread_join(thread, NULL);
  CHECK_OK(cnrtQueueQuery(NULL));
  CHECK_EQ(cnrtQueueQuery(cnrtQueuePerThread), cnrtErrorNotReady);
  atomic_store(&flag, 1);
  CHECK_OK(cnrtSyncDevice()); /* waits for it as for any queue */
  CHECK_OK(cnrtQueueQuery(cnrtQueuePerThread));
}

static void *leave_work_behind(void *argument) {
  CHECK_OK(launch(wait_for_flag, argument, one(), cnrtFuncTypeBlock, cnrtQueuePerThread));
  return NULL;
}

static void work_outlives_its_thread(void) {
  _Atomic int flag = 0;
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, leave_work_behind, &flag), 0);
  pthread_join(thread, NULL);
  atomic_store(&flag, 1);
  CHECK_OK(cnrtSyncDevice());
}

static void every_device_has_its_own(void) {
  const int devices[] = {device_up_to(1), 0};
  for (int i = 0; i < 2; ++i) {
    int device = -1;
    CHECK_OK(cnrtSetDevice(devices[i]));
    CHECK_OK(cnrtxQueueDevice(cnrtQueuePerThread, &device));
    CHECK_EQ(device, devices[i]);
  }
}

/* A reset ends the queues of a device; new queues may get the same addresses. */
static void reset_makes_a_new_one(void) {
  enum { MANY = 64 };
  _Atomic int count = 0;
  cnrtQueue_t others[MANY];
  CHECK_OK(launch(count_up, &count, one(), cnrtFuncTypeBlock, cnrtQueuePerThread));
  CHECK_OK(cnrtDeviceReset());
  CHECK_EQ(atomic_load(&count), 1);
  for (int i = 0; i < MANY; ++i) {
    CHECK_OK(cnrtQueueCreate(&others[i]));
  }
  _Atomic int flag = 0;
  CHECK_OK(launch(wait_for_flag, &flag, one(), cnrtFuncTypeBlock, cnrtQueuePerThread));
  for (int i = 0; i < MANY; ++i) {
    CHECK_OK(cnrtQueueQuery(others[i]));
    CHECK_OK(cnrtQueueDestroy(others[i]));
  }
  atomic_store(&flag, 1);
  CHECK_OK(cnrtQueueSync(cnrtQueuePerThread));
}

static void cannot_be_destroyed(void) {
  CHECK_EQ(cnrtQueueDestroy(cnrtQueuePerThread), cnrtErrorInvalidResourceHandle);
  CHECK_OK(cnrtQueueSync(cnrtQueuePerThread));
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"default_queues", default_queues},
      {"synchronous_copy_follows_default_queue", synchronous_copy_follows_default_queue},
      {"threads_do_not_wait_for_each_other", threads_do_not_wait_for_each_other},
      {"work_outlives_its_thread", work_outlives_its_thread},
      {"every_device_has_its_own", every_device_has_its_own},
      {"reset_makes_a_new_one", reset_makes_a_new_one},
      {"cannot_be_destroyed", cannot_be_destroyed},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
