/* SPDX-License-Identifier: MIT
 *
 * The simulation of a launch, and its results.
 */
#ifndef CARD_CLOCK_TIMING_H_
#define CARD_CLOCK_TIMING_H_

#include "board.h"
#include "events.h"

/* What a core's program spends its time on: scalar code, or a wait. */
enum card_spent {
  CARD_SPENT_SCALAR,
  CARD_SPENT_VECTOR,
  CARD_SPENT_TENSOR,
  CARD_SPENT_COPY,    /* bytes of device memory in flight */
  CARD_SPENT_MOVE,    /* on-chip copies */
  CARD_SPENT_LATENCY, /* of copies, while no byte moves */
  CARD_SPENT_ATOMIC,
  CARD_SPENT_BARRIER, /* waits for other cores, at barriers and locks */
  CARD_SPENT_START,   /* start of the launch and of tasks */
  CARD_SPENT_IDLE,    /* the core has no task while others run */
  CARD_SPENT_COUNT
};

/* What limits a launch; it determines the error class of the estimate. */
enum card_bound {
  CARD_BOUND_COPY,
  CARD_BOUND_VECTOR,
  CARD_BOUND_TENSOR,
  CARD_BOUND_SCALAR,
  CARD_BOUND_LATENCY,
  CARD_BOUND_COUNT
};

/* Times in ps. */
struct card_timing {
  int64_t duration;
  int64_t busy[CARD_PIPE_COUNT];   /* of all cores together */
  int64_t spent[CARD_SPENT_COUNT]; /* of all cores; the sum is `cores` times the duration */
  int64_t dram_read, dram_written; /* bytes, in whole granules */
  int64_t transfers;               /* copies from and to device memory */
  int64_t syncs;                   /* waits for copies from and to device memory */
  uint32_t cores;                  /* number of cores that got a task */
  uint32_t waves;                  /* maximum number of tasks that one core ran */
  enum card_bound bound;
  bool stuck; /* cores waited for a barrier or lock that could never open */
};

/* Time of one place in the source, over all cores; times in ps. */
struct card_site_time {
  int64_t spent[CARD_SPENT_COUNT];
  int64_t busy[CARD_PIPE_COUNT];
  int64_t calls; /* number of records, without scalar ones */
};

/* Gets the details while a launch is played; any function may be NULL. */
struct card_sink {
  void *context;
  /* A pipe of a core was busy with a record. */
  void (*span)(void *context, uint32_t core, enum card_pipe pipe, int64_t start, int64_t end,
               uint32_t site, const struct card_record *record);
  /* A core's program waited. */
  void (*wait)(void *context, uint32_t core, enum card_spent why, int64_t start, int64_t end,
               uint32_t site);
  /* Device memory moved `rate` bytes per ms. */
  void (*dram)(void *context, int64_t start, int64_t end, int64_t rate);
  /* A task ran on a core. */
  void (*task)(void *context, uint32_t core, const struct card_task *task, int64_t start,
               int64_t end);
  struct card_site_time *sites; /* zeroed, one per site of the launch; NULL: not wanted */
};

/* Simulates a launch on a board. `free_pipes`: a mask of pipes whose work takes no time, to measure
 * what they cost. False: out of memory. */
bool card_play_launch(const struct card_board *board, const struct card_launch *launch,
                      unsigned free_pipes, const struct card_sink *sink,
                      struct card_timing *timing);

/* "copy", "vector", "tensor", "scalar", "latency". */
const char *card_bound_name(enum card_bound bound);
/* The error of estimates with this bound, in percent. */
int64_t card_bound_error(const struct card_board *board, enum card_bound bound);
const char *card_spent_name(enum card_spent spent);
const char *card_pipe_name(enum card_pipe pipe);

/* Copies and memsets of the host, in ps. */
int64_t card_host_copy_time(const struct card_board *board, enum card_host_copy kind,
                            uint64_t bytes);
int64_t card_memset_time(const struct card_board *board, uint64_t bytes);

#endif /* CARD_CLOCK_TIMING_H_ */
