/* SPDX-License-Identifier: MIT */
#include "clock/group.h"

#include <stdlib.h>

#include "bang_runtime.h"

#include "clock/account.h"

/* ---- Groups in the order of their first tasks ---- */

/* A stable sort by group. */
static void sort_by_group(struct play *play) {
  const size_t count = play->launch->task_count;
  for (size_t i = 0; i < count; ++i) play->order[i] = &play->launch->tasks[i];
  for (size_t i = 1; i < count; ++i) {
    const struct card_task *task = play->order[i];
    size_t at = i;
    while (at > 0 && play->order[at - 1]->group > task->group) {
      play->order[at] = play->order[at - 1];
      --at;
    }
    play->order[at] = task;
  }
}

bool group_prepare(struct play *play) {
  const size_t count = play->launch->task_count;
  play->order = malloc((count + 1) * sizeof *play->order);
  play->groups = calloc(count + 1, sizeof *play->groups);
  play->members = calloc(count + 1, sizeof *play->members);
  if (play->order == NULL || play->groups == NULL || play->members == NULL) return false;
  sort_by_group(play);
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || play->order[i]->group != play->order[i - 1]->group) {
      play->groups[play->group_count++] = (struct group){.first = i, .members = &play->members[i]};
    }
    ++play->groups[play->group_count - 1].count;
  }
  return true;
}

/* ---- Tasks to cores ---- */

static void start_task(struct play *play, struct group *group, size_t member, struct core *core) {
  const struct card_task *task = play->order[group->first + member];
  const int64_t handed_over = play->dispatched > play->time ? play->dispatched : play->time;
  int64_t start = handed_over;
  if (core->tasks_run > 0) {
    const int64_t ready = core->free_at + 1000 * play->board->next_task_ns;
    if (ready > start) start = ready;
    play_spend(play, core, CARD_SPENT_IDLE, play->time, 0);
  }
  play_spend(play, core, CARD_SPENT_START, start, 0);
  play->dispatched = handed_over + 1000 * play->board->task_dispatch_ns;
  core->group = group;
  core->task = task;
  core->pending = NULL;
  card_reader_init(&core->reader, &task->log);
  core->task_start = core->vector_free = core->tensor_free = start;
  ++core->tasks_run;
  group->members[member] = core;
  play_continue(play, core);
}

/* The core that has been free longest; of several, the one with the smallest number. NULL: none. */
static struct core *find_core(struct play *play) {
  struct core *found = NULL;
  for (size_t i = 0; i < play->core_count; ++i) {
    struct core *core = &play->cores[i];
    if (core->state != CORE_IDLE || core->is_memory_core) continue;
    if (found == NULL || core->free_at < found->free_at) found = core;
  }
  return found;
}

static bool is_idle(const struct play *play, size_t cluster) {
  for (size_t i = 0; i < play->cores_in_cluster; ++i) {
    if (play->cores[cluster * play->cores_in_cluster + i].state != CORE_IDLE) return false;
  }
  return true;
}

/* The first of `wanted` adjacent idle clusters; cluster_count if there are none. */
static size_t find_clusters(const struct play *play, size_t wanted) {
  for (size_t first = 0; first + wanted <= play->cluster_count; first += wanted) {
    size_t idle = 0;
    while (idle < wanted && is_idle(play, first + idle)) ++idle;
    if (idle == wanted) return first;
  }
  return play->cluster_count;
}

static struct core *core_of(struct play *play, size_t first_cluster, const struct card_task *task) {
  const size_t cluster = (first_cluster + task->cluster) % play->cluster_count;
  const size_t compute_cores = play->cores_in_cluster - 1;
  const size_t core = task->core == BANG_MPU_CORE_ID ? compute_cores : task->core % compute_cores;
  return &play->cores[cluster * play->cores_in_cluster + core];
}

static bool start_group(struct play *play, struct group *group) {
  if (play->launch->union_clusters == 0) {
    struct core *core = find_core(play);
    if (core != NULL) start_task(play, group, 0, core);
    return core != NULL;
  }
  const size_t wanted = play->launch->union_clusters < play->cluster_count
                            ? play->launch->union_clusters
                            : play->cluster_count;
  const size_t first = find_clusters(play, wanted);
  if (first == play->cluster_count) return false;
  for (size_t i = 0; i < group->count; ++i) {
    start_task(play, group, i, core_of(play, first, play->order[group->first + i]));
  }
  return true;
}

void group_dispatch(struct play *play) {
  while (play->next_group < play->group_count &&
         start_group(play, &play->groups[play->next_group])) {
    ++play->next_group;
  }
}

/* ---- Barriers ---- */

static bool is_member(const struct core *core, uint32_t barrier, uint32_t cluster) {
  switch (barrier) {
    case BANG_BARRIER_CLUSTER:
      return core->task->cluster == cluster;
    case BANG_BARRIER_CLUSTER_IPU:
      return core->task->cluster == cluster && !core->is_memory_core;
    case BANG_BARRIER_ALL_IPU:
      return !core->is_memory_core;
    case BANG_BARRIER_ALL_MPU:
      return core->is_memory_core;
    default:
      return true;
  }
}

static bool is_of_cluster(uint32_t barrier) {
  return barrier == BANG_BARRIER_CLUSTER || barrier == BANG_BARRIER_CLUSTER_IPU;
}

/* Opens the barrier if all members that still run have arrived. It opens at `last` or later. */
static void try_open(struct play *play, struct group *group, uint32_t barrier, uint32_t cluster,
                     int64_t last) {
  for (size_t i = 0; i < group->count; ++i) {
    const struct core *core = group->members[i];
    if (core == NULL || core->group != group || !is_member(core, barrier, cluster)) continue;
    if (core->state != CORE_AT_BARRIER || core->barrier != barrier) return;
    if (core->now > last) last = core->now;
  }
  const struct card_board *board = play->board;
  const int64_t cost = is_of_cluster(barrier) ? board->cluster_barrier_ns : board->union_barrier_ns;
  const int64_t open = last + (group->count > 1 ? 1000 * cost : 0);
  for (size_t i = 0; i < group->count; ++i) {
    struct core *core = group->members[i];
    if (core == NULL || core->group != group || !is_member(core, barrier, cluster)) continue;
    play_spend(play, core, CARD_SPENT_BARRIER, open, core->wait_site);
    play_continue(play, core);
  }
}

void group_arrive(struct play *play, struct core *core, uint32_t barrier) {
  core->state = CORE_AT_BARRIER;
  core->barrier = barrier;
  try_open(play, core->group, barrier, core->task->cluster, core->now);
}

/* Barriers no longer wait for a core that has ended, so one of them may open now. */
static void open_without(struct play *play, struct group *group, int64_t now) {
  for (size_t i = 0; i < group->count; ++i) {
    const struct core *core = group->members[i];
    if (core != NULL && core->group == group && core->state == CORE_AT_BARRIER) {
      try_open(play, group, core->barrier, core->task->cluster, now);
    }
  }
}

void group_task_ended(struct play *play, struct core *core) {
  struct group *group = core->group;
  if (play->sink->task != NULL) {
    play->sink->task(play->sink->context, core->number, core->task, core->task_start, core->now);
  }
  core->free_at = core->now;
  core->group = NULL;
  core->task = NULL;
  core->state = CORE_IDLE;
  card_agenda_set(&play->agenda, actor_core(core), CARD_NEVER);
  open_without(play, group, core->now);
  group_dispatch(play);
}
