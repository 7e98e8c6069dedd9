/* SPDX-License-Identifier: MIT
 *
 * The attributes of a device: the same for all, or from the facts of its hardware.
 */
#include "attributes.h"

#include <limits.h>

#include "notifiers.h"
#include "pci.h"
#include "unions.h"

enum {
  MAX_QUEUES = 4096,
  MAX_NOTIFIERS = 65536,
  CONST_MEMORY_MB = 128,
  LOCAL_MEMORY_MB = 16,
  BFLOAT16_ARCHITECTURE = 500, /* from here on cores have bfloat16 and TF32 */
};

/* The same for every device. */
static bool constant(int *value, int attribute) {
  switch (attribute) {
    case cnrtAttrComputeCapabilityMinor:
    case cnrtAttrSparseComputingSupported:
    case cnrtAttrINT4ComputingSupported:
    case cnrtAttrComputeMode:
    case cnrtAttrTinyCoreSupported:
    case cnrtAttrCodecJPEGSupported:
    case cnrtAttrCodecH264Supported:
    case cnrtAttrCodecH265Supported:
    case cnrtAttrAIIspCoreSupported:
    case cnrtAttrMDRMemorySize:
    case CN_DEVICE_ATTRIBUTE_CLUSTER_L1_CACHE_SUPPORTED:
    case CN_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED:
    case CN_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
    case cnrtAttrCanSetQueueSize:
    case cnrtAttrCanSetNotifierSize:
    case cnrtAttrSupportManagedMem:
    case cnrtAttrSupportHostRegsiter:
      *value = 0;
      return true;
    case cnrtAttrFP16ComputingSupported:
    case cnrtAttrINT8ComputingSupported:
    case cnrtAttrSupportQueuePriorities:
    case cnrtAttrMultiCtxNotifierWaitSupported:
    case cnrtAttrMaxQuadrantCount:
    case cnrtAttrIsMultipleTensorProcessor:
    case cnrtAttrGlobalMemoryNodeCount:
    case CN_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
    case CN_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case CN_DEVICE_ATTRIBUTE_LINEAR_MAPPING_SUPPORTED:
    case cnrtAttrCanMapHostMemory:
    case cnrtAttrConcurrentKernels:
    case cnrtAttrSupportUnifiedAddr:
    case cnrtAttrSupportNativeAtomic:
    case cnrtAttrSupportPageableMemAccess:
    case cnrtAttrCanUseHostPointer:
      *value = 1;
      return true;
    case cnrtAttrQueueSize:
      *value = MAX_QUEUES;
      return true;
    case cnrtAttrNotifierSize:
      *value = MAX_NOTIFIERS;
      return true;
    case cnrtAttrTotalConstMemorySize:
      *value = CONST_MEMORY_MB;
      return true;
    case cnrtAttrLmemSizePerMcore:
      *value = LOCAL_MEMORY_MB;
      return true;
    case CN_DEVICE_ATTRIBUTE_LINEAR_RECOMMEND_GRANULARITY:
      *value = 4096;
      return true;
    default:
      return false;
  }
}

static int megabytes(const struct rt_device *device) {
  const uint64_t value = rt_device_memory(device) >> 20;
  return value < INT_MAX ? (int)value : INT_MAX;
}

static struct rt_pci_address pci_address(const struct rt_device *device) {
  char text[32];
  struct rt_pci_address address = {0, 0, 0, 0};
  if (rt_device_pci(text, sizeof(text), device)) {
    rt_pci_parse(text, &address);
  }
  return address;
}

/* Facts that a device reports, and attributes derived from them. */
static bool depending(int *value, int attribute, const struct rt_device *device) {
  const struct rt_device_facts *facts = rt_device_facts(device);
  switch (attribute) {
    case cnrtAttrClusterCount:
      *value = facts->clusters;
      return true;
    case cnrtAttrISAVersion:
      *value = facts->architecture;
      return true;
    case cnrtAttrComputeCapabilityMajor:
      *value = facts->architecture / 100;
      return true;
    case cnrtAttrBF16ComputingSupported:
    case cnrtAttrTF32ComputingSupported:
      *value = facts->architecture >= BFLOAT16_ARCHITECTURE;
      return true;
    case cnrtAttrMaxDimX:
    case cnrtAttrMaxDimY:
    case cnrtAttrMaxDimZ:
      *value = facts->largest_dim != 0 ? facts->largest_dim : RT_MAX_DIM;
      return true;
    case cnrtAttrMcorePerCluster:
      *value = facts->cores;
      return true;
    case cnrtAttrMaxClusterCountPerUnionTask: /* an MLU590 answers with its cores, 32 */
      *value = facts->union_clusters != 0 ? facts->union_clusters : facts->clusters * facts->cores;
      return true;
    case cnrtAttrMaxUnionTypePerQuadrant:
    case cnrtAttrMaxClusterPerUnionLimitTask:
      *value = facts->largest_union != 0 ? facts->largest_union
                                         : rt_largest_union((unsigned)facts->clusters);
      return true;
    case cnrtAttrNramSizePerMcore:
      *value = facts->nram_bytes;
      return true;
    case cnrtAttrWramSizePerMcore:
      *value = facts->wram_bytes;
      return true;
    case cnrtAttrSramSizePerMcore:
      *value = facts->sram_bytes;
      return true;
    case cnrtAttrMaxL2CacheSize:
    case cnrtAttrCacheSize:
      *value = facts->l2_bytes;
      return true;
    case cnrtAttrMaxPersistingL2CacheSize:
      *value = facts->l2_bytes / 2;
      return true;
    case cnrtAttrIpuClockRate:
      *value = facts->clock_khz;
      return true;
    case cnrtAttrMemClockRate:
      *value = facts->memory_clock_khz;
      return true;
    case cnrtAttrGmemBusWidth:
      *value = facts->bus_bits;
      return true;
    case cnrtAttrIPCNotifierSupported:
      *value = rt_notifiers_may_be_shared();
      return true;
    case cnrtAttrEccEnable:
      *value = facts->has_ecc;
      return true;
    case cnrtAttrAvailableGlobalMemorySize:
    case cnrtAttrTotalMemSize:
      *value = megabytes(device);
      return true;
    case cnrtAttrPciDomainID:
      *value = (int)pci_address(device).domain;
      return true;
    case cnrtAttrPciBusID:
      *value = (int)pci_address(device).bus;
      return true;
    case cnrtAttrPciDeviceID:
      *value = (int)pci_address(device).device;
      return true;
    default:
      return false;
  }
}

bool rt_attribute(int *value, int attribute, const struct rt_device *device) {
  return depending(value, attribute, device) || constant(value, attribute);
}
