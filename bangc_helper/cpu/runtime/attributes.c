/* SPDX-License-Identifier: MIT
 *
 * What a device of the CPU says about itself.
 */
#include <limits.h>
#include <unistd.h>

#include "device.h"

enum {
  /* 1 GHz cores; two channels of 64 bits at 1.6 GHz, double data rate: 51.2 GB/s. */
  CLUSTER_CLOCK_KHZ = 1000000,
  MEMORY_CLOCK_KHZ = 1600000,
  BUS_WIDTH_BITS = 128,
  DEFAULT_L2_BYTES = 32 << 20,
};

static int last_level_cache(void) {
  long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes <= 0) {
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  }
  return bytes > 0 && bytes < INT_MAX ? (int)bytes : DEFAULT_L2_BYTES;
}

bool rt_device_attribute(int *value, int attribute, const struct rt_device *device) {
  (void)device; /* all are alike */
  switch (attribute) {
    case cnrtAttrClusterCount:
      *value = (int)rt_settings()->clusters;
      return true;
    case cnrtAttrMcorePerCluster:
      *value = (int)rt_settings()->cores;
      return true;
    case cnrtAttrMaxL2CacheSize:
      *value = last_level_cache();
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
    case cnrtAttrIpuClockRate:
      *value = CLUSTER_CLOCK_KHZ;
      return true;
    case cnrtAttrMemClockRate:
      *value = MEMORY_CLOCK_KHZ;
      return true;
    case cnrtAttrGmemBusWidth:
      *value = BUS_WIDTH_BITS;
      return true;
    default:
      return false;
  }
}
