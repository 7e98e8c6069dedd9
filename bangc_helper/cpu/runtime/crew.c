/* SPDX-License-Identifier: MIT
 *
 * Members start late: a slot begins with as many threads as there are CPUs for it, and a further
 * thread is called when a running member waits at a barrier. Kernels without barriers then run on
 * few threads, one core after another, with warm caches. For kernels whose cores wait for each
 * other by polling memory, a monitor thread calls everybody after a while.
 */
#include "crew.h"

#include <stdlib.h>

#include "arena.h"
#include "helper.h"
#include "launch.h"
#include "settings.h"
#include "threads.h"
#include "union.h"

/* How long members may stay uncalled, and how often the monitor looks. */
static const uint64_t call_all_after_ns = 10000000u;
static const uint64_t call_all_after_in_order_ns = 1000000000u;
static const uint64_t monitor_period_ns = 5000000u;
/* The monitor looks this often in vain before it sleeps for good. */
enum { MONITOR_IDLE_ROUNDS = 20 };

struct rt_slot {
  pthread_mutex_t lock;
  struct rt_slot *next_free;
  struct rt_slot *next; /* in the list of all */
  char *sram;
  /* What its threads work on; guarded by lock. */
  struct rt_group *group;
  unsigned cluster;
  unsigned taken;        /* members that somebody has taken */
  unsigned helped;       /* of these, cores that threads of the program have taken */
  unsigned member_count; /* 0 without a group */
  unsigned threads;
  unsigned idle;
  unsigned spinning; /* of these, threads that see a change of `epoch` by themselves */
  unsigned tickets;  /* idle threads that were called and have not come yet; announced as active */
  _Atomic unsigned uncalled; /* members that nobody has taken, and no thread was called for */
  RT_CACHE_LINE_GAP(before_epoch);
  _Atomic uint32_t epoch;
  RT_CACHE_LINE_GAP(after_epoch);
  unsigned bound; /* threads of the program; guarded by the lock of all crews */
};

/* What the start and the end of a group want lies together: both often are on other CPUs. */
static struct RT_OWN_CACHE_LINE {
  pthread_mutex_t lock;
  struct rt_slot *all;
  struct rt_slot *free_slots;
  struct rt_spare group_memory;
  struct rt_group *running;
} crews = {.lock = RT_BRIEF_MUTEX_INITIALIZER};

static struct RT_OWN_CACHE_LINE {
  bool exists; /* guarded by the lock of all crews, as the next one */
  bool asleep;
  _Atomic uint32_t epoch;
} monitor;

/* ---- Threads of a slot ---- */

/* After each change of what it follows from. */
static void count_uncalled_locked(struct rt_slot *slot) {
  const unsigned called = slot->taken + slot->tickets;
  atomic_store_explicit(&slot->uncalled,
                        called < slot->member_count ? slot->member_count - called : 0,
                        memory_order_relaxed);
}

/* Takes the next member of the slot's group; NULL when all are taken. The memory core, which is the
 * last, starts last. Threads of the program take the other cores from the end: who shares a row in
 * one launch finds the same part in its caches in the next one. */
