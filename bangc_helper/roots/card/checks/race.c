/* SPDX-License-Identifier: MIT */
#include "race.h"

#include <stdatomic.h>
#include <string.h>

#include "hooks/core.h"
#include "runtime/group.h"
#include "runtime/launch.h"

/* Size of the ring of segments. Older accesses are forgotten. */
enum { RING = 1 << 17, ATOMIC_SITE = 0x80000000u, MEMORY_CORE = 0x80000000u };

static struct card_segment ring[RING];
static _Atomic uint32_t last_segment;
static _Atomic uint64_t last_order; /* counts atomic operations, launches and host writes */

/* Launches by number, with the count of running tasks. */
enum { LAUNCHES = 1024 };
static struct {
  _Atomic uint32_t number;
  _Atomic unsigned tasks;
  _Atomic uint64_t begin, end; /* end is 0 until the launch has ended */
  struct card_run *_Atomic run;
} launches[LAUNCHES];
static _Atomic uint32_t last_launch;
static _Atomic unsigned tasks_running;

/* ---- Segments ---- */

static uint32_t group_number(const struct rt_core *core) {
  const struct rt_group *group = core->member->group;
  return (uint32_t)group->first.x +
         (uint32_t)core->launch->dim.x *
             ((uint32_t)group->first.y + (uint32_t)core->launch->dim.y * (uint32_t)group->first.z);
}

static uint32_t next_number(_Atomic uint32_t *last) {
  const uint32_t number = atomic_fetch_add(last, 1) + 1;
  return number != 0 ? number : atomic_fetch_add(last, 1) + 1;
}

static uint32_t create(const struct card_clock_of_races *clock, bool is_shared) {
  const struct rt_core *core = rt_core_self();
  const uint32_t number = next_number(&last_segment);
  struct card_segment *segment = &ring[number % RING];
  segment->run = card_recording()->run->number;
  segment->begin = atomic_load(&launches[segment->run % LAUNCHES].begin);
  segment->queue = core->launch->op.queue;
  segment->actor = (uint32_t)__bang_taskId;
  segment->task = segment->group = segment->actor;
  segment->cluster = 0;
  segment->is_memory_core = is_shared || __bang_coreId == BANG_MPU_CORE_ID;
  if (core->member != NULL) {
    segment->group = group_number(core);
    segment->cluster = core->member->cluster;
    if (segment->is_memory_core) {
      segment->actor = MEMORY_CORE | (segment->group * RT_MAX_UNION + segment->cluster);
    }
  }
  memcpy(segment->passed, clock->passed, sizeof(segment->passed));
  segment->acquired = clock->acquired;
  atomic_store(&segment->released, 0);
  segment->number = number;
  return number;
}

uint32_t card_race_segment(struct card_clock_of_races *clock, bool is_shared) {
  uint32_t *segment = is_shared ? &clock->shared_segment : &clock->segment;
  if (*segment == 0) {
    *segment = create(clock, is_shared);
  }
  return *segment;
}

static const struct card_segment *find(uint32_t number) {
  const struct card_segment *segment = &ring[number % RING];
  return number != 0 && segment->number == number ? segment : NULL;
}

/* Logical time that two cores share: the number of barriers passed that both take part in. */
static uint32_t time_of(const struct card_segment *s, bool same_cluster, bool cores, bool memory) {
  uint32_t time = s->passed[BANG_BARRIER_ALL];
  time += cores ? s->passed[BANG_BARRIER_ALL_IPU] : 0;
  time += memory ? s->passed[BANG_BARRIER_ALL_MPU] : 0;
  time += same_cluster ? s->passed[BANG_BARRIER_CLUSTER] : 0;
  time += same_cluster && cores ? s->passed[BANG_BARRIER_CLUSTER_IPU] : 0;
  return time;
}

/* Launches of different queues are unordered if they overlap in time, and so are host writes during
 * a launch. */
static bool is_other_launch_ordered(const struct card_segment *before,
                                    const struct card_segment *now) {
  if (before->run == 0) {
    return before->begin < now->begin;
  }
  const uint32_t place = before->run % LAUNCHES;
  const uint64_t end = atomic_load(&launches[place].end);
  return (now->run != 0 && before->queue == now->queue) ||
         atomic_load(&launches[place].number) != before->run || (end != 0 && end < now->begin);
}

/* True if `before` is ordered before `now`. */
static bool is_ordered(const struct card_segment *before, const struct card_segment *now) {
  const uint64_t released = atomic_load(&before->released);
  if (released != 0 && released < now->acquired) {
    return true;
  }
  if (before->run != now->run) {
    return is_other_launch_ordered(before, now);
  }
  if (before->actor == now->actor || before->task == now->task) {
    return true;
  }
  if (before->group != now->group) {
    return false;
  }
  const bool cores = !before->is_memory_core && !now->is_memory_core;
  const bool memory = before->is_memory_core && now->is_memory_core;
  const bool same_cluster = before->cluster == now->cluster;
  return time_of(before, same_cluster, cores, memory) < time_of(now, same_cluster, cores, memory);
}

/* ---- Accesses ---- */

