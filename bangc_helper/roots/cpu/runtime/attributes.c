/* SPDX-License-Identifier: MIT
 *
 * What a device of the CPU says about itself. A root that plays another device on the CPU has its
 * own version of this file.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bang/vector_api.h"
#include "device.h"

enum { DEFAULT_L2_BYTES = 32 << 20 };

static int last_level_cache(void) {
  long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes <= 0) {
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  }
  return bytes > 0 && bytes < INT_MAX ? (int)bytes : DEFAULT_L2_BYTES;
}

/* All devices are equal. 1 GHz cores; two 64-bit memory channels at 1.6 GHz, double data rate: 51.2
 * GB/s. */
static struct rt_device_facts facts = {.architecture = 592,
                                       .nram_bytes = RT_NRAM_BYTES,
                                       .wram_bytes = RT_WRAM_BYTES,
                                       .sram_bytes = RT_SRAM_BYTES,
                                       .clock_khz = 1000000,
                                       .memory_clock_khz = 1600000,
                                       .bus_bits = 128};

/* Vector width of the instruction set in use; at least 128 bits, also on Arm. */
static int vector_bytes(void) {
  const char *isa = __bang_vec_isa();
  return strncmp(isa, "avx512", 6) == 0 ? 64 : strcmp(isa, "avx2") == 0 ? 32 : 16;
}

static void find_facts(void) {
  facts.clusters = (int)rt_settings()->clusters;
  facts.cores = (int)rt_settings()->cores;
  facts.l2_bytes = last_level_cache();
  facts.vector_bytes = vector_bytes();
}

const struct rt_device_facts *rt_device_facts(const struct rt_device *device) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)device;
  pthread_once(&once, find_facts);
  return &facts;
}

const char *rt_device_name(const struct rt_device *device) {
  (void)device;
  return "MLU590-CPU";
}

void rt_device_uuid(const struct rt_device *device, cnrtUUID_t *uuid) {
  snprintf(uuid->uuid, sizeof(uuid->uuid), "MLU590-CPU-%04d", device->ordinal);
}
