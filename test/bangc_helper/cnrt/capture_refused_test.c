/* SPDX-License-Identifier: MIT
 *
 * Calls that a capture refuses or that make it invalid.
 */
#include <pthread.h>

#include "capture_calls.h"
#include "cnrt_external.h"

/* Ends an invalid capture and checks that the queue works again. */
static void end_invalid(cnrtQueue_t queue) {
  cnrtTaskTopo_t topo = (cnrtTaskTopo_t)&topo;
  CHECK_EQ(status_of(queue), cnrtQueueCaptureStatusInvalidated);
  CHECK_EQ(cnrtQueueEndCapture(queue, &topo), cnrtErrorQueueCaptureInvalidated);
  CHECK(topo == NULL);
  CHECK_EQ(status_of(queue), cnrtQueueCaptureStatusNone);
  CHECK_OK(cnrtQueueSync(queue));
}

static void unjoined_and_unmatched(void) {
  cnrtQueue_t first = new_queue();
  cnrtQueue_t second = new_queue();
  cnrtNotifier_t notifier = new_notifier();
  cnrtTaskTopo_t topo = (cnrtTaskTopo_t)&topo;
  uint32_t *words = new_words(4);
  begin(first);
  CHECK_OK(cnrtPlaceNotifier(notifier, first));
  CHECK_OK(cnrtQueueWaitNotifier(notifier, second, 0));
  CHECK_OK(cnrtMemsetAsync(words, 1, 4, second));
  CHECK_EQ(cnrtQueueEndCapture(second, &topo), cnrtErrorQueueCaptureUnmatched);
  CHECK_EQ(status_of(first), cnrtQueueCaptureStatusActive);
  CHECK_EQ(cnrtQueueEndCapture(first, &topo), cnrtErrorQueueCaptureUnjoined);
  CHECK(topo == NULL);
  CHECK_EQ(status_of(first), cnrtQueueCaptureStatusNone);
  CHECK_EQ(status_of(second), cnrtQueueCaptureStatusNone);
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtFree(words));
  CHECK_OK(cnrtQueueDestroy(first));
  CHECK_OK(cnrtQueueDestroy(second));
}

static void isolation(void) {
  cnrtQueue_t first = new_queue();
  cnrtQueue_t second = new_queue();
  cnrtNotifier_t outside = new_notifier();
  cnrtNotifier_t inside = new_notifier();
  CHECK_OK(cnrtPlaceNotifier(outside, second));
  begin(first);
  CHECK_EQ(cnrtQueueWaitNotifier(outside, first, 0), cnrtErrorQueueCaptureIsolation);
  CHECK_EQ(cnrtPlaceNotifier(inside, first), cnrtErrorQueueCaptureInvalidated);
  end_invalid(first);
  /* A queue in one capture cannot wait for a notifier of another capture. */
  begin(first);
  begin(second);
  CHECK_OK(cnrtPlaceNotifier(inside, first));
  CHECK_EQ(cnrtQueueWaitNotifier(inside, second, 0), cnrtErrorQueueCaptureIsolation);
  CHECK_EQ(cnrtQueueWaitNotifier(inside, first, 0), cnrtErrorQueueCaptureInvalidated);
  cnrtTaskTopo_t topo = NULL;
  CHECK_EQ(cnrtQueueEndCapture(first, &topo), cnrtErrorQueueCaptureInvalidated);
  end_invalid(second);
  /* The capture that placed the notifier has ended. */
  CHECK_EQ(cnrtQueueWaitNotifier(inside, second, 0), cnrtErrorQueueCaptureIsolation);
  CHECK_EQ(cnrtQueryNotifier(inside), cnrtErrorQueueCaptureUnsupported);
  CHECK_OK(cnrtQueueSync(second));
  /* The default queue cannot join a capture. */
  begin(first);
  CHECK_OK(cnrtPlaceNotifier(inside, first));
  CHECK_EQ(cnrtQueueWaitNotifier(inside, NULL, 0), cnrtErrorQueueCaptureUnsupported);
  end_invalid(first);
  CHECK_OK(cnrtNotifierDestroy(inside));
  CHECK_OK(cnrtNotifierDestroy(outside));
  CHECK_OK(cnrtQueueDestroy(first));
  CHECK_OK(cnrtQueueDestroy(second));
}

/* ---- Calls that captures refuse ---- */

