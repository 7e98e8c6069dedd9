/* SPDX-License-Identifier: MIT */
#include "clock/shared.h"

#include <stdlib.h>

#include "clock/account.h"

/* ---- Atomic operations ---- */

/* Entries store the place + 1, since 0 marks an empty entry. */
static struct place_entry *find(struct place_entry *places, size_t size, uint64_t place) {
  size_t at = (size_t)(place * UINT64_C(0x9e3779b97f4a7c15)) & (size - 1);
  while (places[at].place != 0 && places[at].place != place + 1) at = (at + 1) & (size - 1);
  return &places[at];
}

static bool grow(struct play *play) {
  const size_t size = play->place_size > 0 ? 2 * play->place_size : 64;
  struct place_entry *places = calloc(size, sizeof *places);
  if (places == NULL) return false;
  for (size_t i = 0; i < play->place_size; ++i) {
    if (play->places[i].place != 0)
      *find(places, size, play->places[i].place - 1) = play->places[i];
  }
  free(play->places);
  play->places = places;
  play->place_size = size;
  return true;
}

int64_t shared_atomic(struct play *play, int64_t now, uint64_t place, int64_t cost) {
  if (2 * play->place_count >= play->place_size && !grow(play)) {
    play->failed = true;
    return now;
  }
  struct place_entry *entry = find(play->places, play->place_size, place);
  if (entry->place == 0) {
    entry->place = place + 1;
    ++play->place_count;
  }
  const int64_t start = entry->free_at > now ? entry->free_at : now;
  entry->free_at = start + cost;
  return entry->free_at;
}

/* ---- Locks ---- */

static struct lock_entry *find_lock(struct play *play, uint32_t id) {
  for (size_t i = 0; i < play->lock_count; ++i) {
    if (play->locks[i].id == id) return &play->locks[i];
  }
  if (play->lock_count == play->lock_size) {
    const size_t size = play->lock_size > 0 ? 2 * play->lock_size : 8;
    struct lock_entry *locks = realloc(play->locks, size * sizeof *locks);
    if (locks == NULL) return NULL;
    play->locks = locks;
    play->lock_size = size;
  }
  play->locks[play->lock_count] = (struct lock_entry){.id = id};
  return &play->locks[play->lock_count++];
}

/* Taking a lock is an atomic operation that returns the old value. */
static void take(struct play *play, struct core *core, struct lock_entry *lock, int64_t from) {
  lock->holder = core;
  const int64_t start = from > core->now ? from : core->now;
  play_spend(play, core, CARD_SPENT_BARRIER, start, core->wait_site);
  play_spend(play, core, CARD_SPENT_ATOMIC, start + 1000 * play->board->read_latency_ns,
             core->wait_site);
}

bool shared_lock(struct play *play, struct core *core, uint32_t id) {
  struct lock_entry *lock = find_lock(play, id);
  if (lock == NULL) {
    play->failed = true;
    return true;
  }
  if (lock->holder != NULL && lock->holder != core) {
    core->state = CORE_AT_LOCK;
    core->lock = id;
    return false;
  }
  take(play, core, lock, core->now);
  return true;
}

/* The core that has waited longest gets the lock; of several, the one with the smallest number. */
void shared_unlock(struct play *play, struct core *core, uint32_t id) {
  struct lock_entry *lock = find_lock(play, id);
  if (lock == NULL || lock->holder != core) return;
  lock->holder = NULL;
  struct core *next = NULL;
  for (size_t i = 0; i < play->core_count; ++i) {
    struct core *waiting = &play->cores[i];
    if (waiting->state == CORE_AT_LOCK && waiting->lock == id &&
        (next == NULL || waiting->now < next->now)) {
      next = waiting;
    }
  }
  if (next != NULL) {
    take(play, next, lock, core->now);
    play_continue(play, next);
  }
}
