/* SPDX-License-Identifier: MIT
 *
 * Barriers count live members, so a core that returned never holds up the others. When every live
 * member waits and no barrier can open, nothing can ever change that: the group is dead-locked.
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

unsigned rt_members_per_cluster(void) {
  return rt_settings()->cores + 1;
}

struct rt_group *rt_group_create(struct rt_launch *launch, unsigned clusters) {
  const unsigned per_cluster = rt_members_per_cluster();
  const unsigned count = clusters * per_cluster;
  struct rt_group *group = calloc(1, sizeof(*group) + count * sizeof(group->members[0]));
  if (group == NULL) {
    return NULL;
  }
  group->launch = launch;
  group->clusters = clusters;
  group->member_count = count;
  rt_brief_mutex_init(&group->lock);
  for (unsigned i = 0; i < count; ++i) {
    struct rt_member *member = &group->members[i];
    member->group = group;
    member->cluster = i / per_cluster;
    const unsigned place = i % per_cluster;
    member->core_id = place == per_cluster - 1 ? BANG_MPU_CORE_ID : (int)place;
  }
  group->live = count;
  group->all_live_memory_cores = clusters;
  group->all_live_cores = count - clusters;
  for (unsigned c = 0; c < clusters; ++c) {
    group->live_cores[c] = per_cluster - 1;
    group->live_memory_cores[c] = 1;
    rt_cluster_copies_init(group, c);
  }
  return group;
}

void rt_group_destroy(struct rt_group *group) {
  pthread_mutex_destroy(&group->lock);
  for (unsigned c = 0; c < group->clusters; ++c) {
    rt_cluster_copies_fini(group, c);
  }
  free(group);
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
  return which <= BANG_BARRIER_CLUSTER_IPU ? &group->cluster_barriers[which][member->cluster]
                                           : &group->group_barriers[which - BANG_BARRIER_ALL_IPU];
}

/* How many must arrive to open the barrier that `member` would use. */
static unsigned needed(const struct rt_member *member, bangBarrier which) {
  const struct rt_group *group = member->group;
  switch (which) {
    case BANG_BARRIER_CLUSTER:
      return group->live_cores[member->cluster] + group->live_memory_cores[member->cluster];
    case BANG_BARRIER_CLUSTER_IPU:
      return group->live_cores[member->cluster];
    case BANG_BARRIER_ALL_IPU:
      return group->all_live_cores;
    case BANG_BARRIER_ALL_MPU:
      return group->all_live_memory_cores;
    default:
      return group->live;
  }
}

/* Opens a barrier at which `waiting` members wait; somebody must wake those that sleep. */
static void open_locked(struct rt_group *group, struct rt_barrier *barrier, unsigned waiting) {
  barrier->arrived = 0;
  group->waiting -= waiting;
  atomic_fetch_add(&barrier->generation, 1);
}

static void wake_sleepers(struct rt_barrier *barrier) {
  if (atomic_load(&barrier->sleepers) != 0) {
    rt_futex_wake(&barrier->generation, UINT32_MAX);
  }
}

/* Opens a barrier at which all that have arrived wait. */
static void open_and_wake_locked(struct rt_group *group, struct rt_barrier *barrier) {
  if (barrier->arrived != 0) {
    open_locked(group, barrier, barrier->arrived);
    wake_sleepers(barrier);
  }
}

static void abort_locked(struct rt_group *group) {
  atomic_store(&group->aborted, true);
  for (int which = 0; which < RT_CLUSTER_BARRIERS; ++which) {
    for (unsigned c = 0; c < group->clusters; ++c) {
      open_and_wake_locked(group, &group->cluster_barriers[which][c]);
    }
  }
  for (int which = 0; which < RT_GROUP_BARRIERS; ++which) {
    open_and_wake_locked(group, &group->group_barriers[which]);
  }
}

void rt_group_abort(struct rt_group *group) {
  pthread_mutex_lock(&group->lock);
  abort_locked(group);
  pthread_mutex_unlock(&group->lock);
}

static const char *barrier_name(bangBarrier which) {
  static const char *const names[] = {"__sync_cluster", "__sync_cluster_ipu", "__sync_all_ipu",
                                      "__sync_all_mpu", "__sync_all"};
  return names[which];
}

static void report_dead_lock_locked(const struct rt_group *group) {
  rt_warn(
      "kernel %s: dead-lock, all %u live cores of the union group wait at barriers that cannot "
      "open:",
      group->launch->kernel->name, group->live);
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

static bool dead_locked(const struct rt_group *group) {
  return group->live != 0 && group->waiting == group->live;
}

static void end_dead_lock_locked(struct rt_group *group) {
  report_dead_lock_locked(group);
  int expected = 0;
  atomic_compare_exchange_strong(&group->launch->fault, &expected,
                                 CN_INVOKE_ERROR_EXECUTED_TIMEOUT);
  abort_locked(group);
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
  pthread_mutex_lock(&group->lock);
  if (atomic_load(&group->aborted)) {
    pthread_mutex_unlock(&group->lock);
    leave_task();
  }
  const uint32_t generation = atomic_load_explicit(&barrier->generation, memory_order_relaxed);
  if (++barrier->arrived == needed(member, which)) {
    rt_cluster_copies_forget(group, which, member->cluster);
    open_locked(group, barrier, barrier->arrived - 1);
    pthread_mutex_unlock(&group->lock);
    wake_sleepers(barrier); /* outside of the lock, which the woken ones soon want */
    return;
  }
  member->barrier = barrier;
  member->generation = generation;
  member->which = which;
  member->file = file;
  member->line = line;
  ++group->waiting;
  if (dead_locked(group)) {
    end_dead_lock_locked(group);
  }
  pthread_mutex_unlock(&group->lock);

  rt_crew_call_next(member, which);
  sleep_until_open(barrier, generation);
  if (atomic_load(&group->aborted)) {
    leave_task();
  }
}

bool rt_group_leave(struct rt_member *member, bool completed) {
  struct rt_group *group = member->group;
  pthread_mutex_lock(&group->lock);
  --group->live;
  if (is_memory_core(member)) {
    --group->live_memory_cores[member->cluster];
    --group->all_live_memory_cores;
  } else {
    --group->live_cores[member->cluster];
    --group->all_live_cores;
  }
  if (!completed && !atomic_load(&group->aborted)) {
    abort_locked(group);
  }
  for (int which = BANG_BARRIER_CLUSTER; which <= BANG_BARRIER_ALL; ++which) {
    struct rt_barrier *barrier = barrier_of(member, (bangBarrier)which);
    if (barrier->arrived == needed(member, (bangBarrier)which)) {
      if (barrier->arrived != 0) {
        rt_cluster_copies_forget(group, (bangBarrier)which, member->cluster);
      }
      open_and_wake_locked(group, barrier);
    }
  }
  if (dead_locked(group)) {
    end_dead_lock_locked(group);
  }
  const bool last = group->live == 0;
  pthread_mutex_unlock(&group->lock);
  return last;
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