static struct rt_member *take_member_locked(struct rt_slot *slot, bool is_helper) {
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

/* What a thread is about to read was written on another CPU: all of it comes at once. */
static void fetch_launch(const struct rt_launch *launch) {
  enum { LINES = 8 }; /* with the arguments of most kernels */
  for (int i = 0; i < LINES; ++i) {
    __builtin_prefetch((const char *)launch + 64 * i);
  }
}

struct call {
  struct rt_slot *slot;
  uint32_t seen;
};

static bool is_called(const void *argument) {
  const struct call *call = argument;
  return atomic_load_explicit(&call->slot->epoch, memory_order_acquire) != call->seen;
}

/* The next launch often follows within microseconds. No more threads than CPUs stay awake for it.
 */
static struct RT_OWN_CACHE_LINE { _Atomic unsigned count; } spinners;

/* Waits until the epoch is no longer the one seen; `slot->lock` is held before and after. */
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
  /* Who was counted as spinning may have been called without a change of the epoch so far. */
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
    const uint32_t seen = atomic_load(&slot->epoch); /* before the look at what would change it */
    if (rt_threads_stopping()) {
      break;
    }
    if (slot->tickets != 0) {
      --slot->tickets;
      member = take_member_locked(slot, false);
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

static bool all_taken(struct rt_slot *slot) {
  pthread_mutex_lock(&slot->lock);
  const bool taken = slot->taken >= slot->member_count;
  pthread_mutex_unlock(&slot->lock);
  return taken;
}

/* The memory core starts last. Where only cores meet, nobody waits for it: the first thread that is
 * done with its core comes to it. A core whose thread was called needs no other. */
static bool only_memory_core_left(struct rt_slot *slot) {
  return atomic_load_explicit(&slot->uncalled, memory_order_relaxed) <= 1 &&
         rt_settings()->order == RT_ORDER_PARALLEL;
}

static void call_next_slot(struct rt_group *group);

static void run_member(struct rt_slot *slot, struct rt_member *member) {
  struct rt_group *group = member->group;
  fetch_launch(group->launch);
  struct rt_task task = group->first;
  const int core = member->core_id == BANG_MPU_CORE_ID ? 0 : member->core_id;
  task.cluster_id = (int)member->cluster;
  task.core_id = member->core_id;
  task.x += task.cluster_id * (int)rt_settings()->cores + core;
  const bool completed = !atomic_load(&group->aborted) && rt_core_run(group->launch, &task, member);
  if (rt_settings()->order != RT_ORDER_PARALLEL && all_taken(slot)) {
    call_next_slot(group); /* while this member still keeps the group alive */
  }
  if (rt_group_leave(member, completed)) {
    rt_union_group_done(group);
  }
}

static void *crew_main(void *argument) {
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
      run_member(slot, member);
      pthread_mutex_lock(&slot->lock);
      member = take_member_locked(slot, false);
      pthread_mutex_unlock(&slot->lock);
    }
    rt_core_retract(1);
  }
  rt_core_fini(&core);
  return NULL;
}

/* Threads that are called to a slot. */
struct calls {
  unsigned wake;
  unsigned create;
};

