/* SPDX-License-Identifier: MIT
 *
 * Device memory of other processes, through CUDA's handles. Opening a handle takes much longer than
 * a copy, and programs map the same buffers repeatedly, so unmapped memory stays open for a while.
 * It is closed when its owner frees it or newer entries displace it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "cnrt_external.h"
#include "device.h"
#include "memory.h"
#include "notifiers.h"
#include "offers.h"
#include "settings.h"
#include "shared_notifier.h"

enum { MAX_UNUSED = 64 }; /* unused openings that are kept */

/* An allocation of another process that is open in this one. */
struct opening {
  struct opening *next;
  struct offer *offer;
  uint32_t serial; /* of the offer that was opened */
  const struct rt_device *device;
  void *start;
  unsigned uses;
  bool is_own; /* allocated by this process, which CUDA cannot open */
};

/* Most recently used first. */
static struct {
  pthread_mutex_t lock;
  struct opening *list;
} openings = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Exporting ---- */

RT_EXPORT bool cnrtxSharesMemory(void) {
  return rt_settings()->shared_memory != 0 && offers_exist();
}

bool rt_notifiers_may_be_shared(void) {
  return rt_settings()->shared_memory != 0 && rt_shared_notifiers_exist();
}

static bool make_handle(struct rt_pages *pages, void *handle) {
  const bool offered = offer_pages(pages);
  if (offered) {
    *(cnrtIpcMemHandle *)handle = offer_handle(pages);
  }
  return offered;
}

RT_EXPORT cnrtRet_t cnrtAcquireMemHandle(cnrtIpcMemHandle *handle, void *ptr) {
  struct rt_memory_info info;
  if (handle == NULL || !rt_memory_find(ptr, &info) || info.kind != RT_MEMORY_DEVICE ||
      info.start != ptr || info.size == 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (!cnrtxSharesMemory()) {
    return rt_fail(cnrtErrorNotSupport);
  }
  const cnrtRet_t entered = rt_device_enter(rt_device(info.device));
  if (entered != cnrtSuccess) {
    return rt_fail(entered);
  }
  bool is_offered = false;
  const bool found = rt_memory_change(ptr, make_handle, handle, &is_offered);
  return rt_fail(!found ? cnrtErrorArgsInvalid : is_offered ? cnrtSuccess : cnrtErrorNotSupport);
}

/* ---- Opening ---- */

static void close_opening(struct opening *opening) {
  if (!opening->is_own && rt_device_enter(opening->device) == cnrtSuccess) {
    rt_cuda(cudaIpcCloseMemHandle(opening->start));
  }
  offer_close(opening->offer);
  free(opening);
}

/* Closes unused openings that the owner has freed or that exceed the limit. */
static void close_unused_locked(void) {
  unsigned unused = 0;
  struct opening **place = &openings.list;
  while (*place != NULL) {
    struct opening *opening = *place;
    unused += opening->uses == 0;
    if (opening->uses == 0 &&
        (atomic_load(&opening->offer->serial) != opening->serial || unused > MAX_UNUSED)) {
      *place = opening->next;
      close_opening(opening);
    } else {
      place = &opening->next;
    }
  }
}

/* Where the memory of an offer is mapped; CUDA cannot open what the same process exported. */
static cnrtRet_t open_memory(const struct rt_device *device, const struct offer *offer, bool is_own,
                             void **start) {
  const cnrtRet_t error = rt_device_enter(device);
  if (error != cnrtSuccess || is_own) {
    *start = (void *)(uintptr_t)offer->start;
    return error;
  }
  return rt_cuda(cudaIpcOpenMemHandle(start, offer->handle, cudaIpcMemLazyEnablePeerAccess));
}

static cnrtRet_t open_locked(const struct rt_device *device, const struct rt_ipc_place *place,
                             struct offer *offer, struct opening **opened) {
  struct opening *opening = calloc(1, sizeof(*opening));
  if (opening == NULL || !offer_open(offer)) {
    free(opening);
    return opening == NULL ? cnrtErrorSysNoMem : cnrtErrorNotSupport;
  }
  opening->offer = offer;
  opening->serial = atomic_load(&offer->serial);
  opening->device = device;
  opening->is_own = place->process == (int)getpid();
  const cnrtRet_t error = open_memory(device, offer, opening->is_own, &opening->start);
  if (error != cnrtSuccess) {
    offer_close(offer);
    free(opening);
    return error;
  }
  opening->next = openings.list;
  openings.list = opening;
  *opened = opening;
  return cnrtSuccess;
}

/* The opening of an offer on a device's GPU, moved to the front of the list; or NULL. */
static struct opening *find_opening_locked(const struct rt_device *device,
                                           const struct offer *offer) {
  const uint32_t serial = atomic_load(&offer->serial);
  for (struct opening **place = &openings.list; *place != NULL; place = &(*place)->next) {
    struct opening *opening = *place;
    if (opening->offer == offer && opening->serial == serial &&
        opening->device->gpu == device->gpu) {
      *place = opening->next;
      opening->next = openings.list;
      openings.list = opening;
      return opening;
    }
  }
  return NULL;
}

static cnrtRet_t map_locked(struct rt_device *device, const struct rt_ipc_place *place,
                            void **start) {
  struct offer *offer = offer_find(place);
  if (offer == NULL) {
    return cnrtErrorArgsInvalid;
  }
  struct opening *opening = find_opening_locked(device, offer);
  cnrtRet_t error = cnrtSuccess;
  if (opening == NULL) {
    error = open_locked(device, place, offer, &opening);
  }
  if (error == cnrtSuccess && !opening->is_own) {
    error = rt_memory_attach(device, opening->start, (size_t)offer->size);
  }
  if (error == cnrtSuccess) {
    ++opening->uses;
    *start = opening->start;
  }
  return error;
}

RT_EXPORT cnrtRet_t cnrtMapMemHandle(void **pPtr, cnrtIpcMemHandle handle, int flag) {
  struct rt_device *device = rt_current_device();
  if (pPtr == NULL || handle == NULL || flag != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (device == NULL) {
    return rt_fail(cnrtErrorNoDevice);
  }
  if (!cnrtxSharesMemory()) {
    return rt_fail(cnrtErrorNotSupport);
  }
  const struct rt_ipc_place place = rt_ipc_decode(handle);
  pthread_mutex_lock(&openings.lock);
  const cnrtRet_t error = map_locked(device, &place, pPtr);
  close_unused_locked();
  pthread_mutex_unlock(&openings.lock);
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtUnMapMemHandle(void *ptr) {
  pthread_mutex_lock(&openings.lock);
  struct opening *opening = openings.list;
  while (opening != NULL && (opening->start != ptr || opening->uses == 0)) {
    opening = opening->next;
  }
  if (opening != NULL) {
    --opening->uses;
    if (!opening->is_own) {
      rt_memory_detach(ptr);
    }
  }
  close_unused_locked();
  pthread_mutex_unlock(&openings.lock);
  return rt_fail(opening != NULL ? cnrtSuccess : cnrtErrorArgsInvalid);
}
