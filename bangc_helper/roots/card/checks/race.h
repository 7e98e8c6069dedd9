/* SPDX-License-Identifier: MIT
 *
 * Finds accesses of shared memory that nothing orders. Barriers, atomic operations and locks divide
 * each task into segments; every granule of memory remembers the segments that accessed it last.
 */
#ifndef CARD_CHECKS_RACE_H_
#define CARD_CHECKS_RACE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bang_runtime.h"

enum { CARD_CELL_BYTES = 32, CARD_CELL_KEPT = 2 };

/* One access of a granule. */
struct card_toucher {
  uint32_t segment; /* segment number; 0: free entry */
  uint32_t bytes;   /* one bit per byte */
  uint32_t site;    /* number of the place in the launch; the top bit marks an atomic access */
};

struct card_cell {
  struct card_toucher writers[CARD_CELL_KEPT], readers[CARD_CELL_KEPT];
};

/* A core's position: how many barriers of each kind it has passed, and its latest atomic operation.
 */
struct card_clock_of_races {
  uint32_t passed[5]; /* by bangBarrier */
  uint64_t acquired;
  uint32_t segment;        /* current segment; 0: not made yet */
  uint32_t shared_segment; /* the same for copies done once per cluster */
};

/* What is known of a segment. */
struct card_segment {
  uint32_t number;
  uint32_t run; /* number of the launch; 0: the host */
  const void *queue;
  uint64_t begin; /* when the launch began, or when the host wrote */
  uint32_t actor; /* a task, or a cluster's memory core */
  uint32_t task;  /* the task that began it */
  uint32_t group, cluster;
  bool is_memory_core;
  uint32_t passed[5];
  uint64_t acquired;
  _Atomic uint64_t released; /* number of the atomic operation that ended it; 0: still open */
};

struct card_race {
  const struct card_segment *other;
  uint32_t other_site;
  uint32_t byte; /* offset in the granule */
  bool other_writes;
};

/* Returns the calling core's current segment. */
uint32_t card_race_segment(struct card_clock_of_races *clock, bool is_shared);
/* Records an access of the bytes in a mask. True if it conflicts with an earlier access that is not
 * ordered before it. The caller has locked the cell. */
bool card_race_touch(struct card_cell *cell, uint32_t segment, uint32_t bytes, uint32_t site,
                     bool writes, bool is_atomic, struct card_race *race);

struct card_run;

/* Gives a launch that begins its number. */
void card_race_launch(struct card_run *run);
/* A task of a launch begins or ends. Only launches with running tasks can conflict with others. */
void card_race_task_begin(struct card_clock_of_races *clock, const struct card_run *run);
void card_race_task_end(const struct card_run *run);
/* The launch with this number; NULL if none of its tasks runs. */
struct card_run *card_race_running(uint32_t number);

/* Returns a segment for a write by the host; 0 if no task runs that it could conflict with. */
uint32_t card_race_host_segment(void);

/* The core passes a barrier, or does an atomic operation. */
void card_race_barrier(struct card_clock_of_races *clock, bangBarrier which);
void card_race_release(struct card_clock_of_races *clock);

#endif /* CARD_CHECKS_RACE_H_ */
