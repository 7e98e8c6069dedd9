/* SPDX-License-Identifier: MIT */
#include "slot.h"

#include <stdlib.h>

#include "arena.h"
#include "launch.h"
#include "order.h"
#include "settings.h"
#include "threads.h"

struct rt_clusters rt_clusters = {.lock = RT_BRIEF_MUTEX_INITIALIZER};

/* The slot that the calling thread of the program is bound to. */
static __thread struct rt_slot *own_slot __attribute__((tls_model("initial-exec")));

/* ---- Its threads ---- */

/* To be called after every change of its inputs. */
static void count_uncalled_locked(struct rt_slot *slot) {
  const unsigned called = slot->taken + slot->tickets;
  atomic_store_explicit(&slot->uncalled,
                        called < slot->member_count ? slot->member_count - called : 0,
                        memory_order_relaxed);
}

/* Takes the next member of the slot's group; NULL when all are taken. The memory core is last.
 * Threads of the program take the other cores from the end, so that a thread finds the same part of
 * a row in its cache in the next launch. */
struct rt_member *rt_slot_take_member_locked(struct rt_slot *slot, bool is_helper) {
  const unsigned cores = slot->member_count - 1;
  uint64_t place = slot->taken;
  if (place >= slot->member_count) {
    return NULL;
  }
  ++slot->taken;
  count_uncalled_locked(slot);
  if (place < cores) {
    place = is_helper ? cores - 1 - slot->helped++ : place - slot->helped;
  }
  place = rt_ordered_index(place, slot->member_count);
  return &slot->group->members[slot->cluster * slot->member_count + place];
}

struct call {
  struct rt_slot *slot;
  uint32_t seen;
};

static bool is_called(const void *argument) {
  const struct call *call = argument;
  return atomic_load_explicit(&call->slot->epoch, memory_order_acquire) != call->seen;
}

/* The next launch often follows within microseconds. At most as many threads as CPUs spin for it.
 */
static struct RT_OWN_CACHE_LINE { _Atomic unsigned count; } spinners;

/* Waits until the epoch differs from the one seen; `slot->lock` is held before and after. */
static void wait_for_call_locked(struct rt_slot *slot, uint32_t seen) {
  static struct rt_spin spin = RT_SPIN_INITIALIZER(rt_cores_fill_cpus);
  const struct call call = {slot, seen};
  ++slot->idle;
  bool called = false;
  if (atomic_fetch_add(&spinners.count, 1) < rt_settings()->cpus) {
    ++slot->spinning;
    pthread_mutex_unlock(&slot->lock);
    called = rt_spin_until(&spin, is_called, &call);
    pthread_mutex_lock(&slot->lock);
    --slot->spinning;
  }
  atomic_fetch_sub(&spinners.count, 1);
  /* A thread counted as spinning may have been called before the epoch changed. */
  if (!called && slot->tickets == 0) {
    pthread_mutex_unlock(&slot->lock);
    rt_futex_wait(&slot->epoch, seen, 0);
    pthread_mutex_lock(&slot->lock);
  }
  --slot->idle;
}

static struct rt_member *wait_for_member(struct rt_slot *slot) {
  struct rt_member *member = NULL;
  pthread_mutex_lock(&slot->lock);
  for (;;) {
    const uint32_t seen = atomic_load(&slot->epoch); /* before the checks below */
    if (rt_threads_stopping()) {
      break;
    }
    if (slot->tickets != 0) {
      --slot->tickets;
      member = rt_slot_take_member_locked(slot, false);
      if (member != NULL) {
        break;
      }
      count_uncalled_locked(slot);
      rt_core_retract(1);
    }
    wait_for_call_locked(slot, seen);
  }
  pthread_mutex_unlock(&slot->lock);
  return member;
}

bool rt_slot_all_taken(struct rt_slot *slot) {
  pthread_mutex_lock(&slot->lock);
  const bool taken = slot->taken >= slot->member_count;
  pthread_mutex_unlock(&slot->lock);
  return taken;
}

