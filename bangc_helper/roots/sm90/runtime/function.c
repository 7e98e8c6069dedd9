/* SPDX-License-Identifier: MIT */
#include "function.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_registry.h"

enum {
  BUCKETS = 256,
  CLUSTER_SIZES = 4, /* cached sizes; a kernel uses one or two */
};

struct function {
  struct function *next;
  const void *address;
  const struct rt_device *device;
  unsigned generation; /* of the kernel registry */
  size_t onchip_bytes; /* prepared for this size */
  cnrtRet_t error;     /* result of the preparation */
  struct {
    unsigned blocks; /* 0: not queried yet */
    unsigned resident;
  } clusters[CLUSTER_SIZES];
};

/* Entries stay until the process ends or their device is reset. */
static struct {
  pthread_mutex_t lock;
  struct function *buckets[BUCKETS];
} functions = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct function **bucket_of(const void *address) {
  return &functions.buckets[((uintptr_t)address >> 4) % BUCKETS];
}

static cnrtRet_t set_up(const bangSm90Kernel *kernel, const struct rt_device *device) {
  if (kernel->onchip_bytes > (size_t)device->max_shared_bytes) {
    rt_warn("kernel %s needs %zu bytes of on-chip memory, a task has at most %d", kernel->name,
            kernel->onchip_bytes, device->max_shared_bytes);
    return (cnrtRet_t)CN_INVOKE_ERROR_OUT_OF_RESOURCES;
  }
  const struct {
    enum cudaFuncAttribute attribute;
    int value;
  } wanted[] = {
      {cudaFuncAttributeMaxDynamicSharedMemorySize, (int)kernel->onchip_bytes},
      /* Several tasks share a multiprocessor, so as much as possible becomes shared memory. */
      {cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared},
      {cudaFuncAttributeNonPortableClusterSizeAllowed, 1},
  };
  for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); ++i) {
    const cnrtRet_t error =
        rt_cuda(cudaFuncSetAttribute(kernel->function, wanted[i].attribute, wanted[i].value));
    if (error != cnrtSuccess) {
      /* Static shared memory counts in addition to the requested size. */
      return error == cnrtErrorArgsInvalid ? (cnrtRet_t)CN_INVOKE_ERROR_OUT_OF_RESOURCES : error;
    }
  }
  return cnrtSuccess;
}

static struct function *entry_locked(const bangSm90Kernel *kernel, const struct rt_device *device) {
  struct function **bucket = bucket_of(kernel->function);
  struct function *entry = *bucket;
  while (entry != NULL && (entry->address != kernel->function || entry->device != device)) {
    entry = entry->next;
  }
  if (entry == NULL && (entry = calloc(1, sizeof(*entry))) != NULL) {
    entry->address = kernel->function;
    entry->device = device;
    entry->onchip_bytes = SIZE_MAX;
    entry->next = *bucket;
    *bucket = entry;
  }
  return entry;
}

/* The entry of a function, prepared for the kernel's needs; NULL if out of memory. */
static struct function *find_locked(const bangSm90Kernel *kernel, const struct rt_device *device) {
  struct function *entry = entry_locked(kernel, device);
  const unsigned generation = rt_kernel_generation();
  if (entry != NULL &&
      (entry->onchip_bytes != kernel->onchip_bytes || entry->generation != generation)) {
    entry->generation = generation;
    entry->onchip_bytes = kernel->onchip_bytes;
    entry->error = set_up(kernel, device);
    memset(entry->clusters, 0, sizeof(entry->clusters));
  }
  return entry;
}

cnrtRet_t rt_function_prepare(const bangSm90Kernel *kernel, const struct rt_device *device) {
  pthread_mutex_lock(&functions.lock);
  const struct function *entry = find_locked(kernel, device);
  const cnrtRet_t error = entry != NULL ? entry->error : cnrtErrorSysNoMem;
  pthread_mutex_unlock(&functions.lock);
  return error;
}

/* Blocks without clusters: more of them fit than clusters of size one. */
static unsigned ask_resident_blocks(const bangSm90Kernel *kernel, const struct rt_device *device) {
  int each = 0;
  int multiprocessors = 0;
  return rt_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
             &each, kernel->function, (int)kernel->threads, kernel->onchip_bytes)) == cnrtSuccess &&
                 rt_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                                device->gpu)) == cnrtSuccess &&
                 each > 0
             ? (unsigned)(each * multiprocessors)
             : 0;
}

static unsigned ask_resident(const bangSm90Kernel *kernel, const struct rt_device *device,
                             unsigned blocks) {
  if (blocks == 1) {
    return ask_resident_blocks(kernel, device);
  }
  cudaLaunchAttribute shape;
  memset(&shape, 0, sizeof(shape));
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = blocks;
  shape.val.clusterDim.y = 1;
  shape.val.clusterDim.z = 1;
  const cudaLaunchConfig_t config = {.gridDim = {blocks, 1, 1},
                                     .blockDim = {kernel->threads, 1, 1},
                                     .dynamicSmemBytes = kernel->onchip_bytes,
                                     .attrs = &shape,
                                     .numAttrs = 1};
  int clusters = 0;
  return rt_cuda(cudaOccupancyMaxActiveClusters(&clusters, kernel->function, &config)) ==
                     cnrtSuccess &&
                 clusters > 0
             ? (unsigned)clusters
             : 0;
}

unsigned rt_function_resident_clusters(const bangSm90Kernel *kernel, const struct rt_device *device,
                                       unsigned blocks) {
  pthread_mutex_lock(&functions.lock);
  struct function *entry = find_locked(kernel, device);
  unsigned resident = 0;
  size_t i = 0;
  while (entry != NULL && i < CLUSTER_SIZES && entry->clusters[i].blocks != blocks &&
         entry->clusters[i].blocks != 0) {
    ++i;
  }
  if (entry == NULL || i == CLUSTER_SIZES) {
    resident = ask_resident(kernel, device, blocks);
  } else {
    if (entry->clusters[i].blocks == 0) {
      entry->clusters[i].blocks = blocks;
      entry->clusters[i].resident = ask_resident(kernel, device, blocks);
    }
    resident = entry->clusters[i].resident;
  }
  pthread_mutex_unlock(&functions.lock);
  return resident;
}

void rt_functions_forget(const struct rt_device *device) {
  pthread_mutex_lock(&functions.lock);
  for (size_t i = 0; i < BUCKETS; ++i) {
    for (struct function **link = &functions.buckets[i]; *link != NULL;) {
      struct function *entry = *link;
      if (entry->device != device) {
        link = &entry->next;
        continue;
      }
      *link = entry->next;
      free(entry);
    }
  }
  pthread_mutex_unlock(&functions.lock);
}
