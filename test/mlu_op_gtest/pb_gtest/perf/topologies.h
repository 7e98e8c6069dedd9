/* SPDX-License-Identifier: MIT
 *
 * Scaling over the number of tasks: the largest scaling case of each operator under several virtual
 * topologies. The runtime reads its topology once, so each one is a process of its own. */
#ifndef MLUOP_TEST_PERF_TOPOLOGIES_H_
#define MLUOP_TEST_PERF_TOPOLOGIES_H_

#include <signal.h>

#include "perf/model.h"
#include "run/case_list.h"

/* Adds the cases to the report, with series "tasks". Their files go to `folder`/topology_<name>. */
void mluop_perf_topologies(mluopPerfReport *report, const char *folder,
                           const mluopCaseEntry *const *entries, size_t n,
                           const volatile sig_atomic_t *interrupted);

#endif /* MLUOP_TEST_PERF_TOPOLOGIES_H_ */