static void arguments(void) {
  cnrtQueue_t queue = new_queue();
  cnrtTaskTopo_t topo = NULL;
  cnrtTaskTopoEntity_t entity = NULL;
  cnrtTaskTopoNodeType_t type = cnrtTaskTopoNodeTypeEmpty;
  size_t count = 0;
  const cnrtQueueCaptureMode_t wrong = (cnrtQueueCaptureMode_t)3;
  CHECK_EQ(cnrtQueueBeginCapture(NULL, cnrtQueueCaptureModeGlobal), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtQueueBeginCapture(queue, wrong), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtQueueBeginCapture((cnrtQueue_t)&topo, cnrtQueueCaptureModeGlobal),
           cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtQueueEndCapture(queue, &topo), cnrtErrorIllegalState);
  CHECK(topo == NULL);
  CHECK_EQ(cnrtQueueEndCapture(queue, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtQueueIsCapturing(queue, NULL), cnrtErrorArgsInvalid);
  begin(queue);
  CHECK_EQ(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeGlobal), cnrtErrorIllegalState);
  CHECK_EQ(status_of(queue), cnrtQueueCaptureStatusActive);
  topo = end(queue);
  CHECK_EQ(cnrtTaskTopoInstantiate(NULL, topo, NULL, NULL, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTaskTopoGetNodes(topo, NULL, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTaskTopoDebugDotPrint(topo, NULL, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTaskTopoDebugDotPrint(topo, "/no/such/folder/topo.dot", 0), cnrtErrorSys);
  CHECK_OK(cnrtTaskTopoDestroy(topo));
  CHECK_EQ(cnrtTaskTopoDestroy(topo), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtTaskTopoGetNodes(topo, NULL, &count), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtTaskTopoInstantiate(&entity, topo, NULL, NULL, 0), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtTaskTopoEntityInvoke(NULL, queue), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtTaskTopoEntityDestroy(NULL), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtTaskTopoNodeGetType(NULL, &type), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtTaskTopoCreate(&topo, 1), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTaskTopoCreate(NULL, 0), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void complete(cnrtxOp_t op, void *argument) {
  (void)argument;
  cnrtxComplete(op, cnrtSuccess);
}

/* Calls on a queue in capture that every capture mode refuses. */
static cnrtRet_t refused(int number, cnrtQueue_t queue, cnrtNotifier_t inside, void *memory,
                         cnrtTaskTopoEntity_t entity) {
  void *more = NULL;
  switch (number) {
    case 0:
      return cnrtQueueSync(queue);
    case 1:
      return cnrtQueueQuery(queue);
    case 2:
      return cnrtQueueDestroy(queue);
    case 3:
      return cnrtWaitNotifier(inside);
    case 4:
      return cnrtQueryNotifier(inside);
    case 5:
      return cnrtSyncDevice();
    case 6:
      return cnrtDeviceReset();
    case 7:
      return cnrtMemAllocAsync(&more, 8, queue);
    case 8:
      return cnrtMemFreeAsync(memory, queue);
    case 9:
      return cnrtxEnqueue(queue, complete, NULL, CNRTX_START_INLINE, "test");
    case 10:
      return cnrtTaskTopoEntityInvoke(entity, queue);
    case 11:
      return cnrtxRefuseCapture(queue);
    default:
      return cnrtSuccess;
  }
}

static void refused_in_relaxed_mode(void) {
  cnrtQueue_t queue = new_queue();
  cnrtNotifier_t inside = new_notifier();
  uint32_t *words = new_words(1);
  begin(queue);
  cnrtTaskTopoEntity_t entity = instantiate(end(queue));
  for (int i = 0; i <= 11; ++i) {
    CHECK_OK(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeRelaxed));
    CHECK_OK(cnrtPlaceNotifier(inside, queue));
    const cnrtRet_t answer = refused(i, queue, inside, words, entity);
    if (answer != cnrtErrorQueueCaptureUnsupported) {
      report_failure(__FILE__, __LINE__, "call %d returned %d", i, (int)answer);
    }
    CHECK_EQ(cnrtMemsetAsync(words, 1, 4, queue), cnrtErrorQueueCaptureInvalidated);
    CHECK_EQ(launch(count_up, words, dim3(1, 1, 1), cnrtFuncTypeBlock, queue),
             cnrtErrorQueueCaptureInvalidated);
    end_invalid(queue);
  }
  CHECK_OK(cnrtxRefuseCapture(queue));
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity));
  CHECK_OK(cnrtNotifierDestroy(inside));
  CHECK_OK(cnrtFree(words));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* Calls that involve no queue in capture; the mode decides whether they are refused. */
static cnrtRet_t unsafe(int number, cnrtQueue_t other, void *memory, cnrtTaskTopo_t topo) {
  void *more = NULL;
  uint32_t word = 0;
  cnrtTaskTopoEntity_t entity = NULL;
  cnrtRet_t answer = cnrtSuccess;
  switch (number) {
    case 0:
      return cnrtQueueSync(other);
    case 1:
      return cnrtQueueQuery(other);
    case 2:
      answer = cnrtMalloc(&more, 8);
      cnrtFree(more);
      return answer;
    case 3:
      answer = cnrtHostMalloc(&more, 8);
      cnrtFreeHost(more);
      return answer;
    case 4:
      return cnrtMemcpy(memory, &word, 4, cnrtMemcpyHostToDev);
    case 5:
      return cnrtMemset(memory, 0, 4);
    case 6:
      return cnrtMemcpy2D(memory, 4, &word, 4, 4, 1, cnrtMemcpyHostToDev);
    default:
      answer = cnrtTaskTopoInstantiate(&entity, topo, NULL, NULL, 0);
      if (answer == cnrtSuccess) {
        cnrtTaskTopoEntityDestroy(entity);
      }
      return answer;
  }
}

struct unsafe_calls {
  cnrtQueue_t other;
  void *memory;
  cnrtTaskTopo_t topo;
  int number;
  cnrtRet_t answer;
};

static void *call_unsafe(void *argument) {
  struct unsafe_calls *calls = argument;
  calls->answer = unsafe(calls->number, calls->other, calls->memory, calls->topo);
  return NULL;
}

static cnrtRet_t on_another_thread(struct unsafe_calls *calls) {
  pthread_t thread;
  pthread_create(&thread, NULL, call_unsafe, calls);
  pthread_join(thread, NULL);
  return calls->answer;
}

static void unsafe_calls(void) {
  cnrtQueue_t queue = new_queue();
  struct unsafe_calls calls = {.other = new_queue(), .memory = new_words(1)};
  CHECK_OK(cnrtTaskTopoCreate(&calls.topo, 0));
  for (calls.number = 0; calls.number <= 7; ++calls.number) {
    CHECK_OK(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeRelaxed));
    CHECK_OK(unsafe(calls.number, calls.other, calls.memory, calls.topo));
    CHECK_OK(cnrtTaskTopoDestroy(end(queue)));

    begin(queue);
    cnrtQueueCaptureMode_t mode = cnrtQueueCaptureModeRelaxed;
    CHECK_OK(cnrtThreadExchangeQueueCaptureMode(&mode));
    CHECK_EQ(mode, cnrtQueueCaptureModeGlobal);
    CHECK_OK(unsafe(calls.number, calls.other, calls.memory, calls.topo));
    CHECK_OK(cnrtThreadExchangeQueueCaptureMode(&mode));
    CHECK_EQ(status_of(queue), cnrtQueueCaptureStatusActive);
    CHECK_EQ(unsafe(calls.number, calls.other, calls.memory, calls.topo),
             cnrtErrorQueueCaptureUnsupported);
    end_invalid(queue);

    begin(queue);
    CHECK_EQ(on_another_thread(&calls), cnrtErrorQueueCaptureUnsupported);
    end_invalid(queue);

    CHECK_OK(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeThreadLocal));
    CHECK_OK(on_another_thread(&calls));
    CHECK_EQ(status_of(queue), cnrtQueueCaptureStatusActive);
    CHECK_EQ(unsafe(calls.number, calls.other, calls.memory, calls.topo),
             cnrtErrorQueueCaptureUnsupported);
    end_invalid(queue);
  }
  CHECK_OK(cnrtTaskTopoDestroy(calls.topo));
  CHECK_OK(cnrtFree(calls.memory));
  CHECK_OK(cnrtQueueDestroy(calls.other));
  CHECK_OK(cnrtQueueDestroy(queue));
}

struct ending {
  cnrtQueue_t queue;
  cnrtTaskTopo_t topo;
  cnrtRet_t answer;
};

static void *end_there(void *argument) {
  struct ending *ending = argument;
  ending->answer = cnrtQueueEndCapture(ending->queue, &ending->topo);
  return NULL;
}

static void wrong_thread(void) {
  struct ending ending = {.queue = new_queue()};
  pthread_t thread;
  begin(ending.queue);
  pthread_create(&thread, NULL, end_there, &ending);
  pthread_join(thread, NULL);
  CHECK_EQ(ending.answer, cnrtErrorQueueCaptureWrongThread);
  CHECK(ending.topo == NULL);
  CHECK_OK(cnrtTaskTopoDestroy(end(ending.queue)));
  CHECK_OK(cnrtQueueBeginCapture(ending.queue, cnrtQueueCaptureModeRelaxed));
  pthread_create(&thread, NULL, end_there, &ending);
  pthread_join(thread, NULL);
  CHECK_OK(ending.answer);
  CHECK_OK(cnrtTaskTopoDestroy(ending.topo));
  CHECK_OK(cnrtQueueDestroy(ending.queue));
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"unjoined_and_unmatched", unjoined_and_unmatched},
      {"isolation", isolation},
      {"arguments", arguments},
      {"refused_in_relaxed_mode", refused_in_relaxed_mode},
      {"unsafe_calls", unsafe_calls},
      {"wrong_thread", wrong_thread},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