static bool meets(const struct card_toucher *list, const struct card_segment *now, uint32_t bytes,
                  bool is_atomic, struct card_race *race) {
  for (int i = 0; i < CARD_CELL_KEPT; ++i) {
    const struct card_toucher *toucher = &list[i];
    if ((toucher->bytes & bytes) == 0 || toucher->segment == now->number ||
        (is_atomic && (toucher->site & ATOMIC_SITE) != 0)) {
      continue;
    }
    const struct card_segment *before = find(toucher->segment);
    if (before != NULL && !is_ordered(before, now)) {
      race->other = before;
      race->other_site = toucher->site & ~ATOMIC_SITE;
      race->byte = (uint32_t)__builtin_ctz(toucher->bytes & bytes);
      return true;
    }
  }
  return false;
}

/* Chooses the entry that a new access replaces: a free one, else one that is ordered before it and
 * covers no other bytes, else any that is ordered before it. */
static struct card_toucher *find_place(struct card_toucher *list, const struct card_segment *now,
                                       uint32_t bytes) {
  struct card_toucher *place = NULL;
  for (int i = 0; i < CARD_CELL_KEPT; ++i) {
    const struct card_segment *before = find(list[i].segment);
    if (before == NULL) {
      return &list[i];
    }
    if (is_ordered(before, now) && (place == NULL || (list[i].bytes & ~bytes) == 0)) {
      place = &list[i];
    }
  }
  return place;
}

/* Keeps the latest accesses. */
static void remember(struct card_toucher *list, const struct card_segment *now, uint32_t bytes,
                     uint32_t site) {
  for (int i = 0; i < CARD_CELL_KEPT; ++i) {
    if (list[i].segment == now->number && ((list[i].site ^ site) & ATOMIC_SITE) == 0) {
      list[i].bytes |= bytes;
      list[i].site = site;
      return;
    }
  }
  struct card_toucher *place = find_place(list, now, bytes);
  if (place == NULL) {
    list[1] = list[0];
    place = &list[0];
  }
  *place = (struct card_toucher){now->number, bytes, site};
}

bool card_race_touch(struct card_cell *cell, uint32_t segment, uint32_t bytes, uint32_t site,
                     bool writes, bool is_atomic, struct card_race *race) {
  const struct card_segment *now = find(segment);
  if (now == NULL) {
    return false;
  }
  bool found = meets(cell->writers, now, bytes, is_atomic, race);
  race->other_writes = found;
  if (!found && writes) {
    found = meets(cell->readers, now, bytes, is_atomic, race);
  }
  remember(writes ? cell->writers : cell->readers, now, bytes,
           site | (is_atomic ? ATOMIC_SITE : 0));
  return found;
}

/* ---- Order ---- */

void card_race_launch(struct card_run *run) {
  run->number = next_number(&last_launch);
  const uint32_t place = run->number % LAUNCHES;
  atomic_store(&launches[place].tasks, 0);
  atomic_store(&launches[place].end, 0);
  atomic_store(&launches[place].begin, atomic_fetch_add(&last_order, 1) + 1);
  atomic_store(&launches[place].run, run);
  atomic_store(&launches[place].number, run->number);
}

void card_race_task_begin(struct card_clock_of_races *clock, const struct card_run *run) {
  *clock = (struct card_clock_of_races){0};
  atomic_fetch_add(&launches[run->number % LAUNCHES].tasks, 1);
  atomic_store(&launches[run->number % LAUNCHES].end, 0);
  atomic_fetch_add(&tasks_running, 1);
}

void card_race_task_end(const struct card_run *run) {
  const uint32_t place = run->number % LAUNCHES;
  if (atomic_fetch_sub(&launches[place].tasks, 1) == 1) { /* the last one that runs */
    atomic_store(&launches[place].end, atomic_fetch_add(&last_order, 1) + 1);
  }
  atomic_fetch_sub(&tasks_running, 1);
}

struct card_run *card_race_running(uint32_t number) {
  const uint32_t place = number % LAUNCHES;
  return atomic_load(&launches[place].number) == number && atomic_load(&launches[place].tasks) != 0
             ? atomic_load(&launches[place].run)
             : NULL;
}

uint32_t card_race_host_segment(void) {
  if (atomic_load(&tasks_running) == 0) {
    return 0;
  }
  const uint32_t number = next_number(&last_segment);
  struct card_segment *segment = &ring[number % RING];
  *segment = (struct card_segment){.begin = atomic_fetch_add(&last_order, 1) + 1};
  segment->number = number;
  return number;
}

void card_race_barrier(struct card_clock_of_races *clock, bangBarrier which) {
  ++clock->passed[which];
  clock->segment = clock->shared_segment = 0;
}

static void release(uint32_t number, uint64_t order) {
  struct card_segment *segment = &ring[number % RING];
  if (number != 0 && segment->number == number) {
    atomic_store(&segment->released, order);
  }
}

void card_race_release(struct card_clock_of_races *clock) {
  const uint64_t order = atomic_fetch_add(&last_order, 1) + 1;
  release(clock->segment, order);
  release(clock->shared_segment, order);
  clock->acquired = order;
  clock->segment = clock->shared_segment = 0;
}
