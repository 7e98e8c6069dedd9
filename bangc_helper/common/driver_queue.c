/* SPDX-License-Identifier: MIT
 *
 * Queues, notifiers and execution of the driver interface.
 */
#include "driver.h"

RT_EXPORT CNresult cnCreateQueue(CNqueue *pQueue, unsigned int flags) {
  return flags == 0 ? rt_driver_code(cnrtQueueCreate(pQueue)) : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnCreateQueueWithPriority(CNqueue *pQueue, unsigned int flags, int priority) {
  return rt_driver_code(cnrtQueueCreateWithPriority(pQueue, flags, priority));
}

RT_EXPORT CNresult cnDestroyQueue(CNqueue queue) {
  return rt_driver_code(cnrtQueueDestroy(queue));
}

RT_EXPORT CNresult cnQueueSync(CNqueue queue) {
  return rt_driver_code(cnrtQueueSync(queue));
}

RT_EXPORT CNresult cnQueryQueue(CNqueue queue) {
  return rt_driver_code(cnrtQueueQuery(queue));
}

RT_EXPORT CNresult cnQueueGetPriority(CNqueue queue, int *priority) {
  return rt_driver_code(cnrtQueueGetPriority(queue, priority));
}

RT_EXPORT CNresult cnQueueWaitNotifier(CNqueue queue, CNnotifier notifier) {
  return cnQueueWaitNotifierWithFlags(queue, notifier, CN_NOTIFIER_WAIT_DEFAULT);
}

RT_EXPORT CNresult cnQueueWaitNotifierWithFlags(CNqueue queue, CNnotifier notifier,
                                                unsigned int flags) {
  return rt_driver_code(cnrtQueueWaitNotifier(notifier, queue, flags));
}

/* ---- Notifiers ---- */

RT_EXPORT CNresult cnCreateNotifier(CNnotifier *pNotifier, unsigned int flags) {
  return rt_driver_code(cnrtNotifierCreateWithFlags(pNotifier, flags));
}

RT_EXPORT CNresult cnDestroyNotifier(CNnotifier notifier) {
  return rt_driver_code(cnrtNotifierDestroy(notifier));
}

RT_EXPORT CNresult cnPlaceNotifier(CNnotifier notifier, CNqueue queue) {
  return rt_driver_code(cnrtPlaceNotifier(notifier, queue));
}

RT_EXPORT CNresult cnPlaceNotifierWithFlags(CNnotifier notifier, CNqueue queue,
                                            unsigned int flags) {
  return rt_driver_code(cnrtPlaceNotifierWithFlags(notifier, queue, flags));
}

RT_EXPORT CNresult cnQueryNotifier(CNnotifier notifier) {
  return rt_driver_code(cnrtQueryNotifier(notifier));
}

RT_EXPORT CNresult cnWaitNotifier(CNnotifier notifier) {
  return rt_driver_code(cnrtWaitNotifier(notifier));
}

RT_EXPORT CNresult cnNotifierElapsedTime(float *pMilliseconds, CNnotifier start, CNnotifier end) {
  return rt_driver_code(cnrtNotifierElapsedTime(start, end, pMilliseconds));
}

RT_EXPORT CNresult cnNotifierElapsedExecTime(float *pMilliseconds, CNnotifier start,
                                             CNnotifier end) {
  return cnNotifierElapsedTime(pMilliseconds, start, end);
}

/* ---- Execution ---- */

RT_EXPORT CNresult cnInvokeKernel(CNkernel kernel, unsigned int dimx, unsigned int dimy,
                                  unsigned int dimz, KernelClass c, unsigned int reserve,
                                  CNqueue queue, void **kernelParams, void **extra) {
  if (extra != NULL) {
    return CN_OPS_ERROR_NOT_SUPPORTED;
  }
  const cnrtDim3_t dim = {dimx, dimy, dimz};
  return rt_driver_code(
      cnrtInvokeKernel(kernel, dim, (cnrtFunctionType_t)c, kernelParams, reserve, queue));
}

RT_EXPORT CNresult cnInvokeHostFunc(CNqueue queue, CNhostFn fn, void *userData) {
  return rt_driver_code(cnrtInvokeHostFunc(queue, fn, userData));
}
