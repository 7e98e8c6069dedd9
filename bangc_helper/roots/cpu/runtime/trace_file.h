/* SPDX-License-Identifier: MIT
 *
 * The JSON of the Trace Event Format, which chrome://tracing and ui.perfetto.dev open.
 */
#ifndef RUNTIME_TRACE_FILE_H_
#define RUNTIME_TRACE_FILE_H_

#include <stdio.h>

#include "trace.h"

struct rt_trace_event {
  enum rt_trace_kind kind;
  uint32_t launch;
  int track; /* twice the task's number, plus one on a memory core */
  uint64_t begin_ns, end_ns;
  uint64_t bytes, count; /* of copies */
};

struct rt_trace_launch_name {
  uint32_t launch;
  const char *kernel;
  cnrtDim3_t dim;
  unsigned union_clusters;
};

void rt_trace_file_begin(FILE *file, const struct rt_trace_launch_name *names, size_t count);
/* Times are counted from `origin_ns`. */
void rt_trace_file_events(FILE *file, const struct rt_trace_event *events, size_t count,
                          uint64_t origin_ns);
void rt_trace_file_end(FILE *file, size_t dropped);

#endif /* RUNTIME_TRACE_FILE_H_ */
