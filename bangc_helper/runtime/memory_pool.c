/* SPDX-License-Identifier: MIT
 *
 * Pools of device memory. They count and limit the memory that programs take from them; the memory
 * itself comes from the device and is returned to it at once.
 */
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "handles.h"
#include "memory.h"

enum { REUSE_SETTINGS = 3 };

struct CNmemoryPool_st {
  int device;
  bool is_default;
  uint64_t limit;         /* bytes in use; 0: none */
  _Atomic int references; /* holds: the program's, and one per allocation */
  _Atomic uint64_t used;
  _Atomic uint64_t used_high;
  _Atomic uint64_t reserved_high;
  _Atomic int reuse[REUSE_SETTINGS];
  _Atomic uint64_t threshold;
};

static struct rt_handles pools = RT_HANDLES_INITIALIZER;
static struct {
  pthread_mutex_t lock;
  struct CNmemoryPool_st first[RT_MAX_DEVICES]; /* default pools, created on first use */
  struct CNmemoryPool_st *current[RT_MAX_DEVICES];
} devices = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void begin(struct CNmemoryPool_st *pool, int device, uint64_t limit) {
  pool->device = device;
  pool->limit = limit;
  atomic_init(&pool->references, 1);
  for (int i = 0; i < REUSE_SETTINGS; ++i) {
    atomic_init(&pool->reuse[i], 1);
  }
}

static void retain(void *pool) {
  atomic_fetch_add(&((struct CNmemoryPool_st *)pool)->references, 1);
}

static void release(struct CNmemoryPool_st *pool) {
  if (atomic_fetch_sub(&pool->references, 1) == 1) {
    free(pool); /* never reached by a default pool, which its device holds */
  }
}

static struct CNmemoryPool_st *default_locked(int device) {
  struct CNmemoryPool_st *pool = &devices.first[device];
  if (!pool->is_default) {
    begin(pool, device, 0);
    pool->is_default = true;
  }
  return pool;
}

/* Retains the pool of a handle; NULL for an invalid handle. */
static struct CNmemoryPool_st *acquire(cnrtMemPool_t handle) {
  for (int i = 0; i < RT_MAX_DEVICES; ++i) {
    if (handle == &devices.first[i]) {
      retain(handle);
      return handle;
    }
  }
  return handle != NULL && rt_handles_retain(&pools, handle, retain) ? handle : NULL;
}

/* ---- Pools of a device ---- */

