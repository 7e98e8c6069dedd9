/* SPDX-License-Identifier: MIT
 *
 * Open addressing with linear probing; removal moves later entries back, so there are no
 * tombstones.
 */
#include "handles.h"

#include <stdint.h>
#include <stdlib.h>

static size_t home_slot(const struct rt_handles *set, const void *handle) {
  const uint64_t mixed = (uint64_t)(uintptr_t)handle * 0x9e3779b97f4a7c15u;
  return (size_t)(mixed >> 32) & (set->capacity - 1);
}

/* Slot of the handle, or the empty slot where it would go. */
static size_t probe(const struct rt_handles *set, const void *handle) {
  size_t slot = home_slot(set, handle);
  while (set->slots[slot] != NULL && set->slots[slot] != handle) {
    slot = (slot + 1) & (set->capacity - 1);
  }
  return slot;
}

static bool grow(struct rt_handles *set) {
  const struct rt_handles old = *set;
  const size_t capacity = old.capacity == 0 ? 16 : old.capacity * 2;
  const void **slots = calloc(capacity, sizeof(*slots));
  if (slots == NULL) {
    return false;
  }
  set->slots = slots;
  set->capacity = capacity;
  for (size_t i = 0; i < old.capacity; ++i) {
    if (old.slots[i] != NULL) {
      set->slots[probe(set, old.slots[i])] = old.slots[i];
    }
  }
  free(old.slots);
  return true;
}

bool rt_handles_add(struct rt_handles *set, const void *handle) {
  pthread_mutex_lock(&set->lock);
  const bool room = (set->count + 1) * 2 <= set->capacity || grow(set);
  if (room) {
    set->slots[probe(set, handle)] = handle;
    ++set->count;
  }
  pthread_mutex_unlock(&set->lock);
  return room;
}

bool rt_handles_remove(struct rt_handles *set, const void *handle) {
  bool found = false;
  pthread_mutex_lock(&set->lock);
  if (handle != NULL && set->capacity != 0) {
    size_t hole = probe(set, handle);
    found = set->slots[hole] != NULL;
    if (found) {
      const size_t mask = set->capacity - 1;
      for (size_t next = (hole + 1) & mask; set->slots[next] != NULL; next = (next + 1) & mask) {
        const size_t home = home_slot(set, set->slots[next]);
        /* An entry may move into the hole unless its home slot lies between the hole and the entry.
         */
        if (((next - home) & mask) >= ((next - hole) & mask)) {
          set->slots[hole] = set->slots[next];
          hole = next;
        }
      }
      set->slots[hole] = NULL;
      --set->count;
      if (set->count == 0) { /* leak checkers find nothing at the end of a program */
        free(set->slots);
        set->slots = NULL;
        set->capacity = 0;
      }
    }
  }
  pthread_mutex_unlock(&set->lock);
  return found;
}

bool rt_handles_retain(struct rt_handles *set, void *handle, void (*retain)(void *handle)) {
  bool found = false;
  pthread_mutex_lock(&set->lock);
  if (handle != NULL && set->capacity != 0) {
    found = set->slots[probe(set, handle)] != NULL;
    if (found) {
      retain(handle);
    }
  }
  pthread_mutex_unlock(&set->lock);
  return found;
}
