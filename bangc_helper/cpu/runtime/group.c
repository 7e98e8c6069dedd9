/* SPDX-License-Identifier: MIT
 *
 * Barriers count live members, so a core that returned never holds up the others. When every live
 * member waits and no barrier can open, nothing can ever change that: the group is dead-locked.
 *
 * No lock: cores that share a short piece of work meet often, and a lock would go back and forth
 * between their CPUs. Who arrives last, or returns and was the last one missing, opens a barrier,
 * and everybody else at it waits for that. Members are counted as waiting after they have arrived
 * and no longer before the barrier opens, so that the count never is too high.
 */
#include "group.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster_copies.h"
#include "crew.h"
#include "launch.h"
#include "settings.h"
#include "trace.h"

enum { LOW = 1u, HIGH = 1u << 16 };

static unsigned low(uint32_t pair) {
  return pair & (HIGH - 1);
}

static unsigned high(uint32_t pair) {
  return pair >> 16;
}

unsigned rt_members_per_cluster(void) {
  return rt_settings()->cores + 1;
}

static struct rt_group *allocate(unsigned clusters, unsigned members) {
  struct rt_group *group = clusters == 1 ? rt_spare_take(rt_crew_group_memory()) : NULL;
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
  atomic_init(&barrier->members, members * HIGH);
  atomic_init(&barrier->generation, 0);
  atomic_init(&barrier->sleepers, 0);
}

