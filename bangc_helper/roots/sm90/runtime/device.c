/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "bang_sm90.h"
#include "settings.h"
#include "pci.h"

enum {
  MIN_MAJOR = 9, /* compute capability the kernels are built for */
};

static struct rt_device devices[RT_MAX_DEVICES];
static unsigned device_count;
static __thread int chosen_device = -1;
static __thread int entered_gpu = -1;

static int attribute(int gpu, enum cudaDeviceAttr which) {
  int value = 0;
  return rt_cuda(cudaDeviceGetAttribute(&value, which, gpu)) == cnrtSuccess ? value : 0;
}

static void describe(struct rt_device *device, int gpu) {
  static struct cudaDeviceProp properties; /* large; used by one thread only */
  memset(&properties, 0, sizeof(properties));
  rt_cuda(cudaGetDeviceProperties(&properties, gpu));
  device->ordinal = (int)(device - devices);
  device->gpu = gpu;
  snprintf(device->name, sizeof(device->name), "%s", properties.name);
  memcpy(device->uuid.uuid, properties.uuid.bytes, sizeof(device->uuid.uuid));
  device->memory_bytes = properties.totalGlobalMem;
  device->facts = (struct rt_device_facts){
      .architecture = 592,
      /* As many cores in total as tasks that should be resident. */
      .clusters = properties.multiProcessorCount * (int)rt_settings()->tasks_per_sm /
                  BANG_SM90_CORES_PER_CLUSTER,
      .cores = BANG_SM90_CORES_PER_CLUSTER,
      .union_clusters = properties.multiProcessorCount * BANG_SM90_UNION_TASKS_PER_SM /
                        BANG_SM90_CORES_PER_CLUSTER,
      .nram_bytes = BANG_SM90_NRAM_KB * 1024,
      .wram_bytes = BANG_SM90_WRAM_KB * 1024,
      .sram_bytes = BANG_SM90_SRAM_KB * 1024,
      .l2_bytes = properties.l2CacheSize,
      .clock_khz = attribute(gpu, cudaDevAttrClockRate),
      .memory_clock_khz = attribute(gpu, cudaDevAttrMemoryClockRate),
      .bus_bits = attribute(gpu, cudaDevAttrGlobalMemoryBusWidth),
      .has_ecc = attribute(gpu, cudaDevAttrEccEnabled),
      .vector_bytes = BANG_SM90_TASK_THREADS * (int)sizeof(float), /* a task is a warp */
  };
  device->max_shared_bytes = attribute(gpu, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  pthread_mutex_init(&device->lock, NULL);
}

/* GPUs that the kernels are built for. They keep CUDA's numbers, so GPUs after one that is too old
 * are not used. */
static int usable_gpus(void) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    rt_cuda(error);
    rt_warn("no device: %s", cudaGetErrorString(error));
    return 0;
  }
  for (int i = 0; i < count; ++i) {
    if (attribute(i, cudaDevAttrComputeCapabilityMajor) < MIN_MAJOR) {
      rt_warn("GPU %d is not used: wanted compute capability %d.0 or newer", i, MIN_MAJOR);
      return i;
    }
  }
  return count < RT_MAX_DEVICES ? count : RT_MAX_DEVICES;
}

static void find_devices(void) {
  const unsigned gpus = (unsigned)usable_gpus();
  if (gpus == 0) {
    return;
  }
  const unsigned wanted = rt_settings()->devices;
  device_count = wanted != 0 ? wanted : gpus;
  for (unsigned i = 0; i < device_count; ++i) {
    describe(&devices[i], (int)(i % gpus));
    devices[i].is_shared = i >= gpus || i + gpus < device_count;
    /* The first device of a GPU has the GPU's own identifier; the others get different ones. */
    devices[i].uuid.uuid[sizeof(devices[i].uuid.uuid) - 1] ^= (char)(i / gpus);
  }
}

unsigned rt_device_count(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_devices);
  return device_count;
}

struct rt_device *rt_device(int ordinal) {
  return ordinal >= 0 && (unsigned)ordinal < rt_device_count() ? &devices[ordinal] : NULL;
}

int rt_device_ordinal(const struct rt_device *device) {
  return device->ordinal;
}

struct rt_device *rt_current_device(void) {
  if (chosen_device < 0) {
    const unsigned wanted = rt_settings()->default_device;
    chosen_device = wanted < rt_device_count() ? (int)wanted : 0;
  }
  return rt_device(chosen_device);
}

cnrtRet_t rt_set_current_device(int ordinal) {
  chosen_device = ordinal;
  return rt_device_enter(rt_device(ordinal));
}

