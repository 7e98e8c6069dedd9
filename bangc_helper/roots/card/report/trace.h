/* SPDX-License-Identifier: MIT
 *
 * A trace for Perfetto and Chrome: one lane per pipe of each core, one per queue, and the rate of
 * device memory.
 */
#ifndef CARD_REPORT_TRACE_H_
#define CARD_REPORT_TRACE_H_

#include "clock/timing.h"

struct trace;

/* NULL: the file cannot be written. */
struct trace *trace_open(const char *path, const struct card_board *board);
/* Begins a launch at this time of its queue's clock. Times of later calls are relative to it. */
void trace_begin(struct trace *trace, unsigned device, int64_t start);
void trace_span(struct trace *trace, uint32_t core, enum card_pipe pipe, int64_t start, int64_t end,
                const struct card_record *record, const struct card_site *site);
/* The rate of device memory from `start` on, in bytes per ms. */
void trace_rate(struct trace *trace, int64_t start, int64_t rate);
/* An operation of a queue, in the time of the queue's clock. */
void trace_operation(struct trace *trace, unsigned device, uint64_t queue, const char *name,
                     int64_t start, int64_t duration);
/* Does nothing for NULL. */
void trace_close(struct trace *trace);

#endif /* CARD_REPORT_TRACE_H_ */
