/* SPDX-License-Identifier: MIT
 *
 * What a trace keeps.
 */
#ifndef RUNTIME_TRACE_EVENT_H_
#define RUNTIME_TRACE_EVENT_H_

#include "common.h"

enum rt_trace_kind {
  RT_TRACE_TASK,
  RT_TRACE_COMPUTE, /* the core's own instructions: between waits */
  RT_TRACE_WAIT,    /* for pipes: on this device the copies are done here */
  RT_TRACE_BARRIER, /* for other cores */
  RT_TRACE_LOAD,    /* in flight: from the first one issued until all are done */
  RT_TRACE_STORE,
  RT_TRACE_MOVE, /* on-chip */
};

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

#endif /* RUNTIME_TRACE_EVENT_H_ */
