/* SPDX-License-Identifier: MIT
 *
 * Who has touched shared memory, and whether anything orders two accesses. A task's time is cut
 * into segments by the barriers, atomic operations and locks that it passes; every granule of
 * memory remembers the segments that touched it last.
 */
#ifndef CARD_CHECKS_RACE_H_
#define CARD_CHECKS_RACE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bang_runtime.h"

enum { CARD_CELL_BYTES = 32, CARD_CELL_KEPT = 2 };

/* One of those who touched a granule. */
struct card_toucher {
  uint32_t segment; /* 0: nobody */
  uint32_t bytes;   /* a bit each */
  uint32_t site;    /* in the launch; the top bit: atomic */
};

struct card_cell {
  struct card_toucher writers[CARD_CELL_KEPT], readers[CARD_CELL_KEPT];
};

/* Where a core stands: barriers passed by kind, and the latest atomic operation. */
struct card_clock_of_races {
  uint32_t passed[5]; /* by bangBarrier */
  uint64_t acquired;
  uint32_t segment;        /* the current one, 0: to be made */
  uint32_t shared_segment; /* for what the cluster does as one, 0: to be made */
};

/* Who has one segment, for reports. */
struct card_segment {
  uint32_t number;
  uint32_t run; /* number of the launch; 0: the host */
  const void *queue;
  uint64_t begin; /* of the launch, or when the host wrote */
  uint32_t actor; /* a task, or a cluster's memory core */
  uint32_t task;  /* that began it */
  uint32_t group, cluster;
  bool is_memory_core;
  uint32_t passed[5];
  uint64_t acquired;
  _Atomic uint64_t released; /* the atomic operation that ended it, 0: none so far */
};

struct card_race {
  const struct card_segment *other;
  uint32_t other_site;
  uint32_t byte; /* in the granule */
  bool other_writes;
};

/* The calling core's segment. */
uint32_t card_race_segment(struct card_clock_of_races *clock, bool is_shared);
/* An access of some bytes (a mask) of a granule; true when it meets another that nothing orders.
 * Nobody else may look at the cell meanwhile. */
bool card_race_touch(struct card_cell *cell, uint32_t segment, uint32_t bytes, uint32_t site,
                     bool writes, bool is_atomic, struct card_race *race);

struct card_run;

/* A launch begins: gives it its number. */
void card_race_launch(struct card_run *run);
/* A task of a launch begins or ends: only launches that run can meet others. */
void card_race_task_begin(struct card_clock_of_races *clock, const struct card_run *run);
void card_race_task_end(const struct card_run *run);
/* The launch with this number while a task of it runs, else NULL. */
struct card_run *card_race_running(uint32_t number);

/* The segment of a write by the host; 0 when no task runs that it could meet. */
uint32_t card_race_host_segment(void);

/* Passes a barrier; an atomic operation. */
void card_race_barrier(struct card_clock_of_races *clock, bangBarrier which);
void card_race_release(struct card_clock_of_races *clock);

#endif /* CARD_CHECKS_RACE_H_ */