static void *core_thread_main(void *argument) {
  struct rt_slot *slot = argument;
  struct rt_core core;
  rt_core_init(&core);
  rt_arena_adopt_sram(slot->sram);
  rt_core_become(&core);
  for (;;) {
    struct rt_member *member = wait_for_member(slot);
    if (member == NULL) {
      break;
    }
    while (member != NULL) {
      member->group->owner->run_member(slot, member);
      pthread_mutex_lock(&slot->lock);
      member = rt_slot_take_member_locked(slot, false);
      pthread_mutex_unlock(&slot->lock);
    }
    rt_core_retract(1);
  }
  rt_core_fini(&core);
  return NULL;
}

/* Threads to call to a slot. */
struct calls {
  unsigned wake;
  unsigned create;
};

/* Decides to call up to `count` more threads, as members need them, and announces them and
 * `helpers`. The caller carries it out without the lock. */
static struct calls call_threads_locked(struct rt_slot *slot, unsigned count, unsigned helpers) {
  struct calls calls = {0, 0};
  bool sleeping = false;
  const unsigned before = slot->tickets;
  while (count-- > 0 && slot->taken + slot->tickets < slot->member_count) {
    ++slot->tickets;
    if (slot->idle >= slot->tickets) {
      sleeping = true;
    } else if (slot->threads < slot->member_count) {
      ++calls.create;
      ++slot->threads;
    }
  }
  rt_core_announce(slot->tickets - before + helpers);
  count_uncalled_locked(slot);
  /* Spinning threads come by themselves, but may have been called already. */
  if (sleeping && slot->tickets > slot->spinning) {
    calls.wake = slot->tickets - slot->spinning;
  }
  return calls;
}

/* False when a thread could not be created. */
static bool carry_out(struct rt_slot *slot, struct calls calls) {
  atomic_fetch_add(&slot->epoch, 1); /* who sees it wants the lock */
  if (calls.wake != 0) {
    rt_futex_wake(&slot->epoch, calls.wake);
  }
  for (unsigned i = 0; i < calls.create; ++i) {
    if (!rt_thread_create("cnrt-core", core_thread_main, slot)) {
      const unsigned missing = calls.create - i;
      pthread_mutex_lock(&slot->lock);
      slot->threads -= missing;
      const unsigned nobody_comes = missing < slot->tickets ? missing : slot->tickets;
      slot->tickets -= nobody_comes;
      count_uncalled_locked(slot);
      pthread_mutex_unlock(&slot->lock);
      rt_core_retract(nobody_comes);
      return false;
    }
  }
  return true;
}

bool rt_slot_call_threads(struct rt_slot *slot, unsigned count) {
  pthread_mutex_lock(&slot->lock);
  const struct calls calls = call_threads_locked(slot, count, 0);
  pthread_mutex_unlock(&slot->lock);
  return carry_out(slot, calls);
}

void rt_slot_assign(struct rt_group *group, unsigned cluster, unsigned threads, unsigned helpers) {
  struct rt_slot *slot = group->slots[cluster];
  if (rt_settings()->poison) {
    rt_poison_sram(slot->sram);
  }
  pthread_mutex_lock(&slot->lock);
  slot->group = group;
  slot->cluster = cluster;
  slot->taken = slot->helped = 0;
  slot->member_count = rt_members_per_cluster();
  rt_core_retract(slot->tickets);
  slot->tickets = 0;
  rt_offer(&group->launch->op.queue->offers);
  const struct calls calls = call_threads_locked(slot, threads, helpers);
  pthread_mutex_unlock(&slot->lock);
  /* From the first call on, the group may end at any time. */
  carry_out(slot, calls);
}

/* ---- All slots ---- */

static void wake_cluster_threads(void) {
  pthread_mutex_lock(&rt_clusters.lock);
  for (struct rt_slot *slot = rt_clusters.all; slot != NULL; slot = slot->next) {
    atomic_fetch_add(&slot->epoch, 1);
    rt_futex_wake(&slot->epoch, UINT32_MAX);
  }
  pthread_mutex_unlock(&rt_clusters.lock);
}

