/* SPDX-License-Identifier: MIT
 *
 * The JSON of the Trace Event Format, which chrome://tracing and ui.perfetto.dev open.
 */
#ifndef RUNTIME_TRACE_FILE_H_
#define RUNTIME_TRACE_FILE_H_

#include <stdio.h>

#include "trace_event.h"

void rt_trace_file_begin(FILE *file, const struct rt_trace_launch_name *names, size_t count);
/* Times are counted from `origin_ns`. */
void rt_trace_file_events(FILE *file, const struct rt_trace_event *events, size_t count,
                          uint64_t origin_ns);
void rt_trace_file_end(FILE *file, size_t dropped);

#endif /* RUNTIME_TRACE_FILE_H_ */
