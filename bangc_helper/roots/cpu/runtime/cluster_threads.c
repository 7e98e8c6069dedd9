/* SPDX-License-Identifier: MIT
 *
 * Members start late: a slot begins with as many threads as there are CPUs for it, and calls
 * another thread when a running member waits at a barrier. Kernels without barriers then run on few
 * threads, core after core, with warm caches. For kernels whose cores wait for each other by
 * polling memory, a monitor thread calls all threads after a while.
 */
#include "cluster_threads.h"

#include "arena.h"
#include "cpu_placement.h"
#include "launch.h"
#include "pool.h"
#include "settings.h"
#include "task.h"
#include "threads.h"

/* How long members may stay without a thread, and how often the monitor checks. */
static const uint64_t call_all_after_ns = 10000000u;
static const uint64_t call_all_after_in_order_ns = 1000000000u;
static const uint64_t monitor_period_ns = 5000000u;
/* After this many checks without a group the monitor sleeps until it is woken. */
enum { MONITOR_IDLE_ROUNDS = 20 };

static struct RT_OWN_CACHE_LINE {
  bool exists; /* guarded by the lock of all clusters, as is the next member */
  bool asleep;
  _Atomic uint32_t epoch;
} monitor;

bool rt_cluster_threads_acquire(struct rt_group *group) {
  for (unsigned c = 0; c < group->clusters; ++c) {
    group->slots[c] = rt_slot_acquire();
    if (group->slots[c] == NULL) {
      while (c-- > 0) {
        rt_slot_release(group->slots[c]);
      }
      return false;
    }
  }
  return true;
}

/* ---- Calling threads ---- */

/* Without a thread for every core the others would wait forever, so the group fails. */
static void fail_group(struct rt_group *group) {
  int expected = 0;
  if (!rt_threads_stopping() && atomic_compare_exchange_strong(&group->launch->fault, &expected,
                                                               CN_INVOKE_ERROR_OUT_OF_RESOURCES)) {
    rt_warn("kernel %s: the system refuses threads for the cores of a union group",
            group->launch->kernel->name);
  }
  rt_group_abort(group);
}

/* In order modes, clusters start one after another. */
static void call_next_slot(struct rt_group *group) {
  if (atomic_load(&group->started_slots) >= group->clusters) {
    return;
  }
  const unsigned cluster = atomic_fetch_add(&group->started_slots, 1);
  if (cluster < group->clusters) {
    rt_slot_assign(group, cluster, 1, 0);
  }
}

/* True if a thread of the program was expected until now. */
static bool settle_owed(struct rt_group *group) {
  return atomic_load_explicit(&group->owed, memory_order_relaxed) &&
         atomic_exchange_explicit(&group->owed, false, memory_order_relaxed);
}

/* The expected thread of the program has not come in time. */
static void forget_owed(struct rt_group *group) {
  if (settle_owed(group)) {
    rt_offers_expect_help(&group->launch->op.queue->offers, NULL);
    rt_core_retract(1);
  }
}

/* The memory core starts last. At a barrier of the compute cores nobody waits for it: the first
 * thread that finishes its core runs it. A core whose thread was called needs no other. */
static bool only_memory_core_left(struct rt_slot *slot) {
  return atomic_load_explicit(&slot->uncalled, memory_order_relaxed) <= 1 &&
         rt_settings()->order == RT_ORDER_PARALLEL;
}

void rt_cluster_threads_call_next(struct rt_member *member, bangBarrier which) {
  struct rt_group *group = member->group;
  struct rt_slot *slot = group->slots[member->cluster];
  const bool cores_only = which == BANG_BARRIER_CLUSTER_IPU || which == BANG_BARRIER_ALL_IPU;
  if (cores_only && only_memory_core_left(slot)) {
    return;
  }
  if (rt_slot_all_taken(slot)) {
    call_next_slot(group);
    return;
  }
  forget_owed(group);
  if (!rt_slot_call_threads(slot, 1)) {
    fail_group(group);
  }
}

static void call_everybody(struct rt_group *group) {
  while (atomic_load(&group->started_slots) < group->clusters) {
    call_next_slot(group);
  }
  for (unsigned c = 0; c < group->clusters; ++c) {
    /* otherwise a thread that is busy now runs the member later */
    rt_slot_call_threads(group->slots[c], rt_members_per_cluster());
  }
}

/* ---- The monitor ---- */

static bool look_at_groups(void) {
  const uint64_t limit =
      rt_settings()->order == RT_ORDER_PARALLEL ? call_all_after_ns : call_all_after_in_order_ns;
  const uint64_t now = rt_now_ns();
  pthread_mutex_lock(&rt_clusters.lock);
  const bool any = rt_clusters.running != NULL;
  for (struct rt_group *group = rt_clusters.running; group != NULL; group = group->next) {
    if (now - group->start_ns > limit) { /* the list holds it until the monitor is done */
      call_everybody(group);
    }
  }
  pthread_mutex_unlock(&rt_clusters.lock);
  return any;
}

static void *monitor_main(void *argument) {
  (void)argument;
  unsigned quiet = 0;
  while (!rt_threads_stopping()) {
    pthread_mutex_lock(&rt_clusters.lock);
    const uint32_t seen = atomic_load(&monitor.epoch);
    monitor.asleep = quiet >= MONITOR_IDLE_ROUNDS && rt_clusters.running == NULL;
    const uint64_t timeout = monitor.asleep ? 0 : monitor_period_ns;
    pthread_mutex_unlock(&rt_clusters.lock);
    rt_futex_wait(&monitor.epoch, seen, timeout);
    quiet = look_at_groups() ? 0 : quiet + 1;
  }
  return NULL;
}