/* A slot with its first thread, so that its members can always be run. */
static struct rt_slot *create_slot(void) {
  struct rt_slot *slot = calloc(1, sizeof(*slot));
  if (slot == NULL) {
    return NULL;
  }
  rt_brief_mutex_init(&slot->lock);
  slot->threads = 1;
  slot->sram = rt_sram_create();
  if (slot->sram == NULL || !rt_thread_create("cnrt-core", core_thread_main, slot)) {
    if (slot->sram != NULL) {
      rt_sram_destroy(slot->sram);
    }
    pthread_mutex_destroy(&slot->lock);
    free(slot);
    return NULL;
  }
  pthread_mutex_lock(&rt_clusters.lock);
  const bool first = rt_clusters.all == NULL;
  slot->next = rt_clusters.all;
  rt_clusters.all = slot;
  pthread_mutex_unlock(&rt_clusters.lock);
  if (first) {
    rt_threads_on_stop(wake_cluster_threads);
  }
  return slot;
}

/* Takes a slot from the free ones, any one if it is NULL; false when it is not free. */
static bool take_free_locked(struct rt_slot **slot) {
  struct rt_slot **link = &rt_clusters.free_slots;
  while (*slot != NULL && *link != NULL && *link != *slot) {
    link = &(*link)->next_free;
  }
  if (*link == NULL) {
    return false;
  }
  *slot = *link;
  *link = (*link)->next_free;
  return true;
}

struct rt_slot *rt_slot_acquire(void) {
  struct rt_slot *slot = own_slot;
  struct rt_slot *any = NULL;
  pthread_mutex_lock(&rt_clusters.lock);
  if (slot == NULL || !take_free_locked(&slot)) {
    slot = take_free_locked(&any) ? any : NULL;
  }
  pthread_mutex_unlock(&rt_clusters.lock);
  return slot != NULL ? slot : create_slot();
}

void rt_slot_return(struct rt_slot *slot) {
  pthread_mutex_lock(&rt_clusters.lock);
  slot->next_free = rt_clusters.free_slots;
  rt_clusters.free_slots = slot;
  pthread_mutex_unlock(&rt_clusters.lock);
}

bool rt_slot_take(struct rt_slot *slot) {
  pthread_mutex_lock(&rt_clusters.lock);
  const bool taken = take_free_locked(&slot);
  pthread_mutex_unlock(&rt_clusters.lock);
  return taken;
}

void rt_slot_release(struct rt_slot *slot) {
  pthread_mutex_lock(&slot->lock);
  slot->group = NULL;
  slot->member_count = 0;
  slot->taken = slot->helped = 0;
  count_uncalled_locked(slot);
  pthread_mutex_unlock(&slot->lock);
  rt_slot_return(slot);
}

/* ---- Threads of the program ---- */

/* The slot with the fewest such threads; at most as many slots as CPUs are made for them. */
static struct rt_slot *bind_locked(void) {
  struct rt_slot *best = NULL;
  unsigned slots = 0;
  for (struct rt_slot *slot = rt_clusters.all; slot != NULL; slot = slot->next) {
    ++slots;
    if (best == NULL || slot->bound_threads < best->bound_threads) {
      best = slot;
    }
  }
  if (best != NULL && best->bound_threads != 0 && slots < rt_settings()->cpus) {
    return NULL;
  }
  if (best != NULL) {
    ++best->bound_threads;
  }
  return best;
}

struct rt_slot *rt_slot_bind(void) {
  pthread_mutex_lock(&rt_clusters.lock);
  struct rt_slot *slot = bind_locked();
  pthread_mutex_unlock(&rt_clusters.lock);
  if (slot == NULL) {
    slot = create_slot();
    if (slot == NULL) {
      return NULL;
    }
    pthread_mutex_lock(&rt_clusters.lock);
    ++slot->bound_threads;
    pthread_mutex_unlock(&rt_clusters.lock);
    rt_slot_return(slot);
  }
  if (!rt_arena_adopt_sram(slot->sram)) {
    rt_slot_unbind(slot);
    return NULL;
  }
  own_slot = slot;
  return slot;
}

void rt_slot_unbind(struct rt_slot *slot) {
  own_slot = NULL;
  pthread_mutex_lock(&rt_clusters.lock);
  --slot->bound_threads;
  pthread_mutex_unlock(&rt_clusters.lock);
}
