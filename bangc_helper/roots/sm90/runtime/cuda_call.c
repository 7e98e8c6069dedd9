/* SPDX-License-Identifier: MIT */
#include "cuda_call.h"

#include <pthread.h>

static cnrtRet_t code_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return cnrtSuccess;
    case cudaErrorNotReady:
      return cnrtErrorNotReady;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidHostPointer:
      return cnrtErrorArgsInvalid;
    case cudaErrorMemoryAllocation:
      return cnrtErrorNoMem;
    case cudaErrorInitializationError:
    case cudaErrorCudartUnloading:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
      return cnrtErrorInit;
    case cudaErrorNoDevice:
      return cnrtErrorNoDevice;
    case cudaErrorInvalidDevice:
      return cnrtErrorDeviceInvalid;
    case cudaErrorDevicesUnavailable:
      return cnrtErrorBusy;
    case cudaErrorInvalidMemcpyDirection:
      return cnrtErrorMemcpyDirectionInvalid;
    case cudaErrorInvalidResourceHandle:
      return cnrtErrorInvalidResourceHandle;
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidKernelImage:
    case cudaErrorInvalidPtx:
      return cnrtErrorInvalidKernel;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return cnrtErrorUnsupportedKernelVersion;
    case cudaErrorNotSupported:
      return cnrtErrorNotSupport;
    case cudaErrorNotPermitted:
      return cnrtErrorOpsNotPermitted;
    case cudaErrorOperatingSystem:
      return cnrtErrorSys;
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorInvalidClusterSize:
      return (cnrtRet_t)CN_INVOKE_ERROR_OUT_OF_RESOURCES;
    case cudaErrorLaunchTimeout:
      return (cnrtRet_t)CN_INVOKE_ERROR_EXECUTED_TIMEOUT;
    case cudaErrorIllegalInstruction:
      return (cnrtRet_t)CN_INVOKE_ERROR_ILLEGAL_INSTRUCTION;
    case cudaErrorInvalidAddressSpace:
      return (cnrtRet_t)CN_INVOKE_ERROR_ADDRESS_SPACE;
    case cudaErrorInvalidPc:
      return (cnrtRet_t)CN_INVOKE_ERROR_INVALID_PC;
    case cudaErrorMisalignedAddress:
      return (cnrtRet_t)CN_INVOKE_ERROR_MEMORY_MISALIGNED_ADDRESS;
    case cudaErrorIllegalAddress:
      return (cnrtRet_t)CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS;
    case cudaErrorHardwareStackError:
      return (cnrtRet_t)CN_INVOKE_ERROR_STACK_OVERFLOW;
    case cudaErrorAssert:
      return cnrtErrorAssert;
    case cudaErrorLaunchFailure:
      return (cnrtRet_t)CN_INVOKE_ERROR;
    case cudaErrorECCUncorrectable:
      return (cnrtRet_t)CN_ERROR_ECC_UNCORRECTABLE;
    default:
      return cnrtErrorUnknown;
  }
}

cnrtRet_t rt_cuda(cudaError_t error) {
  if (error == cudaSuccess) {
    return cnrtSuccess;
  }
  cudaGetLastError();
  const cnrtRet_t code = code_of(error);
  if (code == cnrtErrorUnknown) {
    rt_warn("CUDA error %d: %s", (int)error, cudaGetErrorString(error));
  }
  return code;
}

cnrtRet_t rt_cuda_result(CUresult result) {
  /* The driver and the runtime use the same error numbers. */
  return result == CUDA_SUCCESS ? cnrtSuccess : rt_cuda((cudaError_t)result);
}

static struct rt_cuda_driver driver;
static bool driver_complete;

static bool find(const char *name, void *function) {
  enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  void *address = NULL;
  const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &address, CUDART_VERSION,
                                                             cudaEnableLegacyStream, &found);
  if (error != cudaSuccess || found != cudaDriverEntryPointSuccess || address == NULL) {
    rt_cuda(error);
    rt_warn("the CUDA driver has no %s", name);
    return false;
  }
  *(void **)function = address;
  return true;
}

static void load(void) {
  driver_complete =
      find("cuMemsetD16Async", &driver.fill16) && find("cuMemsetD32Async", &driver.fill32);
}

const struct rt_cuda_driver *rt_cuda_driver(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return driver_complete ? &driver : NULL;
}
