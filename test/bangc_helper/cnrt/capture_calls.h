/* SPDX-License-Identifier: MIT
 *
 * Functions that the capture tests share.
 */
#ifndef CNRT_TEST_CAPTURE_CALLS_H_
#define CNRT_TEST_CAPTURE_CALLS_H_

#include <stdatomic.h>

#include "harness.h"

static inline cnrtQueue_t new_queue(void) {
  cnrtQueue_t queue = NULL;
  CHECK_OK(cnrtQueueCreate(&queue));
  return queue;
}

static inline cnrtNotifier_t new_notifier(void) {
  cnrtNotifier_t notifier = NULL;
  CHECK_OK(cnrtNotifierCreate(&notifier));
  return notifier;
}

static inline uint32_t *new_words(size_t count) {
  void *words = NULL;
  CHECK_OK(cnrtMalloc(&words, count * sizeof(uint32_t)));
  CHECK_OK(cnrtMemset(words, 0, count * sizeof(uint32_t)));
  return words;
}

static inline void begin(cnrtQueue_t queue) {
  CHECK_OK(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeGlobal));
}

static inline cnrtQueueCaptureStatus_t status_of(cnrtQueue_t queue) {
  cnrtQueueCaptureStatus_t status = cnrtQueueCaptureStatusNone;
  CHECK_OK(cnrtQueueIsCapturing(queue, &status));
  return status;
}

static inline cnrtTaskTopo_t end(cnrtQueue_t queue) {
  cnrtTaskTopo_t topo = NULL;
  CHECK_OK(cnrtQueueEndCapture(queue, &topo));
  CHECK(topo != NULL);
  CHECK_EQ(status_of(queue), cnrtQueueCaptureStatusNone);
  return topo;
}

static inline cnrtTaskTopoEntity_t instantiate(cnrtTaskTopo_t topo) {
  cnrtTaskTopoEntity_t entity = NULL;
  CHECK_OK(cnrtTaskTopoInstantiate(&entity, topo, NULL, NULL, 0));
  CHECK_OK(cnrtTaskTopoDestroy(topo));
  return entity;
}

static inline void count_up(void *argument) {
  atomic_fetch_add((_Atomic unsigned *)argument, 1);
}

#endif /* CNRT_TEST_CAPTURE_CALLS_H_ */
