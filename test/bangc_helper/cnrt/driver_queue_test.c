/* SPDX-License-Identifier: MIT
 *
 * Queues, notifiers and captures of the driver interface.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "harness.h"
#include "test/common/scratch.h"

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
  CHECK_CN(cnQueueSync(NULL)); /* NULL names the same queue */
  CHECK_EQ(atomic_load(&count), 4);
  CHECK_EQ(cnInvokeKernel((CNkernel)&count, 1, 1, 1, CN_KERNEL_CLASS_BLOCK, 0, queue, NULL, NULL),
           CN_FATBIN_ERROR_NO_KERNEL);
  CHECK_CN(cnDestroyNotifier(start));
  CHECK_CN(cnDestroyNotifier(end));
  CHECK_CN(cnDestroyQueue(queue));
  CHECK_CN(cnCtxSync());
}

static CNqueueCaptureStatus capture_status(CNqueue queue) {
  CNqueueCaptureStatus status = (CNqueueCaptureStatus)99;
  CHECK_CN(cnQueueIsCapturing(queue, &status));
  return status;
}

/* One capture, invoked twice. */
static void capture(void) {
  _Atomic int count = 0;
  CNqueue queue = NULL;
  CNaddr word = 0;
  unsigned value = 0;
  CNtaskTopo topo = NULL;
  CNtaskTopo current = NULL;
  CNtaskTopoEntity entity = NULL;
  CNqueueCaptureStatus status = CN_QUEUE_CAPTURE_STATUS_NONE;
  const CNtaskTopoNode *dependencies = NULL;
  size_t dependency_count = 99;
  cn_uint64_t id = 0;
  CHECK_CN(cnCreateQueue(&queue, 0));
  CHECK_CN(cnZmalloc(&word, sizeof(value)));
  CHECK_EQ(capture_status(queue), CN_QUEUE_CAPTURE_STATUS_NONE);
  CHECK_CN(cnQueueBeginCapture(queue, CN_QUEUE_CAPTURE_MODE_RELAXED));
  CHECK_EQ(capture_status(queue), CN_QUEUE_CAPTURE_STATUS_ACTIVE);
  CHECK_CN(cnInvokeHostFunc(queue, count_up, &count));
  CHECK_CN(cnMemsetD32Async(word, 7, 1, queue));
  CHECK_CN(cnQueueGetCaptureInfo(queue, &status, &id, &current, &dependencies, &dependency_count));
  CHECK_EQ(status, CN_QUEUE_CAPTURE_STATUS_ACTIVE);
  CHECK(id != 0 && current != NULL && dependency_count == 1 && dependencies != NULL);
  CHECK_CN(cnQueueEndCapture(queue, &topo));
  CHECK(topo == current);
  CHECK_EQ(atomic_load(&count), 0);

  CNtaskTopoNode nodes[3] = {NULL};
  size_t node_count = 3;
  CNtaskTopoNodeType type = CN_TASK_TOPO_NODE_TYPE_EMPTY;
  CHECK_CN(cnTaskTopoGetNodes(topo, nodes, &node_count));
  CHECK(node_count == 2 && nodes[2] == NULL);
  CHECK_CN(cnTaskTopoNodeGetType(nodes[0], &type));
  CHECK_EQ(type, CN_TASK_TOPO_NODE_TYPE_HOST);
  CHECK_CN(cnTaskTopoNodeGetType(nodes[1], &type));
  CHECK_EQ(type, CN_TASK_TOPO_NODE_TYPE_MEMSET);
  CHECK_EQ(cnTaskTopoNodeGetType(nodes[0], NULL), CN_ERROR_INVALID_VALUE);
  char path[SCRATCH_PATH];
  const int file = mkstemp(scratch_path(path, "driver_queue"));
  char letter = 0;
  CHECK_CN(cnTaskTopoDebugDotPrint(topo, path, 0));
  CHECK_EQ(read(file, &letter, 1), 1);
  close(file);
  CHECK_EQ(unlink(path), 0);

  CHECK_CN(cnTaskTopoInstantiate(&entity, topo, NULL, NULL, 0));
  CHECK_CN(cnTaskTopoDestroy(topo));
  CHECK_CN(cnTaskTopoEntityInvoke(entity, queue));
  CHECK_CN(cnTaskTopoEntityInvoke(entity, queue));
  CHECK_CN(cnQueueSync(queue));
  CHECK_EQ(atomic_load(&count), 2);
  CHECK_CN(cnMemcpyDtoH(&value, word, sizeof(value)));
  CHECK_EQ(value, 7);
  CHECK_CN(cnTaskTopoEntityDestroy(entity));
  CHECK_CN(cnTaskTopoCreate(&topo, 0));
  CHECK_CN(cnTaskTopoDestroy(topo));
  CHECK_CN(cnFree(word));
  CHECK_CN(cnDestroyQueue(queue));
}

static void capture_refused(void) {
  CNqueue queue = NULL;
  CNtaskTopo topo = NULL;
  CHECK_CN(cnCreateQueue(&queue, 0));
  CHECK_EQ(cnQueueBeginCapture(NULL, CN_QUEUE_CAPTURE_MODE_GLOBAL), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnQueueEndCapture(queue, &topo), CN_ERROR_ILLEGAL_STATE);
  CHECK_EQ(cnQueueIsCapturing(queue, NULL), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnQueueBeginCapture(queue, CN_QUEUE_CAPTURE_MODE_GLOBAL));
  CHECK_EQ(cnQueueSync(queue), CN_ERROR_QUEUE_CAPTURE_UNSUPPORTED);
  CHECK_EQ(capture_status(queue), CN_QUEUE_CAPTURE_STATUS_INVALIDATED);
  CHECK_EQ(cnQueueEndCapture(queue, &topo), CN_ERROR_QUEUE_CAPTURE_INVALIDATED);
  CHECK(topo == NULL);
  CHECK_CN(cnDestroyQueue(queue));
}

static void capture_mode(void) {
  CNqueueCaptureMode mode = CN_QUEUE_CAPTURE_MODE_RELAXED;
  CHECK_CN(cnThreadExchangeQueueCaptureMode(&mode));
  CHECK_EQ(mode, CN_QUEUE_CAPTURE_MODE_GLOBAL);
  CHECK_CN(cnThreadExchangeQueueCaptureMode(&mode));
  CHECK_EQ(mode, CN_QUEUE_CAPTURE_MODE_RELAXED);
  CHECK_EQ(cnThreadExchangeQueueCaptureMode(NULL), CN_ERROR_INVALID_VALUE);
  mode = (CNqueueCaptureMode)7;
  CHECK_EQ(cnThreadExchangeQueueCaptureMode(&mode), CN_ERROR_INVALID_VALUE);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"queues", queues},
      {"capture", capture},
      {"capture_refused", capture_refused},
      {"capture_mode", capture_mode},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