static void wake_all(void) {
  atomic_fetch_add(&monitor.epoch, 1);
  rt_futex_wake(&monitor.epoch, UINT32_MAX);
}

/* At the end of the process, cores that wait for others leave their tasks. */
static void stop_groups(void) {
  wake_all();
  pthread_mutex_lock(&rt_clusters.lock);
  for (struct rt_group *group = rt_clusters.running; group != NULL; group = group->next) {
    rt_group_abort(group); /* the list holds it */
  }
  pthread_mutex_unlock(&rt_clusters.lock);
}

static void add_running(struct rt_group *group) {
  group->start_ns = rt_now_ns();
  pthread_mutex_lock(&rt_clusters.lock);
  group->next = rt_clusters.running;
  if (rt_clusters.running != NULL) {
    rt_clusters.running->prev = group;
  }
  rt_clusters.running = group;
  const bool create = !monitor.exists;
  monitor.exists = true;
  const bool wake = monitor.asleep;
  monitor.asleep = false;
  pthread_mutex_unlock(&rt_clusters.lock);
  if (create) {
    rt_threads_on_stop(stop_groups);
    rt_thread_create("cnrt-monitor", monitor_main, NULL);
  } else if (wake) {
    wake_all();
  }
}

/* ---- Running groups ---- */

void rt_cluster_threads_start(struct rt_group *group) {
  const bool in_order = rt_settings()->order != RT_ORDER_PARALLEL;
  const unsigned slots = in_order ? 1 : group->clusters;
  const unsigned threads = in_order ? 1 : (rt_pool_job_threads() + slots - 1) / slots;
  struct rt_offers *offers = &group->launch->op.queue->offers;
  const struct rt_slot *helper_slot =
      atomic_load_explicit(&offers->helper_slot, memory_order_relaxed);
  const bool expected = threads > 1 && rt_offers_expect(offers, slots * threads);
  /* Set before the monitor can see the group: what is assigned here, nobody else assigns. */
  atomic_store(&group->started_slots, slots);
  add_running(group);
  for (unsigned c = 0; c < slots; ++c) {
    const bool is_helped = expected && group->slots[c] == helper_slot;
    if (is_helped) {
      atomic_store_explicit(&group->owed, true, memory_order_relaxed);
    }
    rt_slot_assign(group, c, threads - is_helped, is_helped);
  }
}

void rt_cluster_threads_release(struct rt_group *group) {
  forget_owed(group);
  pthread_mutex_lock(&rt_clusters.lock);
  if (group->prev != NULL) {
    group->prev->next = group->next;
  } else {
    rt_clusters.running = group->next;
  }
  if (group->next != NULL) {
    group->next->prev = group->prev;
  }
  pthread_mutex_unlock(&rt_clusters.lock);
  for (unsigned c = 0; c < group->clusters; ++c) {
    rt_slot_release(group->slots[c]);
    rt_offer_withdraw(&group->launch->op.queue->offers);
  }
}

/* Prefetches what the thread will read and another CPU wrote, all cache lines at once. */
static void fetch_launch(const struct rt_launch *launch) {
  enum { LINES = 8 }; /* includes the arguments of most kernels */
  for (int i = 0; i < LINES; ++i) {
    __builtin_prefetch((const char *)launch + 64 * i);
  }
}

void rt_cluster_threads_run_member(struct rt_slot *slot, struct rt_member *member) {
  struct rt_group *group = member->group;
  fetch_launch(group->launch);
  struct rt_task task = group->first;
  const int core = member->core_id == BANG_MPU_CORE_ID ? 0 : member->core_id;
  task.cluster_id = (int)member->cluster;
  task.core_id = member->core_id;
  task.x += task.cluster_id * (int)rt_settings()->cores + core;
  const int cpu = rt_cpu_enter();
  const bool completed = !atomic_load(&group->aborted) && rt_task_run(group->launch, &task, member);
  rt_cpu_leave(cpu);
  if (rt_settings()->order != RT_ORDER_PARALLEL && rt_slot_all_taken(slot)) {
    call_next_slot(group); /* while this member still keeps the group alive */
  }
  if (rt_group_leave(member, completed)) {
    group->owner->done(group);
  }
}

/* ---- Threads of the program ---- */

/* While a slot has a group and its lock is held, the group and its launch exist. */
static struct rt_member *take_member_of(struct rt_slot *slot, const struct CNqueue_st *queue) {
  struct rt_member *member = NULL;
  pthread_mutex_lock(&slot->lock);
  if (slot->group != NULL && slot->group->launch->op.queue == queue) {
    member = rt_slot_take_member_locked(slot, true);
  }
  pthread_mutex_unlock(&slot->lock);
  return member;
}

bool rt_cluster_threads_help(struct CNqueue_st *queue, struct rt_slot *slot) {
  struct rt_member *member = take_member_of(slot, queue);
  if (member == NULL) {
    return false;
  }
  if (!settle_owed(member->group)) {
    rt_core_announce(1);
  }
  while (member != NULL) {
    rt_cluster_threads_run_member(slot, member);
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
