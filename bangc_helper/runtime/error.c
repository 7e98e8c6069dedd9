/* SPDX-License-Identifier: MIT */
#include "error.h"

/* The names of both generations are made from the identifiers, so that they always agree. */
#define BOTH(cnrt, cn, text) \
  { cnrt, #cnrt, #cn, text }
#define ONLY_CNRT(cnrt, text) \
  { cnrt, #cnrt, NULL, text }
#define ONLY_CN(cn, text) \
  { cn, NULL, #cn, text }

static const struct rt_error_text table[] = {
    BOTH(cnrtSuccess, CN_SUCCESS, "no error"),
    BOTH(cnrtErrorNotReady, CN_ERROR_NOT_READY, "work is not finished yet"),
    BOTH(cnrtErrorInit, CN_ERROR_NOT_INITIALIZED, "the runtime could not be started"),
    ONLY_CN(CN_ERROR_DEINITIALIZED, "the driver was shut down"),
    BOTH(cnrtErrorNoDevice, CN_ERROR_NO_DEVICE, "there is no device"),
    BOTH(cnrtErrorDeviceInvalid, CN_ERROR_INVALID_DEVICE, "there is no device of this number"),
    BOTH(cnrtErrorArgsInvalid, CN_ERROR_INVALID_VALUE, "an argument is invalid or out of range"),
    BOTH(cnrtErrorSys, CN_ERROR_OPERATING_SYSTEM, "a call of the operating system failed"),
    ONLY_CN(CN_ERROR_SYSTEM_NOT_READY, "the system is not ready"),
    ONLY_CN(CN_ERROR_SYSTEM_DRIVER_MISMATCH, "library and driver do not fit together"),
    BOTH(cnrtErrorSysNoMem, CN_ERROR_SYSTEM_OUT_OF_MEMORY, "not enough host memory"),
    ONLY_CN(CN_ERROR_INVALID_ADDRESS, "the host address is invalid"),
    ONLY_CN(CN_ERROR_FILE_NOT_FOUND, "file not found"),
    ONLY_CN(CN_ERROR_COMPAT_NOT_SUPPORT_ON_SYSTEM, "devices of the system do not fit together"),
    BOTH(cnrtErrorInvalidResourceHandle, CN_ERROR_INVALID_HANDLE,
         "the handle was never created or is destroyed"),
    BOTH(cnrtErrorIllegalState, CN_ERROR_ILLEGAL_STATE,
         "a resource is not in the state the call needs"),
    ONLY_CN(CN_ERROR_ECC_UNCORRECTABLE, "memory error that cannot be corrected"),
    BOTH(cnrtErrorNotSupport, CN_OPS_ERROR_NOT_SUPPORTED, "not supported"),
    BOTH(cnrtErrorOpsNotPermitted, CN_OPS_ERROR_NOT_PERMITTED, "not permitted here"),
    ONLY_CN(CN_OPS_ERROR_TIMEOUT, "the operation took too long"),
    ONLY_CN(CN_OPS_ERROR_OUT_OF_RESOURCES, "not enough resources for the operation"),
    BOTH(cnrtErrorQueue, CN_QUEUE_ERROR_INVALID, "the queue is invalid"),
    ONLY_CN(CN_QUEUE_ERROR_OUT_OF_RESOURCES, "not enough resources for another queue"),
    ONLY_CN(CN_NOTIFIER_ERROR_INVALID, "the notifier is invalid"),
    ONLY_CN(CN_NOTIFIER_ERROR_OUT_OF_RESOURCES, "not enough resources for another notifier"),
    BOTH(cnrtErrorNoMem, CN_MEMORY_ERROR_OUT_OF_MEMORY, "not enough device memory"),
    ONLY_CN(CN_MEMORY_ERROR_OUT_OF_PROCESS_MAX_MEMORY,
            "the process may not use more device memory"),
    ONLY_CN(CN_MEMORY_ERROR_INVALID_ADDRESS, "the device address is invalid"),
    ONLY_CN(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "the device is too small for this launch"),
    ONLY_CN(CN_INVOKE_ERROR_EXECUTED_TIMEOUT, "a kernel did not end (dead-lock or time limit)"),
    ONLY_CN(CN_INVOKE_ERROR_TIMEOUT, "a kernel could not be started in time"),
    ONLY_CN(CN_INVOKE_ERROR_ILLEGAL_INSTRUCTION, "a kernel ran into an illegal instruction"),
    ONLY_CN(CN_INVOKE_ERROR_ADDRESS_SPACE, "a kernel used an address of the wrong space"),
    ONLY_CN(CN_INVOKE_NO_TINYCORE, "the device has no tiny core"),
    ONLY_CN(CN_INVOKE_ERROR_INVALID_PC, "a kernel jumped to an invalid place"),
    ONLY_CN(CN_INVOKE_ERROR_ILLEGAL_OPERAND, "a kernel used an illegal operand"),
    BOTH(cnrtErrorAssert, CN_INVOKE_ERROR_ASSERT, "an assertion of a kernel failed"),
    ONLY_CN(CN_INVOKE_ERROR_MEMORY_MISALIGNED_ADDRESS, "a kernel used a misaligned address"),
    ONLY_CN(CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS, "a kernel used an illegal address"),
    BOTH(cnrtErrorKernelTrap, CN_INVOKE_ERROR_KERNEL_TRAP, "a kernel trapped"),
    BOTH(cnrtErrorKernelUserTrap, CN_INVOKE_ERROR_KERNEL_USER_TRAP, "a kernel trapped on purpose"),
    ONLY_CN(CN_INVOKE_ERROR_STACK_OVERFLOW, "the stack of a kernel overflowed"),
    ONLY_CN(CN_INVOKE_ERROR_OUT_OF_RANGE_ADDRESS, "a kernel used an address out of range"),
    ONLY_CN(CN_INVOKE_ERROR_NAN, "a kernel met a NaN"),
    ONLY_CN(CN_INVOKE_ERROR_POSITIVE_INF, "a kernel met plus infinity"),
    ONLY_CN(CN_INVOKE_ERROR_NEGATIVE_INF, "a kernel met minus infinity"),
    ONLY_CN(CN_INVOKE_ERROR, "a kernel failed"),
    ONLY_CN(CN_CONTEXT_ERROR_INVALID, "the context is invalid"),
    ONLY_CN(CN_CONTEXT_ERROR_OUT_OF_RESOURCES, "not enough resources for another context"),
    ONLY_CN(CN_ERROR_INVALID_FATBIN, "the kernel image is invalid"),
    BOTH(cnrtErrorNotFound, CN_ERROR_NOT_FOUND, "not found"),
    BOTH(cnrtErrorInvalidKernel, CN_ERROR_INVALID_KERNEL, "the kernel is invalid"),
    BOTH(cnrtErrorUnsupportedKernelVersion, CN_FATBIN_ERROR_UNSUPPORTED_VERSION,
         "the kernel was built by an unsupported compiler"),
    BOTH(cnrtErrorQueueCaptureUnsupported, CN_ERROR_QUEUE_CAPTURE_UNSUPPORTED,
         "not permitted while the queue is captured"),
    BOTH(cnrtErrorQueueCaptureInvalidated, CN_ERROR_QUEUE_CAPTURE_INVALIDATED,
         "an earlier error ended the capture"),
    BOTH(cnrtErrorQueueCaptureWrongThread, CN_ERROR_QUEUE_CAPTURE_WRONG_THREAD,
         "the capture was begun by another thread"),
    BOTH(cnrtErrorQueueCaptureMerged, CN_ERROR_QUEUE_CAPTURE_MERGED,
         "two captures would be merged"),
    BOTH(cnrtErrorQueueCaptureUnjoined, CN_ERROR_QUEUE_CAPTURE_UNJOINED,
         "a branch of the capture was not joined"),
    BOTH(cnrtErrorQueueCaptureIsolation, CN_ERROR_QUEUE_CAPTURE_ISOLATION,
         "a dependency would leave the capture"),
    BOTH(cnrtErrorQueueCaptureUnmatched, CN_ERROR_QUEUE_CAPTURE_UNMATCHED,
         "the capture was begun on another queue"),
    BOTH(cnrtErrorTaskTopoEntityUpdateFailure, CN_ERROR_TASK_TOPO_ENTITY_UPDATE_FAILURE,
         "the task topology cannot be updated this way"),
    BOTH(cnrtErrorNoKernel, CN_FATBIN_ERROR_NO_KERNEL, "no kernel is registered at this address"),
    ONLY_CN(CN_FATBIN_INVALID_IMAGE, "the kernel image is damaged"),
    ONLY_CN(CN_FATBIN_LIBCNBIN_NOT_FOUND, "the library for kernel images is missing"),
    BOTH(cnrtErrorNoModule, CN_FATBIN_INVALID_ARCH, "no module for this device"),
    ONLY_CN(CN_ERROR_UNKNOWN, "unknown error"),
    ONLY_CNRT(cnrtErrorSetOnActiveProcess, "device flags cannot change while the device works"),
    ONLY_CNRT(cnrtErrorDevice, "the resource belongs to another device"),
    ONLY_CNRT(cnrtErrorNoAttribute, "there is no such attribute"),
    ONLY_CNRT(cnrtErrorMemcpyDirectionInvalid, "the direction of the copy is invalid"),
    ONLY_CNRT(cnrtErrorBusy, "busy"),
    ONLY_CNRT(cnrtErrorCndrvFuncCall, "a driver call failed"),
    ONLY_CNRT(cnrtErrorCndevFuncCall, "a device-management call failed"),
    ONLY_CNRT(cnrtErrorNoCnrtContext, "there is no context"),
    ONLY_CNRT(cnrtErrorCndrvFuncNotFound, "a driver function is missing"),
    ONLY_CNRT(cnrtErrorInvalidSymbol, "the symbol is invalid"),
    ONLY_CNRT(cnrtErrorUnknown, "unknown error"),
};

const struct rt_error_text *rt_error_find(int code) {
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); ++i) {
    if (table[i].code == code) {
      return &table[i];
    }
  }
  return NULL;
}

RT_EXPORT const char *cnrtGetErrorStr(cnrtRet_t errCode) {
  const struct rt_error_text *entry = rt_error_find((int)errCode);
  return entry != NULL ? entry->text : "unrecognized error code";
}

RT_EXPORT const char *cnrtGetErrorName(cnrtRet_t errCode) {
  const struct rt_error_text *entry = rt_error_find((int)errCode);
  if (entry == NULL) {
    return "cnrtErrorUnrecognized";
  }
  return entry->cnrt_name != NULL ? entry->cnrt_name : entry->cn_name;
}

RT_EXPORT CNresult cnGetErrorName(CNresult error, const char **pStr) {
  const struct rt_error_text *entry = rt_error_find((int)error);
  if (pStr == NULL || entry == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  *pStr = entry->cn_name != NULL ? entry->cn_name : entry->cnrt_name;
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnGetErrorString(CNresult error, const char **pStr) {
  const struct rt_error_text *entry = rt_error_find((int)error);
  if (pStr == NULL || entry == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  *pStr = entry->text;
  return CN_SUCCESS;
}

RT_EXPORT cnrtRet_t cnrtGetLibVersion(int *libMajor, int *libMinor, int *libPatch) {
  if (libMajor == NULL || libMinor == NULL || libPatch == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *libMajor = CNRT_MAJOR_VERSION;
  *libMinor = CNRT_MINOR_VERSION;
  *libPatch = CNRT_PATCH_VERSION;
  return cnrtSuccess;
}

RT_EXPORT CNresult cnGetLibVersion(int *major, int *minor, int *patch) {
  if (major == NULL || minor == NULL || patch == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  *major = CN_MAJOR_VERSION;
  *minor = CN_MINOR_VERSION;
  *patch = CN_PATCH_VERSION;
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnGetDriverVersion(int *major, int *minor, int *patch) {
  /* The library and the driver are one library here. */
  return cnGetLibVersion(major, minor, patch);
}

RT_EXPORT CNresult cnDriverGetVersion(int *major, int *minor, int *patch) {
  return cnGetLibVersion(major, minor, patch);
}

RT_EXPORT cnrtRet_t cnrtDriverGetVersion(int *major, int *minor, int *patch) {
  return rt_fail((cnrtRet_t)cnGetDriverVersion(major, minor, patch));
}