struct rt_group *rt_group_create(struct rt_launch *launch, unsigned clusters) {
  const unsigned per_cluster = rt_members_per_cluster();
  const unsigned count = clusters * per_cluster;
  struct rt_group *group = allocate(clusters, count);
  if (group == NULL) {
    return NULL;
  }
  group->launch = launch;
  group->clusters = clusters;
  group->member_count = count;
  group->next = group->prev = NULL;
  atomic_init(&group->started_slots, 0);
  atomic_init(&group->owed, false);
  init_barrier(&group->barriers[BANG_BARRIER_ALL_IPU - BANG_BARRIER_ALL_IPU], count - clusters);
  init_barrier(&group->barriers[BANG_BARRIER_ALL_MPU - BANG_BARRIER_ALL_IPU], clusters);
  init_barrier(&group->barriers[BANG_BARRIER_ALL - BANG_BARRIER_ALL_IPU], count);
  atomic_init(&group->members_left, count);
  atomic_init(&group->aborted, false);
  for (unsigned c = 0; c < clusters; ++c) {
    init_barrier(&group->cluster[c].barriers[BANG_BARRIER_CLUSTER], per_cluster);
    init_barrier(&group->cluster[c].barriers[BANG_BARRIER_CLUSTER_IPU], per_cluster - 1);
    rt_cluster_copies_init(group, c);
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
    rt_cluster_copies_fini(group, c);
  }
  if (group->clusters == 1) {
    rt_spare_put(rt_crew_group_memory(), group);
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
  return high(atomic_load(&group->cluster[cluster].barriers[which].members));
}

bool rt_group_has_cores(const struct rt_group *group, unsigned cluster) {
  return live_members(group, cluster, BANG_BARRIER_CLUSTER_IPU) != 0;
}

bool rt_group_has_memory_core(const struct rt_group *group, unsigned cluster) {
  return live_members(group, cluster, BANG_BARRIER_CLUSTER) >
         live_members(group, cluster, BANG_BARRIER_CLUSTER_IPU);
}

static void wake_sleepers(struct rt_barrier *barrier) {
  if (atomic_load(&barrier->sleepers) != 0) {
    rt_futex_wake(&barrier->generation, UINT32_MAX);
  }
}

/* Opens a barrier at which all that are needed have arrived; the last one of them does not wait. */
static void open_barrier(struct rt_member *member, bangBarrier which, unsigned arrived,
                         unsigned waiting) {
  struct rt_group *group = member->group;
  struct rt_barrier *barrier = barrier_of(member, which);
  rt_cluster_copies_forget(group, which, member->cluster);
  atomic_fetch_sub(&barrier->members, arrived * LOW);
  atomic_fetch_sub(&group->members_left, waiting * HIGH);
  atomic_fetch_add(&barrier->generation, 1);
  wake_sleepers(barrier);
}

/* True for the first one. From now on counts mean nothing, but that of the members left. */
static bool mark_aborted(struct rt_group *group) {
  return !atomic_exchange(&group->aborted, true);
}

static void open_for_ever(struct rt_barrier *barriers, int count) {
  for (int i = 0; i < count; ++i) {
    atomic_fetch_add(&barriers[i].generation, 1);
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

static void report_dead_lock(const struct rt_group *group) {
  rt_warn(
      "kernel %s: dead-lock, all %u live cores of the union group wait at barriers that cannot "
      "open:",
      group->launch->kernel->name, low(atomic_load(&group->members_left)));
  for (unsigned i = 0; i < group->member_count; ++i) {
    const struct rt_member *member = &group->members[i];
    if (member->barrier == NULL ||
        atomic_load(&member->barrier->generation) != member->generation) {
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

static bool dead_locked(uint32_t members_left) {
  return low(members_left) != 0 && high(members_left) == low(members_left);
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

/* Leaves the task because the group failed; whoever failed has reported. */
static void leave_task(void) {
  struct rt_core *core = rt_core_self();
  core->fault.code = 0;
  rt_core_escape(core);
}

struct opening {
  struct rt_barrier *barrier;
  uint32_t generation;
};

static bool is_open(const void *argument) {
  const struct opening *opening = argument;
  return atomic_load_explicit(&opening->barrier->generation, memory_order_acquire) !=
         opening->generation;
}

static void sleep_until_open(struct rt_barrier *barrier, uint32_t generation) {
  static struct rt_spin spin = RT_SPIN_INITIALIZER(rt_cores_exceed_cpus);
  const struct opening opening = {barrier, generation};
  if (rt_spin_until(&spin, is_open, &opening)) {
    return;
  }
  atomic_fetch_add(&barrier->sleepers, 1);
  while (!is_open(&opening)) {
    rt_futex_wait(&barrier->generation, generation, 0);
  }
  atomic_fetch_sub(&barrier->sleepers, 1);
}

static void wait_at(struct rt_member *member, bangBarrier which, const char *file, int line) {
  struct rt_group *group = member->group;
  struct rt_barrier *barrier = barrier_of(member, which);
  const uint32_t generation = atomic_load(&barrier->generation);
  if (atomic_load(&group->aborted)) { /* if not, this generation ends with it */
    leave_task();
  }
  member->barrier = barrier;
  member->generation = generation;
  member->which = which;
  member->file = file;
  member->line = line;
  const uint32_t members = atomic_fetch_add(&barrier->members, LOW) + LOW;
  if (low(members) == high(members)) {
    open_barrier(member, which, low(members), low(members) - 1);
    return;
  }
  if (dead_locked(atomic_fetch_add(&group->members_left, HIGH) + HIGH)) {
    end_dead_lock(group);
  }
  rt_crew_call_next(member, which);
  sleep_until_open(barrier, generation);
  if (atomic_load(&group->aborted)) {
    leave_task();
  }
}

/* One member less is left. It is still counted while it looks whether all others wait, so the group
 * is there. */
static bool count_out(struct rt_group *group) {
  uint32_t left = atomic_load(&group->members_left);
  do {
    if (dead_locked(left - LOW)) {
      end_dead_lock(group);
    }
  } while (!atomic_compare_exchange_weak(&group->members_left, &left, left - LOW));
  return low(left) == LOW;
}

bool rt_group_leave(struct rt_member *member, bool completed) {
  if (!completed) {
    rt_group_abort(member->group);
  }
  for (bangBarrier which = BANG_BARRIER_CLUSTER; which <= BANG_BARRIER_ALL; ++which) {
    if (!belongs(member, which)) {
      continue;
    }
    const uint32_t members = atomic_fetch_sub(&barrier_of(member, which)->members, HIGH) - HIGH;
    if (low(members) != 0 && low(members) == high(members)) {
      open_barrier(member, which, low(members), low(members));
    }
  }
  return count_out(member->group);
}

RT_EXPORT void __bang_barrier(bangBarrier which, const char *file, int line) {
  __bang_sync_pipes(BANG_PIPE_ALL);
  struct rt_core *core = rt_core_self();
  /* A block task is alone, and a core outside of the barrier's set does not take part. */
  if (core != NULL && core->member != NULL && belongs(core->member, which)) {
    if (core->launch->trace_number == 0) {
      wait_at(core->member, which, file, line);
      return;
    }
    const uint64_t begin = rt_now_ns();
    wait_at(core->member, which, file, line);
    rt_trace_span(RT_TRACE_BARRIER, begin, rt_now_ns(), 0, 0);
  }
}
