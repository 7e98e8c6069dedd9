/* SPDX-License-Identifier: MIT
 *
 * Queues and notifiers of the driver interface.
 */
#include <stdatomic.h>

#include "harness.h"

#define CHECK_CN(call) CHECK_EQ(call, CN_SUCCESS)

static void count_up(void *argument) {
  atomic_fetch_add((_Atomic int *)argument, 1);
}

static void queues(void) {
  _Atomic int count = 0;
  CNqueue queue = NULL;
  CNnotifier start = NULL;
  CNnotifier end = NULL;
  float ms = -1;
  CHECK_CN(cnCreateQueue(&queue, 0));
  CHECK_CN(cnCreateNotifier(&start, 0));
  CHECK_CN(cnCreateNotifier(&end, 0));
  CHECK_CN(cnPlaceNotifier(start, queue));
  CHECK_CN(cnInvokeHostFunc(queue, count_up, &count));
  CHECK_OK(launch(count_up, &count, dim3(1, 1, 1), cnrtFuncTypeBlock, queue));
  CHECK_CN(cnPlaceNotifier(end, queue));
  CHECK_CN(cnWaitNotifier(end));
  CHECK_CN(cnQueueSync(queue));
  CHECK_CN(cnQueryQueue(queue));
  CHECK_EQ(atomic_load(&count), 2);
  CHECK_CN(cnNotifierElapsedTime(&ms, start, end));
  CHECK(ms >= 0);
  float of_the_device = -1;
  CHECK_CN(cnNotifierElapsedExecTime(&of_the_device, start, end));
  CHECK(of_the_device == ms);
  CHECK_EQ(cnNotifierElapsedTime(NULL, start, end), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnQueryNotifier(end));
  CHECK_CN(cnQueueWaitNotifier(queue, end));
  CHECK_CN(cnQueueWaitNotifierWithFlags(queue, end, CN_NOTIFIER_WAIT_DEFAULT));
  CHECK_EQ(cnQueueWaitNotifierWithFlags(queue, end, 99), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnPlaceNotifierWithFlags(end, queue, CN_NOTIFIER_PLACE_DEFAULT));
  CHECK_EQ(cnPlaceNotifierWithFlags(end, queue, 99), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnQueueSync(queue));
  CHECK_CN(cnInvokeHostFunc(CN_QUEUE_TYPE_PER_THREAD, count_up, &count));
  CHECK_CN(cnQueueSync(CN_QUEUE_TYPE_PER_THREAD));
  CHECK_CN(cnInvokeHostFunc(CN_QUEUE_TYPE_LEGACY, count_up, &count));
  CHECK_CN(cnQueueSync(NULL)); /* another name of it */
  CHECK_EQ(atomic_load(&count), 4);
  CHECK_EQ(cnInvokeKernel((CNkernel)&count, 1, 1, 1, CN_KERNEL_CLASS_BLOCK, 0, queue, NULL, NULL),
           CN_FATBIN_ERROR_NO_KERNEL);
  CHECK_CN(cnDestroyNotifier(start));
  CHECK_CN(cnDestroyNotifier(end));
  CHECK_CN(cnDestroyQueue(queue));
  CHECK_CN(cnCtxSync());
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"queues", queues},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
