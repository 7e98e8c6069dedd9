/* SPDX-License-Identifier: MIT
 *
 * A trace of launches: what each task did when, as Chrome and Perfetto show it. A launch that is
 * not traced pays one test of a flag per task and per batch of copies.
 */
#ifndef RUNTIME_TRACE_H_
#define RUNTIME_TRACE_H_

#include "trace_event.h"

struct rt_launch;
struct rt_task;

/* A launch is about to start: decides whether it is traced. */
void rt_trace_launch(struct rt_launch *launch);
/* A traced launch has ended: writes its file if the environment asks for it. */
void rt_trace_launch_over(const struct rt_launch *launch);

/* Around a task of a traced launch, on its thread. */
void rt_trace_task_begin(const struct rt_launch *launch, const struct rt_task *task);
void rt_trace_task_end(void);

/* Inside a task: a span of a pipe or of waiting, in times of rt_now_ns. Waits also end a compute
 * span. */
void rt_trace_span(enum rt_trace_kind kind, uint64_t begin_ns, uint64_t end_ns, uint64_t bytes,
                   uint64_t count);

#endif /* RUNTIME_TRACE_H_ */
