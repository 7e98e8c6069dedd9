/* SPDX-License-Identifier: MIT
 *
 * Scaling over the number of tasks, on virtual topologies, and over the number of CPUs. The runtime
 * reads both once, so each number is a process of its own. */
#ifndef MLUOP_TEST_PERF_TOPOLOGIES_H_
#define MLUOP_TEST_PERF_TOPOLOGIES_H_

#include <signal.h>

#include "perf/model.h"
#include "run/case_list.h"

/* Cases with series "tasks" (the largest scaling case of each operator) and "cores" (its first
 * network shape) are added to the report. The files of a process go to a folder in `folder`; a case
 * is measured for case_ms. */
void mluop_perf_topologies(mluopPerfReport *report, const char *folder, int case_ms,
                           const mluopCaseEntry *const *entries, size_t n,
                           const volatile sig_atomic_t *interrupted);

#endif /* MLUOP_TEST_PERF_TOPOLOGIES_H_ */
