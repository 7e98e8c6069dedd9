/* SPDX-License-Identifier: MIT
 *
 * What no root offers: captures of queues, and notifiers shared between processes.
 */
#include "devices.h"

RT_EXPORT cnrtRet_t cnrtQueueBeginCapture(cnrtQueue_t queue, cnrtQueueCaptureMode_t mode) {
  (void)queue;
  (void)mode;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT cnrtRet_t cnrtQueueEndCapture(cnrtQueue_t queue, cnrtTaskTopo_t *pTaskTopo) {
  (void)queue;
  (void)pTaskTopo;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT cnrtRet_t cnrtQueueIsCapturing(cnrtQueue_t queue, cnrtQueueCaptureStatus_t *pStatus) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  if (pStatus == NULL || rt_queue_device(queue, &error) == NULL) {
    return rt_fail(error);
  }
  *pStatus = cnrtQueueCaptureStatusNone;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtQueueGetCaptureInfo(cnrtQueue_t queue, cnrtQueueCaptureStatus_t *pStatus,
                                            uint64_t *idOut, cnrtTaskTopo_t *pTaskTopo,
                                            const cnrtTaskTopoNode_t **pDependenciesOut,
                                            size_t *pNumDependencies) {
  const cnrtRet_t error = cnrtQueueIsCapturing(queue, pStatus);
  if (error != cnrtSuccess) {
    return error;
  }
  if (idOut != NULL) {
    *idOut = 0;
  }
  if (pTaskTopo != NULL) {
    *pTaskTopo = NULL;
  }
  if (pDependenciesOut != NULL) {
    *pDependenciesOut = NULL;
  }
  if (pNumDependencies != NULL) {
    *pNumDependencies = 0;
  }
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtThreadExchangeQueueCaptureMode(cnrtQueueCaptureMode_t *mode) {
  static __thread cnrtQueueCaptureMode_t current = cnrtQueueCaptureModeGlobal;
  if (mode == NULL || (unsigned)*mode > cnrtQueueCaptureModeRelaxed) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const cnrtQueueCaptureMode_t previous = current;
  current = *mode;
  *mode = previous;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtIpcGetNotifierHandle(cnrtIpcNotifierHandle *handle,
                                             cnrtNotifier_t notifier) {
  (void)handle;
  (void)notifier;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT cnrtRet_t cnrtIpcOpenNotifierHandle(cnrtNotifier_t *pNotifier,
                                              cnrtIpcNotifierHandle handle) {
  (void)pNotifier;
  (void)handle;
  return rt_fail(cnrtErrorNotSupport);
}
