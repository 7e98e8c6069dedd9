/* SPDX-License-Identifier: MIT */
#include "allocations.h"

#include <pthread.h>
#include <stdlib.h>

enum { NEAR_BYTES = 1 << 20, KEPT_FREED = 1024 };

static struct {
  pthread_mutex_t lock;
  struct card_allocation *list;
  size_t count, room, freed;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Makes room for one more; drops the oldest freed one first. */
static bool make_room(void) {
  if (known.freed >= KEPT_FREED) {
    size_t kept = 0;
    for (size_t i = 0; i < known.count; ++i) {
      if (!known.list[i].is_freed) {
        known.list[kept++] = known.list[i];
      }
    }
    known.count = kept;
    known.freed = 0;
  }
  if (known.count == known.room) {
    const size_t room = known.room != 0 ? 2 * known.room : 64;
    struct card_allocation *list = realloc(known.list, room * sizeof(*list));
    if (list == NULL) {
      return false;
    }
    known.list = list;
    known.room = room;
  }
  return true;
}

static bool overlap(const struct card_allocation *a, uintptr_t start, size_t bytes) {
  return a->start < start + bytes && start < a->start + a->bytes;
}

void card_allocations_add(uintptr_t start, size_t bytes) {
  pthread_mutex_lock(&known.lock);
  size_t kept = 0;
  for (size_t i = 0; i < known.count;
       ++i) { /* an earlier, freed allocation at this address is forgotten */
    if (known.list[i].is_freed && overlap(&known.list[i], start, bytes)) {
      --known.freed;
    } else {
      known.list[kept++] = known.list[i];
    }
  }
  known.count = kept;
  if (make_room()) {
    known.list[known.count++] = (struct card_allocation){start, bytes, false};
  }
  pthread_mutex_unlock(&known.lock);
}

void card_allocations_free(uintptr_t start, size_t bytes) {
  pthread_mutex_lock(&known.lock);
  for (size_t i = 0; i < known.count; ++i) {
    if (!known.list[i].is_freed && known.list[i].start == start && known.list[i].bytes == bytes) {
      known.list[i].is_freed = true;
      ++known.freed;
      break;
    }
  }
  pthread_mutex_unlock(&known.lock);
}

bool card_allocations_near(uintptr_t address, struct card_allocation *found) {
  uintptr_t best = NEAR_BYTES;
  pthread_mutex_lock(&known.lock);
  for (size_t i = 0; i < known.count; ++i) {
    const struct card_allocation *a = &known.list[i];
    uintptr_t distance = 0;
    if (address < a->start) {
      distance = a->start - address;
    } else if (address >= a->start + a->bytes) {
      distance = address - a->start - a->bytes + 1;
    }
    if (distance < best || (distance == best && best != NEAR_BYTES && !a->is_freed)) {
      best = distance;
      *found = *a;
    }
  }
  pthread_mutex_unlock(&known.lock);
  return best != NEAR_BYTES;
}
