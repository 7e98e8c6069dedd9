/* SPDX-License-Identifier: MIT
 *
 * Queues, notifiers, execution and captures of the driver interface.
 */
#include "driver.h"
#include "kernel_registry.h"

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

RT_EXPORT CNresult cnKernelGetAttribute(cn_int64_t *pi, CNkernel_attribute attrib,
                                        CNkernel kernel) {
  if (pi == NULL || (unsigned)attrib >= CN_KERNEL_ATTRIBUTE_MAX) {
    return CN_ERROR_INVALID_VALUE;
  }
  return rt_kernel_find(kernel) != NULL ? CN_OPS_ERROR_NOT_SUPPORTED : CN_ERROR_INVALID_KERNEL;
}

RT_EXPORT CNresult cnInvokeHostFunc(CNqueue queue, CNhostFn fn, void *userData) {
  return rt_driver_code(cnrtInvokeHostFunc(queue, fn, userData));
}

/* ---- Captures and task topologies ---- */

RT_EXPORT CNresult cnQueueBeginCapture(CNqueue queue, CNqueueCaptureMode mode) {
  return rt_driver_code(cnrtQueueBeginCapture(queue, (cnrtQueueCaptureMode_t)mode));
}

RT_EXPORT CNresult cnQueueEndCapture(CNqueue queue, CNtaskTopo *pTaskTopo) {
  return rt_driver_code(cnrtQueueEndCapture(queue, pTaskTopo));
}

RT_EXPORT CNresult cnQueueIsCapturing(CNqueue queue, CNqueueCaptureStatus *pCaptureStatus) {
  return cnQueueGetCaptureInfo(queue, pCaptureStatus, NULL, NULL, NULL, NULL);
}

RT_EXPORT CNresult cnQueueGetCaptureInfo(CNqueue queue, CNqueueCaptureStatus *pCaptureStatus,
                                         cn_uint64_t *idOut, CNtaskTopo *pTaskTopo,
                                         const CNtaskTopoNode **pDependenciesOut,
                                         size_t *pNumDependenciesOut) {
  if (pCaptureStatus == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  cnrtQueueCaptureStatus_t status = cnrtQueueCaptureStatusNone;
  const CNresult error = rt_driver_code(cnrtQueueGetCaptureInfo(
      queue, &status, idOut, pTaskTopo, pDependenciesOut, pNumDependenciesOut));
  if (error == CN_SUCCESS) {
    *pCaptureStatus = (CNqueueCaptureStatus)status;
  }
  return error;
}

RT_EXPORT CNresult cnThreadExchangeQueueCaptureMode(CNqueueCaptureMode *pmode) {
  if (pmode == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  cnrtQueueCaptureMode_t mode = (cnrtQueueCaptureMode_t)*pmode;
  const CNresult error = rt_driver_code(cnrtThreadExchangeQueueCaptureMode(&mode));
  if (error == CN_SUCCESS) {
    *pmode = (CNqueueCaptureMode)mode;
  }
  return error;
}

RT_EXPORT CNresult cnTaskTopoCreate(CNtaskTopo *pTopo, unsigned int flags) {
  return rt_driver_code(cnrtTaskTopoCreate(pTopo, flags));
}

RT_EXPORT CNresult cnTaskTopoDestroy(CNtaskTopo topo) {
  return rt_driver_code(cnrtTaskTopoDestroy(topo));
}

RT_EXPORT CNresult cnTaskTopoGetNodes(CNtaskTopo topo, CNtaskTopoNode *pNodes, size_t *numNodes) {
  return rt_driver_code(cnrtTaskTopoGetNodes(topo, pNodes, numNodes));
}

RT_EXPORT CNresult cnTaskTopoNodeGetType(CNtaskTopoNode node, CNtaskTopoNodeType *type) {
  if (type == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  cnrtTaskTopoNodeType_t own = cnrtTaskTopoNodeTypeEmpty;
  const CNresult error = rt_driver_code(cnrtTaskTopoNodeGetType(node, &own));
  if (error == CN_SUCCESS) {
    *type = (CNtaskTopoNodeType)own;
  }
  return error;
}

RT_EXPORT CNresult cnTaskTopoDebugDotPrint(CNtaskTopo topo, const char *path, unsigned int flags) {
  return rt_driver_code(cnrtTaskTopoDebugDotPrint(topo, path, flags));
}

RT_EXPORT CNresult cnTaskTopoInstantiate(CNtaskTopoEntity *entity, CNtaskTopo topo,
                                         CNtaskTopoNode *pErrorNode, char *logBuffer,
                                         size_t bufferSize) {
  return rt_driver_code(cnrtTaskTopoInstantiate(entity, topo, pErrorNode, logBuffer, bufferSize));
}

RT_EXPORT CNresult cnTaskTopoEntityInvoke(CNtaskTopoEntity entity, CNqueue queue) {
  return rt_driver_code(cnrtTaskTopoEntityInvoke(entity, queue));
}

RT_EXPORT CNresult cnTaskTopoEntityDestroy(CNtaskTopoEntity entity) {
  return rt_driver_code(cnrtTaskTopoEntityDestroy(entity));
}