cnrtRet_t rt_device_enter(const struct rt_device *device) {
  if (entered_gpu == device->gpu) {
    return cnrtSuccess;
  }
  const cnrtRet_t error = rt_cuda(cudaSetDevice(device->gpu));
  if (error == cnrtSuccess) {
    entered_gpu = device->gpu;
  }
  return error;
}

/* ---- Queries ---- */

const struct rt_device_facts *rt_device_facts(const struct rt_device *device) {
  return &device->facts;
}

const char *rt_device_name(const struct rt_device *device) {
  return device->name;
}

void rt_device_uuid(const struct rt_device *device, cnrtUUID_t *uuid) {
  *uuid = device->uuid;
}

uint64_t rt_device_memory(const struct rt_device *device) {
  return device->memory_bytes;
}

cnrtRet_t rt_device_memory_info(struct rt_device *device, size_t *free_bytes, size_t *total) {
  const cnrtRet_t error = rt_device_enter(device);
  return error != cnrtSuccess ? error : rt_cuda(cudaMemGetInfo(free_bytes, total));
}

bool rt_device_pci(char *text, int length, const struct rt_device *device) {
  char full[32];
  if (text == NULL || length <= 0 ||
      rt_cuda(cudaDeviceGetPCIBusId(full, sizeof(full), device->gpu)) != cnrtSuccess) {
    return false;
  }
  return snprintf(text, (size_t)length, "%s", full) < length;
}

struct rt_device *rt_device_by_pci(const char *text) {
  int gpu = -1; /* number of the GPU and of its first device */
  char full[32];
  struct rt_pci_address address;
  if (rt_device_count() == 0 || !rt_pci_parse(text, &address)) {
    return NULL;
  }
  snprintf(full, sizeof(full), "%04x:%02x:%02x.%x", address.domain, address.bus, address.device,
           address.function);
  return rt_cuda(cudaDeviceGetByPCIBusId(&gpu, full)) == cnrtSuccess ? rt_device(gpu) : NULL;
}

bool rt_device_reaches(const struct rt_device *device, const struct rt_device *peer) {
  /* Copies between two devices always work; they go through the host if there is no direct path. */
  return device != peer;
}

static unsigned cuda_flags(unsigned flags) {
  switch (flags) {
    case cnrtDeviceScheduleSpin:
      return cudaDeviceScheduleSpin;
    case cnrtDeviceScheduleBlock:
      return cudaDeviceScheduleBlockingSync;
    case cnrtDeviceScheduleYield:
      return cudaDeviceScheduleYield;
    default:
      return cudaDeviceScheduleAuto;
  }
}

void rt_device_set_flags(struct rt_device *device, unsigned flags) {
  if (rt_device_enter(device) == cnrtSuccess) {
    rt_cuda(cudaSetDeviceFlags(cuda_flags(flags))); /* a hint, which may come too late */
  }
}

unsigned rt_device_flags(const struct rt_device *device) {
  unsigned flags = 0;
  if (rt_device_enter(device) == cnrtSuccess) {
    rt_cuda(cudaGetDeviceFlags(&flags));
  }
  const unsigned schedules[] = {cnrtDeviceScheduleSpin, cnrtDeviceScheduleBlock,
                                cnrtDeviceScheduleYield};
  for (size_t i = 0; i < sizeof(schedules) / sizeof(schedules[0]); ++i) {
    if ((flags & cudaDeviceScheduleMask) == cuda_flags(schedules[i])) {
      return schedules[i];
    }
  }
  return cnrtDeviceScheduleAuto;
}

/* ---- Host memory used by the device ---- */

unsigned *rt_device_fault_word(struct rt_device *device) {
  pthread_mutex_lock(&device->lock);
  void *memory = device->fault;
  if (memory == NULL && rt_device_enter(device) == cnrtSuccess &&
      rt_cuda(cudaHostAlloc(&memory, sizeof(*device->fault),
                            cudaHostAllocPortable | cudaHostAllocMapped)) == cnrtSuccess) {
    device->fault = memory;
    *device->fault = 0;
  }
  unsigned *word = device->fault;
  pthread_mutex_unlock(&device->lock);
  return word;
}

cnrtRet_t rt_device_error(struct rt_device *device, cudaError_t error) {
  const cnrtRet_t code = rt_cuda(error);
  if (code == cnrtSuccess || code == cnrtErrorNotReady) {
    return code;
  }
  pthread_mutex_lock(&device->lock);
  const unsigned fault = device->fault != NULL ? *(volatile unsigned *)device->fault : 0;
  pthread_mutex_unlock(&device->lock);
  return fault != 0 ? (cnrtRet_t)fault : code;
}

void rt_device_forget_memory(struct rt_device *device) {
  pthread_mutex_lock(&device->lock);
  device->fault = NULL;
  pthread_mutex_unlock(&device->lock);
}
