/* SPDX-License-Identifier: MIT
 *
 * A trace that Perfetto and Chrome show: one lane per pipe and core, one per queue, the rate of
 * device memory.
 */
#ifndef CARD_REPORT_TRACE_H_
#define CARD_REPORT_TRACE_H_

#include "clock/timing.h"

struct trace;

/* NULL: cannot be written. */
struct trace *trace_open(const char *path, const struct card_board *board);
/* A launch begins at this time of its queue's clock; what follows is counted from there. */
void trace_begin(struct trace *trace, unsigned device, int64_t start);
void trace_span(struct trace *trace, uint32_t core, enum card_pipe pipe, int64_t start, int64_t end,
                const struct card_record *record, const struct card_site *site);
/* Bytes per ms of device memory from now on. */
void trace_rate(struct trace *trace, int64_t start, int64_t rate);
/* An operation of a queue; its time is the queue's clock. */
void trace_operation(struct trace *trace, unsigned device, uint64_t queue, const char *name,
                     int64_t start, int64_t duration);
/* NULL is no trace. */
void trace_close(struct trace *trace);

#endif /* CARD_REPORT_TRACE_H_ */