static cnrtRet_t pool_of(cnrtMemPool_t *pool, int device, bool current) {
  if (pool == NULL) {
    return cnrtErrorArgsInvalid;
  }
  if (rt_device(device) == NULL) {
    return cnrtErrorDeviceInvalid;
  }
  pthread_mutex_lock(&devices.lock);
  *pool =
      current && devices.current[device] != NULL ? devices.current[device] : default_locked(device);
  pthread_mutex_unlock(&devices.lock);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDeviceGetDefaultMemPool(cnrtMemPool_t *pool, int device) {
  return rt_fail(pool_of(pool, device, false));
}

RT_EXPORT cnrtRet_t cnrtDeviceGetMemPool(cnrtMemPool_t *pool, int device) {
  return rt_fail(pool_of(pool, device, true));
}

RT_EXPORT cnrtRet_t cnrtDeviceSetMemPool(int device, cnrtMemPool_t pool) {
  if (rt_device(device) == NULL) {
    return rt_fail(cnrtErrorDeviceInvalid);
  }
  struct CNmemoryPool_st *found = acquire(pool);
  if (found == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const bool local = found->device == device;
  if (local) {
    pthread_mutex_lock(&devices.lock);
    devices.current[device] = found;
    pthread_mutex_unlock(&devices.lock);
  }
  release(found);
  return rt_fail(local ? cnrtSuccess : cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtMemPoolCreate(cnrtMemPool_t *pool, const cnrtMemPoolProps_t *poolProps) {
  if (pool == NULL || poolProps == NULL || poolProps->type != cnrtMemAllocationTypeDefault ||
      poolProps->location.type != cnrtMemLocationTypeDevice ||
      rt_device((int)poolProps->location.id) == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (poolProps->requestedHandleTypes != cnrtMemHandleTypeNone) {
    return rt_fail(cnrtErrorNotSupport);
  }
  struct CNmemoryPool_st *created = calloc(1, sizeof(*created));
  if (created == NULL) {
    return rt_fail(cnrtErrorSysNoMem);
  }
  begin(created, (int)poolProps->location.id, poolProps->maxSize);
  if (!rt_handles_add(&pools, created)) {
    free(created);
    return rt_fail(cnrtErrorSysNoMem);
  }
  *pool = created;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtMemPoolDestroy(cnrtMemPool_t pool) {
  if (pool == NULL || !rt_handles_remove(&pools, pool)) { /* default pools are not among them */
    return rt_fail(cnrtErrorArgsInvalid);
  }
  pthread_mutex_lock(&devices.lock);
  if (devices.current[pool->device] == pool) {
    devices.current[pool->device] = NULL;
  }
  pthread_mutex_unlock(&devices.lock);
  release(pool);
  return cnrtSuccess;
}

/* ---- Attributes ---- */

static cnrtRet_t get(struct CNmemoryPool_st *pool, cnrtMemPoolAttr_t attribute, void *value) {
  uint64_t number = 0;
  switch (attribute) {
    case cnrtMemPoolAttrReuseFollowNotifierDependencies:
    case cnrtMemPoolAttrReuseAllowOpportunistic:
    case cnrtMemPoolAttrReuseAllowInternalDependencies: {
      const int setting =
          atomic_load(&pool->reuse[attribute - cnrtMemPoolAttrReuseFollowNotifierDependencies]);
      memcpy(value, &setting, sizeof(setting));
      return cnrtSuccess;
    }
    case cnrtMemPoolAttrReleaseThreshold:
      number = atomic_load(&pool->threshold);
      break;
    case cnrtMemPoolAttrReservedMemCurrent:
    case cnrtMemPoolAttrUsedMemCurrent:
      number = atomic_load(&pool->used);
      break;
    case cnMemPoolAttrReservedMemHigh:
      number = atomic_load(&pool->reserved_high);
      break;
    case cnrtMemPoolAttrUsedMemHigh:
      number = atomic_load(&pool->used_high);
      break;
    default:
      return cnrtErrorArgsInvalid;
  }
  memcpy(value, &number, sizeof(number));
  return cnrtSuccess;
}

static cnrtRet_t set(struct CNmemoryPool_st *pool, cnrtMemPoolAttr_t attribute, const void *value) {
  uint64_t number = 0;
  if (attribute >= cnrtMemPoolAttrReuseFollowNotifierDependencies &&
      attribute <= cnrtMemPoolAttrReuseAllowInternalDependencies) {
    int setting = 0;
    memcpy(&setting, value, sizeof(setting));
    atomic_store(&pool->reuse[attribute - cnrtMemPoolAttrReuseFollowNotifierDependencies],
                 setting != 0);
    return cnrtSuccess;
  }
  memcpy(&number, value, sizeof(number));
  if (attribute == cnrtMemPoolAttrReleaseThreshold) {
    atomic_store(&pool->threshold, number);
  } else if (attribute == cnMemPoolAttrReservedMemHigh && number == 0) {
    atomic_store(&pool->reserved_high, 0);
  } else if (attribute == cnrtMemPoolAttrUsedMemHigh && number == 0) {
    atomic_store(&pool->used_high, 0);
  } else {
    return cnrtErrorArgsInvalid;
  }
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtMemPoolGetAttribute(cnrtMemPool_t pool, cnrtMemPoolAttr_t attr,
                                            void *value) {
  struct CNmemoryPool_st *found = value != NULL ? acquire(pool) : NULL;
  if (found == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const cnrtRet_t error = get(found, attr, value);
  release(found);
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtMemPoolSetAttribute(cnrtMemPool_t pool, cnrtMemPoolAttr_t attr,
                                            void *value) {
  struct CNmemoryPool_st *found = value != NULL ? acquire(pool) : NULL;
  if (found == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const cnrtRet_t error = set(found, attr, value);
  release(found);
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtMemPoolGetAccess(cnrtMemoryAccessFlags_t *flags, cnrtMemPool_t pool,
                                         cnrtMemLocation_t *location) {
  const bool asked =
      flags != NULL && location != NULL && location->type == cnrtMemLocationTypeDevice;
  const struct rt_device *from = asked ? rt_device((int)location->id) : NULL;
  struct CNmemoryPool_st *found = from != NULL ? acquire(pool) : NULL;
  if (found == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct rt_device *home = rt_device(found->device);
  release(found);
  if (from != home && !rt_device_reaches(from, home)) {
    return rt_fail(cnrtErrorNotSupport);
  }
  *flags = cnrtMemAccessFlagsProtReadWrite;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtMemPoolTrimTo(cnrtMemPool_t pool, size_t minBytesToKeep) {
  (void)minBytesToKeep; /* pools never hold more than is in use */
  struct CNmemoryPool_st *found = acquire(pool);
  if (found == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  release(found);
  return cnrtSuccess;
}

/* ---- Memory ---- */

static void raise_to(_Atomic uint64_t *high, uint64_t value) {
  uint64_t seen = atomic_load(high);
  while (seen < value && !atomic_compare_exchange_weak(high, &seen, value)) {
  }
}

/* Counts bytes before they are allocated; false when that exceeds the limit. */
static bool count(struct CNmemoryPool_st *pool, size_t bytes) {
  uint64_t used = atomic_load(&pool->used);
  do {
    if (pool->limit != 0 && (bytes > pool->limit || used > pool->limit - bytes)) {
      return false;
    }
  } while (!atomic_compare_exchange_weak(&pool->used, &used, used + bytes));
  raise_to(&pool->used_high, used + bytes);
  raise_to(&pool->reserved_high, used + bytes);
  return true;
}

/* Called when memory was freed. */
static void returned(struct CNmemoryPool_st *pool, size_t bytes) {
  atomic_fetch_sub(&pool->used, bytes);
  release(pool);
}

/* Allocates from a pool that the caller retained; the allocation takes over the hold. */
static cnrtRet_t take(struct CNmemoryPool_st *pool, size_t bytes, void **address) {
  if (!count(pool, bytes)) {
    release(pool);
    return cnrtErrorNoMem;
  }
  const cnrtRet_t error =
      rt_memory_allocate(rt_device(pool->device), RT_MEMORY_DEVICE, bytes, address);
  if (error != cnrtSuccess) {
    returned(pool, bytes);
    return error;
  }
  rt_memory_set_pool(*address, pool, returned);
  return cnrtSuccess;
}

/* Device of a queue. NULL with *error set when the queue is invalid or captured: captures have no
 * memory nodes. */
static struct rt_device *device_of(cnrtQueue_t queue, cnrtRet_t *error) {
  struct CNqueue_st *found = rt_queue_acquire(queue, error);
  if (found == NULL) {
    return NULL;
  }
  *error = rt_capture_refuse(found);
  rt_queue_release(found);
  return *error == cnrtSuccess ? rt_queue_device(queue, error) : NULL;
}

static cnrtRet_t allocate(void **address, size_t bytes, cnrtMemPool_t pool, cnrtQueue_t queue) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  struct CNmemoryPool_st *found = NULL;
  const struct rt_device *device = address != NULL ? device_of(queue, &error) : NULL;
  if (device == NULL) {
    return error;
  }
  if (pool == NULL) {
    pool_of(&pool, rt_device_ordinal(device), true);
  }
  *address = NULL;
  found = acquire(pool);
  return found != NULL ? take(found, bytes, address) : cnrtErrorArgsInvalid;
}

RT_EXPORT cnrtRet_t cnrtMemAllocAsync(void **pPtr, size_t bytes, cnrtQueue_t queue) {
  return rt_fail(allocate(pPtr, bytes, NULL, queue));
}

RT_EXPORT cnrtRet_t cnrtMemAllocFromPoolAsync(void **pPtr, size_t bytes, cnrtMemPool_t pool,
                                              cnrtQueue_t queue) {
  return rt_fail(pool != NULL ? allocate(pPtr, bytes, pool, queue) : cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtMemFreeAsync(void *ptr, cnrtQueue_t queue) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  if (ptr == NULL || device_of(queue, &error) == NULL) {
    return rt_fail(error);
  }
  return rt_fail(rt_memory_free(ptr, false)); /* freed after all work that is pending now */
}
