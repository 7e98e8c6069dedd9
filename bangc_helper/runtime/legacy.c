/* SPDX-License-Identifier: MIT
 *
 * Names of the fourth generation of CNRT that are functions.
 */
#include <stdlib.h>
#include <string.h>

#include "common.h"

struct cnrtKernelParamsBuffer {
  void **values; /* one copy per parameter */
  size_t count;
  size_t capacity;
};

/* No work is needed here. */
struct cnrtKernelInitParam {
  char unused;
};

RT_EXPORT cnrtRet_t cnrtInit(unsigned int flags) {
  (void)flags;
  return cnrtSuccess;
}

RT_EXPORT void cnrtDestroy(void) {}

RT_EXPORT cnrtRet_t cnrtGetDeviceHandle(cnrtDev_t *pDev, int ordinal) {
  unsigned count = 0;
  cnrtGetDeviceCount(&count);
  if (pDev == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (ordinal < 0 || (unsigned)ordinal >= count) {
    return rt_fail(cnrtErrorDeviceInvalid);
  }
  *pDev = ordinal;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtSetCurrentDevice(cnrtDev_t dev) {
  return cnrtSetDevice(dev);
}

RT_EXPORT cnrtRet_t cnrtGetCurrentDevice(cnrtDev_t *pDev) {
  return cnrtGetDevice(pDev);
}

RT_EXPORT cnrtRet_t cnrtGetDeviceInfo(cnrtDeviceInfo_t *info, int ordinal) {
  cnrtDeviceProp_t prop;
  if (info == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const cnrtRet_t status = cnrtGetDeviceProperties(&prop, ordinal);
  if (status != cnrtSuccess) {
    return status;
  }
  memset(info, 0, sizeof(*info));
  memcpy(info->device_name, prop.name, sizeof(info->device_name) - 1);
  info->core_version = CNRT_MLU370; /* the last value of that enumeration */
  info->core_num = prop.clusterCount * prop.McorePerCluster;
  return cnrtSuccess;
}

static __thread cnrtChannelType_t current_channel = CNRT_CHANNEL_TYPE_NONE;

RT_EXPORT cnrtRet_t cnrtSetCurrentChannel(cnrtChannelType_t channel) {
  if (channel < CNRT_CHANNEL_TYPE_DUPLICATE || channel > CNRT_CHANNEL_TYPE_3) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  current_channel = channel;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtGetCurrentChannel(cnrtChannelType_t *pChannel) {
  if (pChannel == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pChannel = current_channel;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtMallocHost(void **pPtr, size_t bytes, cnrtMemType_t type) {
  if (type != CNRT_MEMTYPE_DEFAULT && type != CNRT_MEMTYPE_LOCKED) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  return cnrtHostMalloc(pPtr, bytes);
}

RT_EXPORT cnrtRet_t cnrtConvertFloatToHalf(uint16_t *half, float value) {
  return cnrtCastDataType_V2(&value, cnrtFloat, half, cnrtHalf, 1, NULL, cnrtRounding_rn);
}

RT_EXPORT cnrtRet_t cnrtConvertDoubleToHalf(uint16_t *half, double value) {
  return cnrtCastDataType_V2(&value, cnrtDouble, half, cnrtHalf, 1, NULL, cnrtRounding_rn);
}

RT_EXPORT cnrtRet_t cnrtConvertHalfToFloat(float *value, uint16_t half) {
  return cnrtCastDataType_V2(&half, cnrtHalf, value, cnrtFloat, 1, NULL, cnrtRounding_rn);
}

RT_EXPORT cnrtRet_t cnrtConvertHalfToDouble(double *value, uint16_t half) {
  return cnrtCastDataType_V2(&half, cnrtHalf, value, cnrtDouble, 1, NULL, cnrtRounding_rn);
}

RT_EXPORT size_t cnrtDataTypeSize(cnrtDataType_t type) {
  switch (type) {
    case cnrtFloat64:
    case cnrtInt64:
      return 8;
    case cnrtFloat32:
    case cnrtInt32:
    case cnrtUInt32:
      return 4;
    case cnrtFloat16:
    case cnrtInt16:
    case cnrtUInt16:
      return 2;
    case cnrtInt8:
    case cnrtUInt8:
    case cnrtFix8:
    case cnrtQuant8:
    case cnrtBool:
      return 1;
    default:
      return 0;
  }
}

RT_EXPORT cnrtRet_t cnrtGetKernelParamsBuffer(cnrtKernelParamsBuffer_t *pParams) {
  if (pParams == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pParams = calloc(1, sizeof(**pParams));
  return *pParams != NULL ? cnrtSuccess : rt_fail(cnrtErrorSysNoMem);
}

static bool make_room(cnrtKernelParamsBuffer_t params) {
  if (params->count < params->capacity) {
    return true;
  }
  const size_t capacity = params->capacity == 0 ? 16 : params->capacity * 2;
  void **values = realloc(params->values, capacity * sizeof(*values));
  if (values == NULL) {
    return false;
  }
  params->values = values;
  params->capacity = capacity;
  return true;
}

RT_EXPORT cnrtRet_t cnrtKernelParamsBufferAddParam(cnrtKernelParamsBuffer_t params, void *data,
                                                   size_t bytes) {
  if (params == NULL || data == NULL || bytes == 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  void *copy = malloc(bytes);
  if (copy == NULL || !make_room(params)) {
    free(copy);
    return rt_fail(cnrtErrorSysNoMem);
  }
  memcpy(copy, data, bytes);
  params->values[params->count++] = copy;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDestroyKernelParamsBuffer(cnrtKernelParamsBuffer_t params) {
  if (params == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  for (size_t i = 0; i < params->count; ++i) {
    free(params->values[i]);
  }
  free(params->values);
  free(params);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtCreateKernelInitParam(cnrtKernelInitParam_t *pParam) {
  if (pParam == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pParam = calloc(1, sizeof(**pParam));
  return *pParam != NULL ? cnrtSuccess : rt_fail(cnrtErrorSysNoMem);
}

RT_EXPORT cnrtRet_t cnrtInitKernelMemory(const void *function, cnrtKernelInitParam_t param) {
  return function != NULL && param != NULL ? cnrtSuccess : rt_fail(cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtDestroyKernelInitParamAndMemory(cnrtKernelInitParam_t param) {
  free(param);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtInvokeKernel_V2(const void *function, cnrtDim3_t dim,
                                        cnrtKernelParamsBuffer_t params, cnrtFunctionType_t ktype,
                                        cnrtQueue_t queue) {
  if (params == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  return cnrtInvokeKernel(function, dim, ktype, params->values, 0, queue);
}

RT_EXPORT cnrtRet_t cnrtInvokeKernel_V3(const void *function, cnrtKernelInitParam_t init,
                                        cnrtDim3_t dim, cnrtKernelParamsBuffer_t params,
                                        cnrtFunctionType_t ktype, cnrtQueue_t queue, void *extra) {
  (void)init;
  (void)extra;
  return cnrtInvokeKernel_V2(function, dim, params, ktype, queue);
}
