/* SPDX-License-Identifier: MIT
 *
 * fork(): a child may use the runtime only if its parent has not. Otherwise every call returns an
 * error, and none blocks. Each test runs in its own process.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

static void nothing(void *argument) {
  (void)argument;
}

static void wait_for_flag(void *argument) {
  while (!atomic_load((_Atomic int *)argument)) {
    usleep(100);
  }
}

static cnrtRet_t use_everything(void) {
  int *device = NULL;
  int back = 0;
  cnrtQueue_t queue = NULL;
  cnrtRet_t error = cnrtMalloc((void **)&device, sizeof(int));
  if (error == cnrtSuccess) error = cnrtQueueCreate(&queue);
  if (error == cnrtSuccess) error = launch(nothing, NULL, dim3(8, 1, 1), cnrtFuncTypeBlock, queue);
  if (error == cnrtSuccess) error = cnrtMemsetD32Async(device, 7, 1, queue);
  if (error == cnrtSuccess) error = cnrtQueueSync(queue);
  if (error == cnrtSuccess) error = cnrtMemcpy(&back, device, sizeof(int), cnrtMemcpyDevToHost);
  if (error == cnrtSuccess) error = cnrtQueueDestroy(queue);
  if (error == cnrtSuccess) error = cnrtFree(device);
  return error == cnrtSuccess && back != 7 ? cnrtErrorUnknown : error;
}

/* Runs a function in a child, which must exit with 0. */
static void in_child(int (*body)(void)) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);     /* an endless wait fails the test */
    _exit(body()); /* exit handlers would free what the parent's threads own */
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
}

static int child_uses_everything(void) {
  return use_everything() == cnrtSuccess ? 0 : 1;
}

static void before_use(void) {
  unsigned count = 0;
  CHECK_OK(cnrtGetDeviceCount(&count)); /* a query does not count as use */
  in_child(child_uses_everything);
  CHECK_OK(use_everything());
  CHECK_OK(cnrtSyncDevice());
}

static cnrtNotifier_t notifier;
static int *memory;

static int child_is_refused(void) {
  int word = 0;
  void *more = NULL;
  cnrtQueue_t queue = NULL;
  const cnrtRet_t answers[] = {
      cnrtMalloc(&more, 64),
      cnrtQueueCreate(&queue),
      launch(nothing, NULL, dim3(1, 1, 1), cnrtFuncTypeBlock, NULL),
      cnrtQueueSync(NULL),
      cnrtSyncDevice(),
      cnrtWaitNotifier(notifier),
      cnrtMemcpy(&word, memory, sizeof(word), cnrtMemcpyDevToHost),
      cnrtMemset(memory, 0, sizeof(word)),
      cnrtDeviceReset(),
  };
  for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); ++i) {
    if (answers[i] != cnrtErrorInit) {
      fprintf(stderr, "call %zu of the child: %d\n", i, (int)answers[i]);
      return 1;
    }
  }
  return 0;
}

static void child_with_work_pending(void) {
  _Atomic int flag = 0;
  CHECK_OK(cnrtMalloc((void **)&memory, 64));
  CHECK_OK(cnrtNotifierCreate(&notifier));
  CHECK_OK(launch(wait_for_flag, &flag, dim3(1, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtPlaceNotifier(notifier, NULL));
  in_child(child_is_refused);
  atomic_store(&flag, 1);
  CHECK_OK(cnrtWaitNotifier(notifier)); /* the parent still works */
  CHECK_OK(use_everything());
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtFree(memory));
}

static void after_use(void) {
  char text[4096];
  CHECK_EQ(run_self("A=1", "_child_with_work_pending", text, sizeof(text)), 0);
  CHECK(strstr(text, "a child of fork() cannot use a device its parent has used") != NULL);
}

static void before_use_alone(void) {
  char text[4096];
  CHECK_EQ(run_self("A=1", "_before_use", text, sizeof(text)), 0);
  CHECK(strstr(text, "cnrt:") == NULL);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"after_use", after_use},
      {"before_use", before_use_alone},
      {"_child_with_work_pending", child_with_work_pending},
      {"_before_use", before_use},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