/* Calls up to `count` more threads to the slot, as members need them, and announces them and
 * `helpers`. Somebody must carry it out without the lock. */
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
  /* Threads that spin come by themselves, but may have been called before. */
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
    if (!rt_thread_create("cnrt-core", crew_main, slot)) {
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

static bool call_threads(struct rt_slot *slot, unsigned count) {
  pthread_mutex_lock(&slot->lock);
  const struct calls calls = call_threads_locked(slot, count, 0);
  pthread_mutex_unlock(&slot->lock);
  return carry_out(slot, calls);
}

/* ---- Slots ---- */

static void wake_crews(void) {
  pthread_mutex_lock(&crews.lock);
  for (struct rt_slot *slot = crews.all; slot != NULL; slot = slot->next) {
    atomic_fetch_add(&slot->epoch, 1);
    rt_futex_wake(&slot->epoch, UINT32_MAX);
  }
  pthread_mutex_unlock(&crews.lock);
}

/* A slot with its first thread: whatever happens later, its members can be worked off. */
static struct rt_slot *create_slot(void) {
  struct rt_slot *slot = calloc(1, sizeof(*slot));
  if (slot == NULL) {
    return NULL;
  }
  rt_brief_mutex_init(&slot->lock);
  slot->threads = 1;
  slot->sram = rt_sram_create();
  if (slot->sram == NULL || !rt_thread_create("cnrt-core", crew_main, slot)) {
    if (slot->sram != NULL) {
      rt_sram_destroy(slot->sram);
    }
    pthread_mutex_destroy(&slot->lock);
    free(slot);
    return NULL;
  }
  pthread_mutex_lock(&crews.lock);
  const bool first = crews.all == NULL;
  slot->next = crews.all;
  crews.all = slot;
  pthread_mutex_unlock(&crews.lock);
  if (first) {
    rt_threads_on_stop(wake_crews);
  }
  return slot;
}

/* Takes a slot from the free ones, any if it is NULL; false when it is not among them. */
static bool take_free_locked(struct rt_slot **slot) {
  struct rt_slot **link = &crews.free_slots;
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

/* The slot of the calling thread, which may soon help, if that is possible. */
static struct rt_slot *acquire_slot(void) {
  struct rt_slot *slot = rt_helper_slot();
  struct rt_slot *any = NULL;
  pthread_mutex_lock(&crews.lock);
  if (slot == NULL || !take_free_locked(&slot)) {
    slot = take_free_locked(&any) ? any : NULL;
  }
  pthread_mutex_unlock(&crews.lock);
  return slot != NULL ? slot : create_slot();
}

void rt_crew_return_slot(struct rt_slot *slot) {
  pthread_mutex_lock(&crews.lock);
  slot->next_free = crews.free_slots;
  crews.free_slots = slot;
  pthread_mutex_unlock(&crews.lock);
}

bool rt_crew_take_slot(struct rt_slot *slot) {
  pthread_mutex_lock(&crews.lock);
  const bool taken = take_free_locked(&slot);
  pthread_mutex_unlock(&crews.lock);
  return taken;
}

static void release_slot(struct rt_slot *slot) {
  pthread_mutex_lock(&slot->lock);
  slot->group = NULL;
  slot->member_count = 0;
  slot->taken = slot->helped = 0;
  count_uncalled_locked(slot);
  pthread_mutex_unlock(&slot->lock);
  rt_crew_return_slot(slot);
}

struct rt_spare *rt_crew_group_memory(void) {
  return &crews.group_memory;
}

bool rt_crew_acquire(struct rt_group *group) {
  for (unsigned c = 0; c < group->clusters; ++c) {
    group->slots[c] = acquire_slot();
    if (group->slots[c] == NULL) {
      while (c-- > 0) {
        release_slot(group->slots[c]);
      }
      return false;
    }
  }
  return true;
}

/* ---- Running groups ---- */

/* A core that cannot be had leaves the others waiting for ever: give up. */
static void fail_group(struct rt_group *group) {
  int expected = 0;
  if (atomic_compare_exchange_strong(&group->launch->fault, &expected,
                                     CN_INVOKE_ERROR_OUT_OF_RESOURCES)) {
    rt_warn("kernel %s: the system refuses threads for the cores of a union group",
            group->launch->kernel->name);
  }
  rt_group_abort(group);
}

/* Lets threads and helpers work on a cluster of the group. */
static void assign(struct rt_group *group, unsigned cluster, unsigned threads, unsigned helpers) {
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
  rt_queue_offer(group->launch->op.queue);
  const struct calls calls = call_threads_locked(slot, threads, helpers);
  pthread_mutex_unlock(&slot->lock);
  /* From the first call on, the group may end at any time. */
  carry_out(slot, calls);
}

/* In order modes, clusters start one after another. */
static void call_next_slot(struct rt_group *group) {
  if (atomic_load(&group->started_slots) >= group->clusters) {
    return;
  }
  const unsigned cluster = atomic_fetch_add(&group->started_slots, 1);
  if (cluster < group->clusters) {
    assign(group, cluster, 1, 0);
  }
}

/* Whether a thread was expected until now. */
static bool settle_owed(struct rt_group *group) {
  return atomic_load_explicit(&group->owed, memory_order_relaxed) &&
         atomic_exchange_explicit(&group->owed, false, memory_order_relaxed);
}

/* The thread that was expected has not come before it was needed. */
static void forget_owed(struct rt_group *group) {
  if (settle_owed(group)) {
    rt_queue_expect_help(group->launch->op.queue, NULL);
    rt_core_retract(1);
  }
}

void rt_crew_call_next(struct rt_member *member, bangBarrier which) {
  struct rt_group *group = member->group;
  struct rt_slot *slot = group->slots[member->cluster];
  const bool cores_only = which == BANG_BARRIER_CLUSTER_IPU || which == BANG_BARRIER_ALL_IPU;
  if (cores_only && only_memory_core_left(slot)) {
    return;
  }
  if (all_taken(slot)) {
    call_next_slot(group);
    return;
  }
  forget_owed(group);
  if (!call_threads(slot, 1)) {
    fail_group(group);
  }
}

static void call_everybody(struct rt_group *group) {
  while (atomic_load(&group->started_slots) < group->clusters) {
    call_next_slot(group);
  }
  for (unsigned c = 0; c < group->clusters; ++c) {
    /* failing that, a thread that is busy now comes to the member */
    call_threads(group->slots[c], rt_members_per_cluster());
  }
}

static bool look_at_groups(void) {
  const uint64_t limit =
      rt_settings()->order == RT_ORDER_PARALLEL ? call_all_after_ns : call_all_after_in_order_ns;
  const uint64_t now = rt_now_ns();
  pthread_mutex_lock(&crews.lock);
  const bool any = crews.running != NULL;
  for (struct rt_group *group = crews.running; group != NULL; group = group->next) {
    if (now - group->start_ns > limit) { /* the list holds it until the monitor is done */
      call_everybody(group);
    }
  }
  pthread_mutex_unlock(&crews.lock);
  return any;
}

static void *monitor_main(void *argument) {
  (void)argument;
  unsigned quiet = 0;
  while (!rt_threads_stopping()) {
    pthread_mutex_lock(&crews.lock);
    const uint32_t seen = atomic_load(&monitor.epoch);
    monitor.asleep = quiet >= MONITOR_IDLE_ROUNDS && crews.running == NULL;
    const uint64_t timeout = monitor.asleep ? 0 : monitor_period_ns;
    pthread_mutex_unlock(&crews.lock);
    rt_futex_wait(&monitor.epoch, seen, timeout);
    quiet = look_at_groups() ? 0 : quiet + 1;
  }
  return NULL;
}

static void wake_all(void) {
  atomic_fetch_add(&monitor.epoch, 1);
  rt_futex_wake(&monitor.epoch, UINT32_MAX);
}

static void add_running(struct rt_group *group) {
  group->start_ns = rt_now_ns();
  pthread_mutex_lock(&crews.lock);
  group->next = crews.running;
  if (crews.running != NULL) {
    crews.running->prev = group;
  }
  crews.running = group;
  const bool create = !monitor.exists;
  monitor.exists = true;
  const bool wake = monitor.asleep;
  monitor.asleep = false;
  pthread_mutex_unlock(&crews.lock);
  if (create) {
    rt_threads_on_stop(wake_all);
    rt_thread_create("cnrt-monitor", monitor_main, NULL);
  } else if (wake) {
    wake_all();
  }
}

void rt_crew_start(struct rt_group *group) {
  const bool in_order = rt_settings()->order != RT_ORDER_PARALLEL;
  const unsigned slots = in_order ? 1 : group->clusters;
  const unsigned threads = in_order ? 1 : (rt_settings()->threads + slots - 1) / slots;
  struct CNqueue_st *queue = group->launch->op.queue;
  const struct rt_slot *helper_slot =
      atomic_load_explicit(&queue->helper_slot, memory_order_relaxed);
  const bool expected = threads > 1 && rt_queue_expects_help(queue, slots * threads);
  /* Said before the monitor can see the group: what is assigned here, nobody else assigns. */
  atomic_store(&group->started_slots, slots);
  add_running(group);
  for (unsigned c = 0; c < slots; ++c) {
    const bool is_helped = expected && group->slots[c] == helper_slot;
    if (is_helped) {
      atomic_store_explicit(&group->owed, true, memory_order_relaxed);
    }
    assign(group, c, threads - is_helped, is_helped);
  }
}

void rt_crew_release(struct rt_group *group) {
  forget_owed(group);
  pthread_mutex_lock(&crews.lock);
  if (group->prev != NULL) {
    group->prev->next = group->next;
  } else {
    crews.running = group->next;
  }
  if (group->next != NULL) {
    group->next->prev = group->prev;
  }
  pthread_mutex_unlock(&crews.lock);
  for (unsigned c = 0; c < group->clusters; ++c) {
    release_slot(group->slots[c]);
    rt_queue_withdraw(group->launch->op.queue);
  }
}

/* ---- Threads of the program ---- */

/* The slot with the fewest such threads; more slots than CPUs are not made for them. */
static struct rt_slot *bind_locked(void) {
  struct rt_slot *best = NULL;
  unsigned slots = 0;
  for (struct rt_slot *slot = crews.all; slot != NULL; slot = slot->next) {
    ++slots;
    if (best == NULL || slot->bound < best->bound) {
      best = slot;
    }
  }
  if (best != NULL && best->bound != 0 && slots < rt_settings()->cpus) {
    return NULL;
  }
  if (best != NULL) {
    ++best->bound;
  }
  return best;
}

struct rt_slot *rt_crew_bind(void) {
  pthread_mutex_lock(&crews.lock);
  struct rt_slot *slot = bind_locked();
  pthread_mutex_unlock(&crews.lock);
  if (slot == NULL) {
    slot = create_slot();
    if (slot == NULL) {
      return NULL;
    }
    pthread_mutex_lock(&crews.lock);
    ++slot->bound;
    pthread_mutex_unlock(&crews.lock);
    rt_crew_return_slot(slot);
  }
  if (!rt_arena_adopt_sram(slot->sram)) {
    rt_crew_unbind(slot);
    return NULL;
  }
  return slot;
}

void rt_crew_unbind(struct rt_slot *slot) {
  pthread_mutex_lock(&crews.lock);
  --slot->bound;
  pthread_mutex_unlock(&crews.lock);
}

/* While a slot has a group, and its lock is held, group and launch exist. */
static struct rt_member *take_member_of(struct rt_slot *slot, const struct CNqueue_st *queue) {
  struct rt_member *member = NULL;
  pthread_mutex_lock(&slot->lock);
  if (slot->group != NULL && slot->group->launch->op.queue == queue) {
    member = take_member_locked(slot, true);
  }
  pthread_mutex_unlock(&slot->lock);
  return member;
}

bool rt_crew_help(struct CNqueue_st *queue, struct rt_slot *slot) {
  struct rt_member *member = take_member_of(slot, queue);
  if (member == NULL) {
    return false;
  }
  if (!settle_owed(member->group)) {
    rt_core_announce(1);
  }
  while (member != NULL) {
    run_member(slot, member);
    member = take_member_of(slot, queue);
  }
  rt_core_retract(1);
  return true;
}

/* ---- Shared RAM of other clusters ---- */

RT_EXPORT void *__bang_sram_of_cluster(void *address, int cluster) {
  struct rt_core *core = rt_core_self();
  const struct rt_member *member = core != NULL ? core->member : NULL;
  if (member == NULL && cluster == __bang_clusterId) {
    return address; /* a block task has a shared RAM of its own */
  }
  if (member == NULL || cluster < 0 || (unsigned)cluster >= member->group->clusters) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                 "copy to the shared RAM of cluster %d: the task has %d clusters", cluster,
                 member != NULL ? (int)member->group->clusters : 1);
    return address;
  }
  char *own = member->group->slots[member->cluster]->sram;
  if (!rt_sram_has(own, address)) {
    __bang_fault(CN_INVOKE_ERROR_ADDRESS_SPACE,
                 "copy to the shared RAM of cluster %d: the target is no __mlu_shared__ variable",
                 cluster);
    return address;
  }
  return member->group->slots[cluster]->sram + ((char *)address - own);
}
