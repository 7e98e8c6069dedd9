/* SPDX-License-Identifier: MIT
 *
 * The data of a report. Internal to the report.
 */
#ifndef CARD_REPORT_COLLECT_H_
#define CARD_REPORT_COLLECT_H_

#include "clock/timing.h"

enum {
  REPORT_BINS = 200,        /* steps of the charts over time */
  REPORT_WINDOW_SPANS = 64, /* approximate number of records in the chart of one core's pipes */
  REPORT_TASKS = 2048,
};

/* One record in the chart of a core's pipes. */
struct report_span {
  enum card_pipe pipe;
  int64_t start, end;
  uint32_t site;
};

/* A task on a core. */
struct report_task {
  uint32_t core;
  int64_t start, end;
};

/* A line of the source, times in ps summed over cores. */
struct report_line {
  const char *file;
  uint32_t line;
  int64_t spent[CARD_SPENT_COUNT];
  int64_t total;
  int64_t calls;
  uint64_t loads, stores, gdram_reads, gdram_writes;
};

/* Totals of the copies of one source place, for the hints. */
struct report_copies {
  int64_t count, bytes, runs, partial;
  bool is_strided;
  int64_t busy; /* ps */
};

/* Totals of the vector functions of one source place. */
struct report_vectors {
  int64_t calls, bytes;
  int64_t start_time, busy; /* ps */
};

struct report_hint {
  int64_t weight; /* ps of the launch that it concerns */
  char *text;
};

/* A kernel with one shape of launch; details come from its first launch. */
struct report_kernel {
  char *name;
  uint32_t dim[3];
  uint32_t union_clusters;
  size_t task_count;
  size_t launches;
  int64_t total; /* ps of all launches */
  struct card_timing timing;
  int64_t without[CARD_PIPE_COUNT]; /* duration if this pipe took no time */
  int64_t bin_width;                /* ps */
  int64_t busy[CARD_PIPE_COUNT][REPORT_BINS];
  int64_t dram[REPORT_BINS]; /* 1e-6 bytes */
  char **files;              /* names, owned */
  size_t file_count;
  struct card_site *sites; /* their file names point into `files` */
  size_t site_count;
  struct card_site_time *site_times;
  struct report_copies *copies;   /* by site */
  struct report_vectors *vectors; /* by site */
  struct report_line *lines;      /* the most expensive first */
  size_t line_count;
  struct report_span *spans; /* of one core, in a part of the launch */
  size_t span_count;
  uint32_t span_core;
  int64_t window_start, window_end;
  struct report_task *tasks; /* the first ones, at most REPORT_TASKS */
  size_t shown_tasks;
  struct report_hint *hints; /* largest weight first */
  size_t hint_count;
};

struct report_operation {
  enum card_operation_kind kind;
  size_t kernel; /* index, for launches */
  unsigned device;
  uint64_t queue;
  uint64_t bytes; /* for copies and memsets */
  int64_t start, duration;
  enum card_bound bound;
};

struct report {
  const struct card_board *board;
  struct report_kernel **kernels;
  size_t kernel_count;
  struct report_operation *operations;
  size_t operation_count;
  size_t left_out; /* number of operations beyond the limit */
};

struct trace;

/* Simulates the launch again and collects all details, also for the trace; NULL: out of memory. */
struct report_kernel *report_study(const struct card_board *board, const struct card_launch *launch,
                                   const struct card_timing *timing, struct trace *trace);
void report_kernel_free(struct report_kernel *kernel);
bool report_same_shape(const struct report_kernel *kernel, const struct card_launch *launch);

/* Call these when all other fields of the kernel are set. */
bool report_make_lines(const struct card_board *board, struct report_kernel *kernel,
                       const struct card_launch *launch);
bool report_make_hints(const struct card_board *board, struct report_kernel *kernel);

#endif /* CARD_REPORT_COLLECT_H_ */
