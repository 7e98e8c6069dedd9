/* SPDX-License-Identifier: MIT
 *
 * Barriers count live members, so a core that returned never holds up the others. When every live
 * member waits and no barrier can open, the group is deadlocked.
 *
 * There is no lock: cores that share a short piece of work meet often, and a lock's cache line
 * would bounce between their CPUs. The member that arrives last, or whose return makes the barrier
 * complete, opens it; all others wait. Only sleeping members are counted. When all live members
 * sleep, each is checked, since some may sleep at a barrier that was just opened.
 */
#include "group.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster_copies.h"
#include "launch.h"
#include "settings.h"
#include "trace.h"

/* The fields of a barrier's state word ... */
static const uint64_t arrival = 1u;
static const uint64_t live_one = 1u << 16;
static const uint64_t opening = (uint64_t)1 << 32;
/* ... and of the word that counts the members left. */
static const uint64_t left_one = 1u;
static const uint64_t sleeper = 1u << 16;
static const uint64_t awakening = (uint64_t)1 << 32;

static unsigned low(uint64_t word) {
  return word & 0xffffu;
}

static unsigned high(uint64_t word) {
  return word >> 16 & 0xffffu;
}

static uint32_t generation_of(uint64_t state) {
  return (uint32_t)(state >> 32);
}

