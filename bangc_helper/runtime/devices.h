/* SPDX-License-Identifier: MIT
 *
 * Devices as the shared half of the runtime sees them. Each root defines struct rt_device and the
 * functions below for what it runs on.
 */
#ifndef RUNTIME_DEVICES_H_
#define RUNTIME_DEVICES_H_

#include "common.h"

enum {
  RT_MAX_DEVICES = 64,
  RT_MAX_DIM = 65535,    /* tasks of a launch in one dimension */
  RT_LEAST_PRIORITY = 7, /* of a queue, and the default; 0 is the greatest */
  RT_UUID_TEXT_SIZE = 37,
};

struct rt_device;

/* How many there are; a root without hardware has none. */
unsigned rt_device_count(void);
/* Device by number, NULL when there is none. */
struct rt_device *rt_device(int ordinal);
int rt_device_ordinal(const struct rt_device *device);
/* Device of the calling host thread, NULL when there is none at all. */
struct rt_device *rt_current_device(void);
/* Chooses the device of the calling host thread; the number must be valid. */
cnrtRet_t rt_set_current_device(int ordinal);

/* What attributes say that depends on the hardware; units as in cnrtDeviceAttr_t. */
struct rt_device_facts {
  int clusters;
  int cores;          /* per cluster */
  int union_clusters; /* a union may have any number of them up to this; 0: as its type's name */
  int nram_bytes;
  int wram_bytes;
  int sram_bytes;
  int l2_bytes;
  int clock_khz;
  int memory_clock_khz;
  int bus_bits;
  int vector_bytes; /* of the vectors a core computes with at a time */
  int has_ecc;
};
const struct rt_device_facts *rt_device_facts(const struct rt_device *device);
/* The name a device reports. */
const char *rt_device_name(const struct rt_device *device);
/* Its unique identifier; `uuid` is cleared. */
void rt_device_uuid(const struct rt_device *device, cnrtUUID_t *uuid);
/* The same in groups of hexadecimal digits, and the device that it names, or NULL. */
void rt_device_uuid_text(const struct rt_device *device, char text[RT_UUID_TEXT_SIZE]);
struct rt_device *rt_device_by_uuid(const char *text);
/* Bytes of its memory. */
uint64_t rt_device_memory(const struct rt_device *device);
/* Its memory as a program sees it now. */
cnrtRet_t rt_device_memory_info(struct rt_device *device, size_t *free_bytes, size_t *total);
/* A PCI address. As text it is "domain:bus:device.function" in hexadecimal digits; a domain or a
 * function of 0 may be left out. */
struct rt_pci_address {
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned function;
};
bool rt_pci_parse(const char *text, struct rt_pci_address *address);
/* The full address of a device; false when it does not fit. */
bool rt_device_pci(char *text, int length, const struct rt_device *device);
/* The device with this PCI address, or NULL. */
struct rt_device *rt_device_by_pci(const char *text);
/* Whether kernels and copies of one device reach the memory of another. */
bool rt_device_reaches(const struct rt_device *device, const struct rt_device *peer);
/* How host threads wait for the device, a cnrtDeviceFlags_t. */
void rt_device_set_flags(struct rt_device *device, unsigned flags);
unsigned rt_device_flags(const struct rt_device *device);

/* Percent of the time of its cores that was in use lately, by anybody and by this process: since a
 * call of a moment ago, or since rt_usage_start. False when the root cannot tell. */
bool rt_device_usage(struct rt_device *device, int *percent);
bool rt_process_usage(struct rt_device *device, int *percent);
/* From when on the use is counted; the first call counts. */
void rt_usage_start(void);
/* The memory node a device is close to, -1 when it is equally close to several; false when the root
 * cannot tell. */
bool rt_device_numa_node(const struct rt_device *device, int *node);

/* One attribute; false when there is none of this number. */
bool rt_attribute(int *value, int attribute, const struct rt_device *device);
/* An attribute every device has, such as the number of its clusters. */
static inline int rt_device_value(const struct rt_device *device, cnrtDeviceAttr_t attribute) {
  int value = 0;
  rt_attribute(&value, (int)attribute, device);
  return value;
}

/* Device a queue belongs to; NULL with *error set when there is no such queue. */
struct rt_device *rt_queue_device(cnrtQueue_t queue, cnrtRet_t *error);

#endif /* RUNTIME_DEVICES_H_ */
