/* SPDX-License-Identifier: MIT */
#include "handle.h"

#include <stdlib.h>
#include <string.h>

#include "cnrt_external.h"

/* Operations on up to this many elements run on the thread that reaches them. */
enum { SHORT_WORK = 1 << 14 };

CNNL_EXPORT cnnlStatus_t cnnlCreate(cnnlHandle_t *handle) {
  return cnnl_create(__func__, (void **)handle, sizeof(**handle));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroy(cnnlHandle_t handle) {
  return cnnl_destroy(__func__, handle);
}

CNNL_EXPORT cnnlStatus_t cnnlSetQueue(cnnlHandle_t handle, cnrtQueue_t queue) {
  if (handle == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the handle is NULL", __func__);
  }
  handle->queue = queue;
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlGetQueue(cnnlHandle_t handle, cnrtQueue_t *queue) {
  if (handle == NULL || queue == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", __func__);
  }
  *queue = handle->queue;
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT const char *cnnlGetErrorString(cnnlStatus_t status) {
  static const char *const texts[] = {
      "CNNL_STATUS_SUCCESS",           "CNNL_STATUS_NOT_INITIALIZED",
      "CNNL_STATUS_ALLOC_FAILED",      "CNNL_STATUS_BAD_PARAM",
      "CNNL_STATUS_INTERNAL_ERROR",    "CNNL_STATUS_ARCH_MISMATCH",
      "CNNL_STATUS_EXECUTION_FAILED",  "CNNL_STATUS_NOT_SUPPORTED",
      "CNNL_STATUS_NUMERICAL_OVERFLOW"};
  const size_t index = (size_t)status;
  return index < sizeof(texts) / sizeof(texts[0]) ? texts[index] : "not a status of CNNL";
}

CNNL_EXPORT void cnnlGetLibVersion(int *major, int *minor, int *patch) {
  *major = CNNL_MAJOR;
  *minor = CNNL_MINOR;
  *patch = CNNL_PATCHLEVEL;
}

/* ---- Operations ---- */

struct call {
  cnnl_run_t run;
  max_align_t arguments[];
};

static void start(cnrtxOp_t op, void *argument) {
  struct call *call = argument;
  const cnrtRet_t result = call->run(call->arguments);
  free(call);
  cnrtxComplete(op, result);
}

cnnlStatus_t cnnl_submit(const char *function, cnnlHandle_t handle, cnnl_run_t run,
                         const void *arguments, size_t bytes, int64_t work) {
  if (handle == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the handle is NULL", function);
  }
  if (!cnrtxHostReaches()) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED,
                       "%s: works on devices whose memory the host can touch only", function);
  }
  struct call *call = malloc(sizeof(*call) + bytes);
  if (call == NULL) {
    return CNNL_STATUS_ALLOC_FAILED;
  }
  call->run = run;
  memcpy(call->arguments, arguments, bytes);
  const int flags = work <= SHORT_WORK ? CNRTX_START_INLINE : CNRTX_START_MAY_BLOCK;
  const cnrtRet_t result = cnrtxEnqueue(handle->queue, start, call, flags, function);
  if (result == cnrtSuccess) {
    return CNNL_STATUS_SUCCESS;
  }
  free(call);
  if (result == cnrtErrorQueueCaptureUnsupported) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: cannot be captured", function);
  }
  return cnnl_refuse(CNNL_STATUS_EXECUTION_FAILED, "%s: not put into the queue: %s", function,
                     cnrtGetErrorName(result));
}

cnnlStatus_t cnnl_no_workspace(const char *function, cnnlHandle_t handle, size_t *size) {
  if (handle == NULL || size == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", function);
  }
  *size = 0;
  return CNNL_STATUS_SUCCESS;
}
