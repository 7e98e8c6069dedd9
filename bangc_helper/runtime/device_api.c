/* SPDX-License-Identifier: MIT
 *
 * The device functions of cnrt.h. One function of the root answers cnrtDeviceGetAttribute,
 * cnDeviceGetAttribute and cnrtGetDeviceProperties, so that they agree.
 */
#include <stdio.h>
#include <string.h>

#include "cnrt_external.h"
#include "root.h"
#include "attributes.h"

/* The error for a number that names no device. */
static cnrtRet_t no_such_device(void) {
  return rt_device_count() != 0 ? cnrtErrorDeviceInvalid : cnrtErrorNoDevice;
}

RT_EXPORT cnrtRet_t cnrtGetDeviceCount(unsigned int *pCount) {
  if (pCount == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pCount = rt_device_count();
  return *pCount != 0 ? cnrtSuccess : rt_fail(cnrtErrorNoDevice);
}

RT_EXPORT cnrtRet_t cnrtGetDevice(int *pOrdinal) {
  if (pOrdinal == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct rt_device *device = rt_current_device();
  if (device == NULL) {
    return rt_fail(cnrtErrorNoDevice);
  }
  *pOrdinal = rt_device_ordinal(device);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtSetDevice(int ordinal) {
  return rt_fail(rt_device(ordinal) != NULL ? rt_set_current_device(ordinal) : no_such_device());
}

RT_EXPORT cnrtRet_t cnrtDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  const struct rt_device *found = rt_device(device);
  if (found == NULL) {
    return rt_fail(no_such_device());
  }
  return rt_device_pci(pciBusId, len, found) ? cnrtSuccess : rt_fail(cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  if (device == NULL || pciBusId == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct rt_device *found = rt_device_by_pci(pciBusId);
  if (found == NULL) {
    return rt_fail(no_such_device());
  }
  *device = rt_device_ordinal(found);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtGetPeerAccessibility(unsigned int *canAccess, int ordinal,
                                             int peerOrdinal) {
  if (canAccess == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct rt_device *device = rt_device(ordinal);
  const struct rt_device *peer = rt_device(peerOrdinal);
  if (device == NULL || peer == NULL) {
    return rt_fail(no_such_device());
  }
  *canAccess = rt_device_reaches(device, peer);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDeviceGetQueuePriorityRange(int *pMinPriority, int *pMaxPriority) {
  if (pMinPriority == NULL || pMaxPriority == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pMinPriority = RT_LEAST_PRIORITY;
  *pMaxPriority = 0;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtSetDeviceFlag(unsigned int flags) {
  if (flags >= cnrtDeviceFlagsMaxNum) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct rt_device *device = rt_current_device();
  if (device == NULL) {
    return rt_fail(cnrtErrorNoDevice);
  }
  rt_device_set_flags(device, flags);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtGetDeviceFlag(unsigned int *pFlags) {
  if (pFlags == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct rt_device *device = rt_current_device();
  if (device == NULL) {
    return rt_fail(cnrtErrorNoDevice);
  }
  *pFlags = rt_device_flags(device);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDeviceGetAttribute(int *pValue, cnrtDeviceAttr_t attr, int device) {
  const struct rt_device *found = rt_device(device);
  if (pValue == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (found == NULL) {
    return rt_fail(no_such_device());
  }
  return rt_attribute(pValue, (int)attr, found) ? cnrtSuccess : rt_fail(cnrtErrorNoAttribute);
}

RT_EXPORT cnrtRet_t cnrtGetDeviceProperties(cnrtDeviceProp_t *prop, int device) {
  const struct rt_device *found = rt_device(device);
  if (prop == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (found == NULL) {
    return rt_fail(no_such_device());
  }
  memset(prop, 0, sizeof(*prop));
  snprintf(prop->name, sizeof(prop->name), "%s", rt_device_name(found));
  const struct {
    int *field;
    int attribute;
  } fields[] = {
      {&prop->totalMem, cnrtAttrTotalMemSize},
      {&prop->maxDim[0], cnrtAttrMaxDimX},
      {&prop->maxDim[1], cnrtAttrMaxDimY},
      {&prop->maxDim[2], cnrtAttrMaxDimZ},
      {&prop->ipuClockRate, cnrtAttrIpuClockRate},
      {&prop->memClockRate, cnrtAttrMemClockRate},
      {&prop->totalConstMem, cnrtAttrTotalConstMemorySize},
      {&prop->major, cnrtAttrComputeCapabilityMajor},
      {&prop->minor, cnrtAttrComputeCapabilityMinor},
      {&prop->ECCEnabled, cnrtAttrEccEnable},
      {&prop->pciBusID, cnrtAttrPciBusID},
      {&prop->pciDeviceID, cnrtAttrPciDeviceID},
      {&prop->pciDomainID, cnrtAttrPciDomainID},
      {&prop->maxL2CacheSize, cnrtAttrMaxL2CacheSize},
      {&prop->persistingL2CacheMaxSize, cnrtAttrMaxPersistingL2CacheSize},
      {&prop->queuePrioritiesSupported, cnrtAttrSupportQueuePriorities},
      {&prop->sparseComputingSupported, cnrtAttrSparseComputingSupported},
      {&prop->FP16ComputingSupported, cnrtAttrFP16ComputingSupported},
      {&prop->INT4ComputingSupported, cnrtAttrINT4ComputingSupported},
      {&prop->INT8ComputingSupported, cnrtAttrINT8ComputingSupported},
      {&prop->BF16ComputingSupported, cnrtAttrBF16ComputingSupported},
      {&prop->TF32ComputingSupported, cnrtAttrTF32ComputingSupported},
      {&prop->maxQueueSize, cnrtAttrQueueSize},
      {&prop->maxNotifierSize, cnrtAttrNotifierSize},
      {&prop->maxClusterCountPerUnionTask, cnrtAttrMaxClusterCountPerUnionTask},
      {&prop->clusterCount, cnrtAttrClusterCount},
      {&prop->McorePerCluster, cnrtAttrMcorePerCluster},
      {&prop->maxQuadrantCount, cnrtAttrMaxQuadrantCount},
      {&prop->maxUnionTypePerQuadrant, cnrtAttrMaxUnionTypePerQuadrant},
      {&prop->maxClusterPerUnionLimitTask, cnrtAttrMaxClusterPerUnionLimitTask},
      {&prop->ISAVersion, cnrtAttrISAVersion},
      {&prop->isMultipleTensorProcessor, cnrtAttrIsMultipleTensorProcessor},
      {&prop->NramSizePerMcore, cnrtAttrNramSizePerMcore},
      {&prop->WramSizePerMcore, cnrtAttrWramSizePerMcore},
      {&prop->LmemSizePerMcore, cnrtAttrLmemSizePerMcore},
      {&prop->SramSizePerMcore, cnrtAttrSramSizePerMcore},
      {&prop->globalMemoryNodeCount, cnrtAttrGlobalMemoryNodeCount},
      {&prop->cacheSize, cnrtAttrCacheSize},
      {&prop->GmemBusWidth, cnrtAttrGmemBusWidth},
      {&prop->computeMode, cnrtAttrComputeMode},
      {&prop->availableGlobalMemorySize, cnrtAttrAvailableGlobalMemorySize},
  };
  for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
    rt_attribute(fields[i].field, fields[i].attribute, found);
  }
  rt_device_uuid(found, &prop->uuid);
  prop->totalGlobalMemSize = rt_device_memory(found);
  return cnrtSuccess;
}

/* ---- Limits and other numbers stored per device ---- */

static _Atomic int64_t configurations[RT_MAX_DEVICES][cnrtDeviceConfigMaxNum];

/* The stored number that a call refers to; NULL with *error set when there is none. */
static _Atomic int64_t *configuration(cnrtDeviceConfig_t type, cnrtRet_t *error) {
  const struct rt_device *device = rt_current_device();
  if (device == NULL) {
    *error = cnrtErrorNoDevice;
    return NULL;
  }
  if (type <= cnrtDeviceConfigReserved || type >= cnrtDeviceConfigMaxNum) {
    *error = cnrtErrorArgsInvalid;
    return NULL;
  }
  return &configurations[rt_device_ordinal(device)][type];
}

RT_EXPORT cnrtRet_t cnrtDeviceSetConfig(cnrtDeviceConfig_t type, int64_t value) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  _Atomic int64_t *kept = value >= 0 ? configuration(type, &error) : NULL;
  if (kept == NULL) {
    return rt_fail(error);
  }
  atomic_store(kept, value);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDeviceGetConfig(int64_t *pValue, cnrtDeviceConfig_t type) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  _Atomic int64_t *kept = pValue != NULL ? configuration(type, &error) : NULL;
  if (kept == NULL) {
    return rt_fail(error);
  }
  *pValue = atomic_load(kept);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDeviceQueryKernelMemoryUsage(size_t *pBytes) {
  if (pBytes == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pBytes = 0;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDeviceResetPersistingL2Cache(void) {
  return rt_fail(rt_current_device() != NULL ? cnrtSuccess : cnrtErrorNoDevice);
}

RT_EXPORT cnrtRet_t cnrtxQueueDevice(cnrtQueue_t queue, int *device) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  const struct rt_device *found = device != NULL ? rt_queue_device(queue, &error) : NULL;
  if (found == NULL) {
    return rt_fail(error);
  }
  *device = rt_device_ordinal(found);
  return cnrtSuccess;
}