/* The half of a barrier's state that members sleep on. */
static _Atomic uint32_t *generation_word(struct rt_barrier *barrier) {
  return (_Atomic uint32_t *)&barrier->state + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

unsigned rt_members_per_cluster(void) {
  return rt_settings()->cores + 1;
}

static struct rt_group *allocate(unsigned clusters, unsigned members,
                                 struct rt_block_cache *memory) {
  struct rt_group *group = clusters == 1 ? rt_block_cache_take(memory) : NULL;
  if (group != NULL) {
    return group;
  }
  const size_t line = _Alignof(struct rt_cluster);
  const size_t own = (sizeof(*group) + line - 1) / line * line;
  group = aligned_alloc(
      line, own + clusters * sizeof(struct rt_cluster) + members * sizeof(struct rt_member));
  if (group != NULL) {
    group->cluster = (struct rt_cluster *)((char *)group + own);
    group->members = (struct rt_member *)(group->cluster + clusters);
  }
  return group;
}

static void init_barrier(struct rt_barrier *barrier, unsigned members) {
  atomic_init(&barrier->state, members * live_one);
  atomic_init(&barrier->sleepers, 0);
  atomic_init(&barrier->crossed, members);
}

struct rt_group *rt_group_create(struct rt_launch *launch, unsigned clusters,
                                 const struct rt_group_owner *owner) {
  const unsigned per_cluster = rt_members_per_cluster();
  const unsigned count = clusters * per_cluster;
  struct rt_group *group = allocate(clusters, count, owner->memory);
  if (group == NULL) {
    return NULL;
  }
  group->launch = launch;
  group->owner = owner;
  group->clusters = clusters;
  group->member_count = count;
  group->next = group->prev = NULL;
  atomic_init(&group->started_slots, 0);
  atomic_init(&group->owed, false);
  init_barrier(&group->barriers[BANG_BARRIER_ALL_IPU - BANG_BARRIER_ALL_IPU], count - clusters);
  init_barrier(&group->barriers[BANG_BARRIER_ALL_MPU - BANG_BARRIER_ALL_IPU], clusters);
  init_barrier(&group->barriers[BANG_BARRIER_ALL - BANG_BARRIER_ALL_IPU], count);
  atomic_init(&group->members_left, count * left_one);
  atomic_init(&group->aborted, false);
  for (unsigned c = 0; c < clusters; ++c) {
    init_barrier(&group->cluster[c].barriers[BANG_BARRIER_CLUSTER], per_cluster);
    init_barrier(&group->cluster[c].barriers[BANG_BARRIER_CLUSTER_IPU], per_cluster - 1);
    rt_cluster_copies_init(&group->cluster[c].copies);
  }
  for (unsigned i = 0; i < count; ++i) {
    const unsigned place = i % per_cluster;
    group->members[i] = (struct rt_member){
        .group = group,
        .cluster = i / per_cluster,
        .core_id = place == per_cluster - 1 ? BANG_MPU_CORE_ID : (int)place,
    };
  }
  return group;
}

void rt_group_destroy(struct rt_group *group) {
  for (unsigned c = 0; c < group->clusters; ++c) {
    rt_cluster_copies_fini(&group->cluster[c].copies);
  }
  if (group->clusters == 1) {
    rt_block_cache_put(group->owner->memory, group);
  } else {
    free(group);
  }
}

static bool is_memory_core(const struct rt_member *member) {
  return member->core_id == BANG_MPU_CORE_ID;
}

static bool belongs(const struct rt_member *member, bangBarrier which) {
  switch (which) {
    case BANG_BARRIER_CLUSTER_IPU:
    case BANG_BARRIER_ALL_IPU:
      return !is_memory_core(member);
    case BANG_BARRIER_ALL_MPU:
      return is_memory_core(member);
    default:
      return true;
  }
}

static struct rt_barrier *barrier_of(struct rt_member *member, bangBarrier which) {
  struct rt_group *group = member->group;
  return which <= BANG_BARRIER_CLUSTER_IPU ? &group->cluster[member->cluster].barriers[which]
                                           : &group->barriers[which - BANG_BARRIER_ALL_IPU];
}

static unsigned live_members(const struct rt_group *group, unsigned cluster, bangBarrier which) {
  return high(atomic_load(&group->cluster[cluster].barriers[which].state));
}

static void forget_copies(struct rt_group *group, unsigned cluster, bangBarrier which) {
  const unsigned cores = live_members(group, cluster, BANG_BARRIER_CLUSTER_IPU);
  const unsigned all = live_members(group, cluster, BANG_BARRIER_CLUSTER);
  const bool is_for_cores_only = which == BANG_BARRIER_CLUSTER_IPU || which == BANG_BARRIER_ALL_IPU;
  const struct rt_barrier_set set = {.is_for_cores = which != BANG_BARRIER_ALL_MPU,
                                     .is_for_memory_core = !is_for_cores_only,
                                     .has_cores = cores != 0,
                                     .has_memory_core = all > cores};
  rt_cluster_copies_forget(&group->cluster[cluster].copies, &set);
}

static void forget_copies_of(const struct rt_member *member, bangBarrier which) {
  struct rt_group *group = member->group;
  if (which <= BANG_BARRIER_CLUSTER_IPU) {
    forget_copies(group, member->cluster, which);
    return;
  }
  for (unsigned c = 0; c < group->clusters; ++c) {
    forget_copies(group, c, which);
  }
}

static void wake_sleepers(struct rt_barrier *barrier) {
  if (atomic_load(&barrier->sleepers) != 0) {
    rt_futex_wake(generation_word(barrier), UINT32_MAX);
  }
}

/* Opens a barrier at which all needed members have arrived; the last one does not wait. */
static void open_barrier(struct rt_member *member, bangBarrier which, unsigned arrived) {
  struct rt_barrier *barrier = barrier_of(member, which);
  forget_copies_of(member, which);
  atomic_store_explicit(&barrier->crossed, arrived, memory_order_relaxed);
  atomic_fetch_add(&barrier->state, opening - arrived * arrival);
  wake_sleepers(barrier);
}

/* True for the first failure. Afterwards all counts except that of the members left are
 * meaningless. */
static bool mark_aborted(struct rt_group *group) {
  return !atomic_exchange(&group->aborted, true);
}

static void open_for_ever(struct rt_barrier *barriers, int count) {
  for (int i = 0; i < count; ++i) {
    atomic_fetch_add(&barriers[i].state, opening);
    wake_sleepers(&barriers[i]);
  }
}

static void open_all(struct rt_group *group) {
  for (unsigned c = 0; c < group->clusters; ++c) {
    open_for_ever(group->cluster[c].barriers, RT_CLUSTER_BARRIERS);
  }
  open_for_ever(group->barriers, RT_GROUP_BARRIERS);
}

void rt_group_abort(struct rt_group *group) {
  if (mark_aborted(group)) {
    open_all(group);
  }
}

static const char *barrier_name(bangBarrier which) {
  static const char *const names[] = {"__sync_cluster", "__sync_cluster_ipu", "__sync_all_ipu",
                                      "__sync_all_mpu", "__sync_all"};
  return names[which];
}

/* True if a member waits at a barrier that is not open. */
static bool is_held_up(const struct rt_member *member) {
  const struct rt_barrier *barrier = atomic_load(&member->barrier);
  return barrier != NULL &&
         generation_of(atomic_load(&barrier->state)) == atomic_load(&member->generation);
}

static void report_dead_lock(const struct rt_group *group) {
  rt_warn(
      "kernel %s: dead-lock, all %u live cores of the union group wait at barriers that cannot "
      "open:",
      group->launch->kernel->name, low(atomic_load(&group->members_left)));
  for (unsigned i = 0; i < group->member_count; ++i) {
    const struct rt_member *member = &group->members[i];
    if (!is_held_up(member)) {
      continue;
    }
    char core[32];
    if (is_memory_core(member)) {
      snprintf(core, sizeof(core), "memory core");
    } else {
      snprintf(core, sizeof(core), "core %d", member->core_id);
    }
    rt_warn("  cluster %u %s waits in %s at %s:%d", member->cluster, core,
            barrier_name(member->which), member->file != NULL ? member->file : "?", member->line);
  }
}

/* True if all `live` members sleep and none can continue. `seen` is the count of members left when
 * all slept: if it is unchanged, no member has run since. */
static bool dead_locked(const struct rt_group *group, uint64_t seen, unsigned live) {
  if (live == 0 || high(seen) != live) {
    return false;
  }
  unsigned held_up = 0;
  for (unsigned i = 0; i < group->member_count; ++i) {
    held_up += is_held_up(&group->members[i]);
  }
  return held_up == live && atomic_load(&group->members_left) == seen;
}

static void end_dead_lock(struct rt_group *group) {
  if (!mark_aborted(group)) {
    return;
  }
  report_dead_lock(group);
  int expected = 0;
  atomic_compare_exchange_strong(&group->launch->fault, &expected,
                                 CN_INVOKE_ERROR_EXECUTED_TIMEOUT);
  open_all(group);
}

/* Leaves the task because the group failed, which the failed member has reported. */
static void leave_task(void) {
  struct rt_core *core = rt_core_self();
  core->fault.code = 0;
  rt_core_escape(core);
}

struct opening_of {
  const struct rt_barrier *barrier;
  uint32_t generation;
};

static bool is_open(const void *argument) {
  const struct opening_of *awaited = argument;
  return generation_of(atomic_load_explicit(&awaited->barrier->state, memory_order_acquire)) !=
         awaited->generation;
}

static void sleep_until_open(struct rt_group *group, struct rt_barrier *barrier,
                             uint32_t generation) {
  static struct rt_spin spin = RT_SPIN_INITIALIZER(rt_cores_exceed_cpus);
  const struct opening_of awaited = {barrier, generation};
  if (rt_spin_until(&spin, is_open, &awaited)) {
    return;
  }
  atomic_fetch_add(&barrier->sleepers, 1);
  const uint64_t left = atomic_fetch_add(&group->members_left, sleeper) + sleeper;
  if (dead_locked(group, left, low(left))) {
    end_dead_lock(group);
  }
  while (!is_open(&awaited)) {
    rt_futex_wait(generation_word(barrier), generation, 0);
  }
  atomic_fetch_add(&group->members_left, awakening - sleeper);
  atomic_fetch_sub(&barrier->sleepers, 1);
}

static void wait_at(struct rt_member *member, bangBarrier which, const char *file, int line) {
  struct rt_group *group = member->group;
  struct rt_barrier *barrier = barrier_of(member, which);
  const uint32_t generation = generation_of(atomic_load(&barrier->state));
  if (atomic_load(&group->aborted)) { /* if not, this generation ends with it */
    leave_task();
  }
  atomic_store_explicit(&member->generation, generation, memory_order_relaxed);
  atomic_store_explicit(&member->barrier, barrier, memory_order_relaxed);
  member->which = which;
  member->file = file;
  member->line = line;
  const uint64_t state = atomic_fetch_add(&barrier->state, arrival) + arrival;
  if (low(state) == high(state)) {
    open_barrier(member, which, low(state));
    return;
  }
  group->owner->call_next(member, which);
  sleep_until_open(group, barrier, generation);
  if (atomic_load(&group->aborted)) {
    leave_task();
  }
}

/* One member fewer is left. It still counts while it checks whether all others wait, so that the
 * group stays alive. */
static bool count_out(struct rt_group *group) {
  uint64_t left = atomic_load(&group->members_left);
  do {
    if (dead_locked(group, left, low(left) - 1)) {
      end_dead_lock(group);
    }
  } while (!atomic_compare_exchange_weak(&group->members_left, &left, left - left_one));
  return low(left) == 1;
}

bool rt_group_leave(struct rt_member *member, bool completed) {
  if (!completed) {
    rt_group_abort(member->group);
  }
  for (bangBarrier which = BANG_BARRIER_CLUSTER; which <= BANG_BARRIER_ALL; ++which) {
    if (!belongs(member, which)) {
      continue;
    }
    const uint64_t state = atomic_fetch_sub(&barrier_of(member, which)->state, live_one) - live_one;
    if (low(state) != 0 && low(state) == high(state)) {
      open_barrier(member, which, low(state));
    }
  }
  return count_out(member->group);
}

/* Otherwise a kernel written for unions would silently give wrong results. */
static void say_nobody_waits(const struct rt_core *core, bangBarrier which, const char *file,
                             int line) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (__bang_taskDim > 1 && !atomic_flag_test_and_set(&said)) {
    rt_warn(
        "kernel %s: %s (%s:%d) waits for nobody in a Block launch, whose tasks share no memory on "
        "the chip; launch it as a union (said once)",
        core->launch->kernel->name, barrier_name(which), file, line);
  }
}

RT_EXPORT void __bang_barrier(bangBarrier which, const char *file, int line) {
  __bang_sync_pipes(BANG_PIPE_ALL);
  struct rt_core *core = rt_core_self();
  if (core == NULL) {
    return;
  }
  if (core->member == NULL) {
    say_nobody_waits(core, which, file, line);
    return;
  }
  /* A core that the barrier is not for does not take part. */
  if (belongs(core->member, which)) {
    if (core->launch->trace_number == 0) {
      wait_at(core->member, which, file, line);
      return;
    }
    const uint64_t begin = rt_now_ns();
    wait_at(core->member, which, file, line);
    rt_trace_span(RT_TRACE_BARRIER, begin, rt_now_ns(), 0, 0);
  }
}
