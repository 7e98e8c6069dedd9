/* SPDX-License-Identifier: MIT
 *
 * The one device.
 */
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "pci.h"
#include "root.h"

static const uint64_t memory_bytes = (uint64_t)4 << 30;

struct rt_device {
  unsigned flags;
};

static struct rt_device only;

unsigned rt_device_count(void) {
  return 1;
}

struct rt_device *rt_device(int ordinal) {
  return ordinal == 0 ? &only : NULL;
}

int rt_device_ordinal(const struct rt_device *device) {
  (void)device;
  return 0;
}

struct rt_device *rt_current_device(void) {
  return &only;
}

cnrtRet_t rt_set_current_device(int ordinal) {
  (void)ordinal;
  return cnrtSuccess;
}

const struct rt_device_facts *rt_device_facts(const struct rt_device *device) {
  static const struct rt_device_facts facts = {.clusters = 1,
                                               .cores = 1,
                                               .nram_bytes = 512 << 10,
                                               .wram_bytes = 512 << 10,
                                               .sram_bytes = 2048 << 10,
                                               .l2_bytes = 1 << 20,
                                               .clock_khz = 1000000,
                                               .memory_clock_khz = 1000000,
                                               .bus_bits = 64,
                                               .vector_bytes = 16};
  (void)device;
  return &facts;
}

const char *rt_device_name(const struct rt_device *device) {
  (void)device;
  return "minimal";
}

void rt_device_uuid(const struct rt_device *device, cnrtUUID_t *uuid) {
  (void)device;
  memcpy(uuid->uuid, "minimal", sizeof("minimal"));
}

uint64_t rt_device_memory(const struct rt_device *device) {
  (void)device;
  return memory_bytes;
}

cnrtRet_t rt_device_memory_info(struct rt_device *device, size_t *free_bytes, size_t *total) {
  *total = memory_bytes;
  *free_bytes = memory_bytes - rt_memory_used(device);
  return cnrtSuccess;
}

bool rt_device_pci(char *text, int length, const struct rt_device *device) {
  (void)device;
  return text != NULL && length > 0 && snprintf(text, (size_t)length, "0000:01:00.0") < length;
}

struct rt_device *rt_device_by_pci(const char *text) {
  struct rt_pci_address address;
  return rt_pci_parse(text, &address) && address.bus == 1 ? &only : NULL;
}

bool rt_device_reaches(const struct rt_device *device, const struct rt_device *peer) {
  return device != peer;
}

void rt_device_set_flags(struct rt_device *device, unsigned flags) {
  device->flags = flags;
}

unsigned rt_device_flags(const struct rt_device *device) {
  return device->flags;
}

void rt_usage_start(void) {}

bool rt_device_usage(struct rt_device *device, int *percent) {
  (void)device;
  (void)percent;
  return false;
}

bool rt_process_usage(struct rt_device *device, int *percent) {
  (void)device;
  (void)percent;
  return false;
}

bool rt_device_numa_node(const struct rt_device *device, int *node) {
  (void)device;
  (void)node;
  return false;
}

cnrtRet_t rt_device_reset(struct rt_device *device) {
  (void)device;
  return cnrtSuccess;
}

size_t rt_thread_stack_bytes(void) {
  return 8 << 20;
}
