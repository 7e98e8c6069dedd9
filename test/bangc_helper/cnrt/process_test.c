/* SPDX-License-Identifier: MIT
 *
 * The runtime and the life of the process: exit, dlopen, idle CPU use.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "test/common/sanitized.h"

static void nothing(void *argument) {
  (void)argument;
}

static cnrtDim3_t one(void) {
  return dim3(1, 1, 1);
}

static void run_something(void) {
  CHECK_OK(launch(nothing, NULL, dim3(8, 1, 1), cnrtFuncTypeBlock, NULL));
  int cores = 0;
  CHECK_OK(cnrtDeviceGetAttribute(&cores, cnrtAttrMcorePerCluster, 0));
  CHECK_OK(launch(nothing, NULL, dim3((unsigned)cores, 1, 1), cnrtFuncTypeUnion1, NULL));
  CHECK_OK(cnrtInvokeHostFunc(NULL, nothing, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
}

static void wait_for_ever(void *argument) {
  _Atomic int *flag = argument;
  while (!atomic_load(flag)) {
    usleep(1000);
  }
}

static void child_plain_exit(void) {
  run_something();
}

static void child_exit_with_pending_work(void) {
  static _Atomic int flag;
  run_something();
  CHECK_OK(launch(wait_for_ever, &flag, one(), cnrtFuncTypeBlock, NULL));
  CHECK_OK(launch(nothing, NULL, one(), cnrtFuncTypeBlock, NULL));
}

/* Cores that run many barriers, in more groups than can run at once, and a launch after them. */
static void meet_often(void *argument) {
  (void)argument;
  for (int i = 0; i < 1000000; ++i) {
    __bang_barrier(BANG_BARRIER_ALL_IPU, __FILE__, __LINE__);
  }
}

static void child_exit_with_pending_union(void) {
  int cores = 0;
  CHECK_OK(cnrtDeviceGetAttribute(&cores, cnrtAttrMcorePerCluster, 0));
  const cnrtDim3_t dim = dim3((unsigned)cores, 3, 1);
  CHECK_OK(launch(meet_often, NULL, dim, cnrtFuncTypeUnion1, NULL));
  CHECK_OK(launch(nothing, NULL, dim, cnrtFuncTypeUnion1, NULL));
  usleep(3000); /* so that some of its cores have started */
}

/* Cores that wait for each other without a barrier. */
static void poll_for_ever(void *argument) {
  while (!atomic_load((_Atomic int *)argument)) {
  }
}

static void child_exit_while_cores_poll(void) {
  static _Atomic int flag;
  int cores = 0;
  CHECK_OK(cnrtDeviceGetAttribute(&cores, cnrtAttrMcorePerCluster, 0));
  CHECK_OK(launch(poll_for_ever, &flag, dim3((unsigned)cores, 1, 1), cnrtFuncTypeUnion1, NULL));
  CHECK_OK(launch(poll_for_ever, &flag, dim3(100, 1, 1), cnrtFuncTypeBlock, cnrtQueuePerThread));
  usleep(20000);
}

/* A program that leaves main with launches pending ends at once and says nothing. */
static void exits_from_unions(void) {
  static const char *const children[] = {"_child_exit_with_pending_union",
                                         "_child_exit_while_cores_poll"};
  for (int i = 0; i < 10; ++i) {
    char output[1024] = "";
    const double start = now_us();
    CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=2x4", children[i % 2], output, sizeof(output)), 0);
    CHECK(is_sanitized() || now_us() - start < 1.5e6);
    CHECK(strstr(output, "cnrt:") == NULL);
  }
}

static void exits(void) {
  CHECK_EQ(run_self("A=1", "_child_plain_exit", NULL, 0), 0);
  const double start = now_us();
  CHECK_EQ(run_self("A=1", "_child_exit_with_pending_work", NULL, 0), 0);
  CHECK(now_us() - start < 30e6);
}

static void library_stays_loaded(void) {
  run_something();
  void *library = dlopen(NEUWARE_LIB "/libcnrt.so", RTLD_NOW);
  void *driver = dlopen(NEUWARE_LIB "/libcndrv.so", RTLD_NOW);
  CHECK(library != NULL);
  CHECK(driver == library); /* one library with two names */
  if (library != NULL) {
    CHECK(dlsym(library, "cnrtMalloc") != NULL);
    CHECK(dlsym(library, "rt_fail") == NULL); /* internals are hidden */
    dlclose(library);
  }
  if (driver != NULL) {
    dlclose(driver);
  }
  run_something();
}

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void idle_burns_no_cpu(void) {
  run_something();
  const struct timespec settle = {0, 300000000};
  const struct timespec pause = {0, 500000000};
  nanosleep(&settle, NULL);
  const double before = cpu_seconds();
  nanosleep(&pause, NULL);
  CHECK(cpu_seconds() - before < 0.05);
}

static void *use_and_end(void *argument) {
  (void)argument;
  run_something();
  return NULL;
}

static void short_lived_host_threads(void) {
  for (int i = 0; i < 50; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, use_and_end, NULL);
    pthread_join(thread, NULL);
  }
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"exits", exits},
      {"exits_from_unions", exits_from_unions},
      {"library_stays_loaded", library_stays_loaded},
      {"idle_burns_no_cpu", idle_burns_no_cpu},
      {"short_lived_host_threads", short_lived_host_threads},
      {"_child_plain_exit", child_plain_exit},
      {"_child_exit_with_pending_work", child_exit_with_pending_work},
      {"_child_exit_with_pending_union", child_exit_with_pending_union},
      {"_child_exit_while_cores_poll", child_exit_while_cores_poll},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
