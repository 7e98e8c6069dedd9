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
