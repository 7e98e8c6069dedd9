/* SPDX-License-Identifier: MIT
 *
 * A case that is ready to be called again and again: its data are in place and its result was found
 * right once. */
#ifndef MLUOP_TEST_PERF_OPENED_CASE_H_
#define MLUOP_TEST_PERF_OPENED_CASE_H_

#include "perf/bench.h"
#include "perf/model.h"
#include "run/case_list.h"

typedef struct mluopPerfOpenedCase mluopPerfOpenedCase;

/* Reads the case, calls the operator once and compares with the reference; fills what the case says
 * of itself. NULL with the reason in `failure`. */
mluopPerfOpenedCase *mluop_perf_case_open(mluopPerfBench *bench, const mluopCaseEntry *entry,
                                          mluopPerfCase *item, mluopTestText *failure);
void mluop_perf_case_close(mluopPerfOpenedCase *opened);

/* For timing: one call of the operator until its queue is empty; one run of the reference. */
void mluop_perf_case_call(void *opened);
void mluop_perf_case_reference(void *opened);

/* One call by the device's own clock in microseconds; negative when it failed. */
double mluop_perf_case_device_us(mluopPerfOpenedCase *opened);

/* Time of the run that the result was checked with. */
double mluop_perf_case_first_reference_us(const mluopPerfOpenedCase *opened);

/* Why a call failed, or NULL. */
const char *mluop_perf_case_failed(const mluopPerfOpenedCase *opened);

void mluop_perf_case_evict_device(const mluopPerfOpenedCase *opened);
void mluop_perf_case_evict_host(const mluopPerfOpenedCase *opened);

bool mluop_perf_case_reads_mostly(const mluopPerfOpenedCase *opened);

/* Time of the device between notifiers and time of the host's call, from a few more calls. */
void mluop_perf_case_device_times(mluopPerfOpenedCase *opened, mluopPerfCase *item);

#endif /* MLUOP_TEST_PERF_OPENED_CASE_H_ */
