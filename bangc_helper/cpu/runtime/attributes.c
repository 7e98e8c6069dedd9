/* SPDX-License-Identifier: MIT
 *
 * What a device of the CPU says about itself.
 */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "device.h"
#include "launch_config.h"

enum {
  MAX_QUEUES = 4096,
  MAX_NOTIFIERS = 65536,
  /* 1 GHz cores; two channels of 64 bits at 1.6 GHz, double data rate: 51.2 GB/s. */
  CLUSTER_CLOCK_KHZ = 1000000,
  MEMORY_CLOCK_KHZ = 1600000,
  BUS_WIDTH_BITS = 128,
  DEFAULT_L2_BYTES = 32 << 20,
  CONST_MEMORY_MB = 128,
  LOCAL_MEMORY_MB = 16,
};

static int last_level_cache(void) {
  long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes <= 0) {
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  }
  return bytes > 0 && bytes < INT_MAX ? (int)bytes : DEFAULT_L2_BYTES;
}

static int total_megabytes(void) {
  const uint64_t megabytes = rt_settings()->memory_bytes >> 20;
  return megabytes < INT_MAX ? (int)megabytes : INT_MAX;
}

bool rt_attribute(int *value, int attribute, const struct rt_device *device) {
  const struct rt_settings *settings = rt_settings();
  switch (attribute) {
    case cnrtAttrComputeCapabilityMajor:
      *value = 5;
      return true;
    case cnrtAttrComputeCapabilityMinor:
    case cnrtAttrSparseComputingSupported:
    case cnrtAttrINT4ComputingSupported:
    case cnrtAttrComputeMode:
    case cnrtAttrTinyCoreSupported:
    case cnrtAttrCodecJPEGSupported:
    case cnrtAttrCodecH264Supported:
    case cnrtAttrCodecH265Supported:
    case cnrtAttrAIIspCoreSupported:
    case cnrtAttrIPCNotifierSupported:
    case cnrtAttrEccEnable:
    case cnrtAttrPciDeviceID:
    case cnrtAttrPciDomainID:
    case cnrtAttrMDRMemorySize:
    case CN_DEVICE_ATTRIBUTE_CLUSTER_L1_CACHE_SUPPORTED:
    case CN_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED:
    case cnrtAttrCanSetQueueSize:
    case cnrtAttrCanSetNotifierSize:
    case cnrtAttrSupportManagedMem:
    case cnrtAttrSupportHostRegsiter:
      *value = 0;
      return true;
    case cnrtAttrFP16ComputingSupported:
    case cnrtAttrINT8ComputingSupported:
    case cnrtAttrBF16ComputingSupported:
    case cnrtAttrTF32ComputingSupported:
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
    case cnrtAttrMaxDimX:
    case cnrtAttrMaxDimY:
    case cnrtAttrMaxDimZ:
      *value = RT_MAX_DIM;
      return true;
    case cnrtAttrMaxClusterCountPerUnionTask: /* an MLU590 answers with its cores, 32 */
      *value = (int)(settings->clusters * settings->cores);
      return true;
    case cnrtAttrClusterCount:
      *value = (int)settings->clusters;
      return true;
    case cnrtAttrMcorePerCluster:
      *value = (int)settings->cores;
      return true;
    case cnrtAttrMaxUnionTypePerQuadrant:
    case cnrtAttrMaxClusterPerUnionLimitTask:
      *value = rt_largest_union(settings->clusters, RT_MAX_UNION);
      return true;
    case cnrtAttrISAVersion:
      *value = RT_ISA_VERSION;
      return true;
    case cnrtAttrMaxL2CacheSize:
    case cnrtAttrCacheSize:
      *value = last_level_cache();
      return true;
    case cnrtAttrMaxPersistingL2CacheSize:
      *value = last_level_cache() / 2;
      return true;
    case cnrtAttrNramSizePerMcore:
      *value = RT_NRAM_BYTES;
      return true;
    case cnrtAttrWramSizePerMcore:
      *value = RT_WRAM_BYTES;
      return true;
    case cnrtAttrSramSizePerMcore:
      *value = RT_SRAM_BYTES;
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
    case cnrtAttrAvailableGlobalMemorySize:
    case cnrtAttrTotalMemSize:
      *value = total_megabytes();
      return true;
    case cnrtAttrIpuClockRate:
      *value = CLUSTER_CLOCK_KHZ;
      return true;
    case cnrtAttrMemClockRate:
      *value = MEMORY_CLOCK_KHZ;
      return true;
    case cnrtAttrGmemBusWidth:
      *value = BUS_WIDTH_BITS;
      return true;
    case cnrtAttrPciBusID: {
      char text[32];
      unsigned bus = 0;
      rt_device_pci(text, sizeof(text), device);
      sscanf(text, "%*x:%x", &bus);
      *value = (int)bus;
      return true;
    }
    default:
      return false;
  }
}
