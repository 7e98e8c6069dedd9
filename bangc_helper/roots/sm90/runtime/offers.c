/* SPDX-License-Identifier: MIT */
#include "offers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "device.h"
#include "peer_file.h"

enum {
  NO_FILE = -1,
  OFFERS = 16384,
  OFFER_BYTES = 512,
  MAX_FILE = 1 << RT_IPC_FILE_BITS, /* a handle has room for smaller file descriptors only */
};
_Static_assert(sizeof(struct offer) <= OFFER_BYTES, "offers do not overlap");

/* Pages whose offer was withdrawn while other processes had them open. */
struct waiting_pages {
  struct waiting_pages *next;
  const struct rt_device *device;
  void *start;
  size_t index;
};

static struct {
  pthread_mutex_t lock;
  int file;
  char *start;
  uint32_t serial;
  size_t next_index; /* where the search for a free entry starts, so that entries are not reused
                      * soon */
  bool is_waiting[OFFERS];
  struct waiting_pages *waiting;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = NO_FILE};

static struct offer *offer_at(char *start, size_t index) {
  return (struct offer *)(start + index * OFFER_BYTES);
}

static void open_file(void) {
  own.file =
      rt_file_create_mapped("cnrt-memory", (size_t)OFFERS * OFFER_BYTES, MAX_FILE, &own.start);
}

bool offers_exist(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_file);
  return own.file != NO_FILE;
}

/* ---- Offering ---- */

/* Returns OFFERS if there is no room. Index 0 stays empty, because it means that pages are not
 * offered. */
static size_t find_free_locked(void) {
  for (size_t step = 0; step < OFFERS - 1; ++step) {
    const size_t index = 1 + (own.next_index + step) % (OFFERS - 1);
    if (!own.is_waiting[index] && atomic_load(&offer_at(own.start, index)->serial) == 0) {
      own.next_index = index;
      return index;
    }
  }
  return OFFERS;
}

bool offer_pages(struct rt_pages *pages) {
  cudaIpcMemHandle_t handle;
  if (pages->heap_offset != 0) {
    return true;
  }
  if (!offers_exist() || rt_cuda(cudaIpcGetMemHandle(&handle, pages->start)) != cnrtSuccess) {
    return false;
  }
  pthread_mutex_lock(&own.lock);
  const size_t index = find_free_locked();
  if (index != OFFERS) {
    struct offer *offer = offer_at(own.start, index);
    offer->start = (uint64_t)(uintptr_t)pages->start;
    offer->size = pages->size;
    offer->handle = handle;
    own.serial += rt_ipc_low_bits(own.serial + 1, RT_IPC_SERIAL_BITS) == 0 ? 2 : 1;
    atomic_store(&offer->serial, own.serial);
    pages->heap_offset = index;
  }
  pthread_mutex_unlock(&own.lock);
  return index != OFFERS;
}

cnrtIpcMemHandle offer_handle(const struct rt_pages *pages) {
  const struct offer *offer = offer_at(own.start, pages->heap_offset);
  const struct rt_ipc_place place = {(int)getpid(), own.file, pages->heap_offset,
                                     atomic_load(&offer->serial)};
  return rt_ipc_encode(&place);
}

/* ---- Withdrawing ---- */

/* A process that has ended has nothing open, whatever its entries say. */
static bool is_open(struct offer *offer) {
  bool open = false;
  for (int i = 0; i < OFFER_MAX_OPENERS; ++i) {
    const int32_t process = atomic_load(&offer->openers[i]);
    if (process != 0 && kill(process, 0) != 0 && errno == ESRCH) {
      atomic_store(&offer->openers[i], 0);
    } else {
      open |= process != 0;
    }
  }
  return open;
}

bool offer_withdraw(const struct rt_device *device, const struct rt_pages *pages) {
  struct offer *offer = offer_at(own.start, pages->heap_offset);
  bool must_wait = false;
  pthread_mutex_lock(&own.lock);
  atomic_store(&offer->serial, 0);
  if (is_open(offer)) {
    struct waiting_pages *waiting = malloc(sizeof(*waiting));
    must_wait = waiting != NULL;
    if (must_wait) {
      *waiting = (struct waiting_pages){own.waiting, device, pages->start, pages->heap_offset};
      own.waiting = waiting;
      own.is_waiting[pages->heap_offset] = true;
    }
  }
  pthread_mutex_unlock(&own.lock);
  return !must_wait;
}

void offers_collect(void) {
  pthread_mutex_lock(&own.lock);
  struct waiting_pages **place = &own.waiting;
  while (*place != NULL) {
    struct waiting_pages *waiting = *place;
    if (is_open(offer_at(own.start, waiting->index))) {
      place = &waiting->next;
      continue;
    }
    *place = waiting->next;
    own.is_waiting[waiting->index] = false;
    if (rt_device_enter(waiting->device) == cnrtSuccess) {
      rt_cuda(cudaFree(waiting->start));
    }
    free(waiting);
  }
  pthread_mutex_unlock(&own.lock);
}

/* ---- Offers of other processes ---- */

struct offer *offer_find(const struct rt_ipc_place *place) {
  struct rt_peer_file file;
  if (place->unit == 0 || place->unit >= OFFERS ||
      !rt_peer_file(place->process, place->file, &file) ||
      file.size != (size_t)OFFERS * OFFER_BYTES) {
    return NULL;
  }
  struct offer *offer = offer_at(file.start, place->unit);
  const uint32_t serial = atomic_load(&offer->serial);
  return serial != 0 && rt_ipc_is_current(place, serial) ? offer : NULL;
}

bool offer_open(struct offer *offer) {
  for (int i = 0; i < OFFER_MAX_OPENERS; ++i) {
    int32_t none = 0;
    if (atomic_compare_exchange_strong(&offer->openers[i], &none, (int32_t)getpid())) {
      return true;
    }
  }
  return false;
}

void offer_close(struct offer *offer) {
  for (int i = 0; i < OFFER_MAX_OPENERS; ++i) {
    int32_t self = (int32_t)getpid();
    if (atomic_compare_exchange_strong(&offer->openers[i], &self, 0)) {
      return;
    }
  }
}
