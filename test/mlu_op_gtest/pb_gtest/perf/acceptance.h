/* SPDX-License-Identifier: MIT
 *
 * --perf_acceptance: every chosen case is measured and judged, and the report is written. */
#ifndef MLUOP_TEST_PERF_ACCEPTANCE_H_
#define MLUOP_TEST_PERF_ACCEPTANCE_H_

#include "run/case_list.h"
#include "run/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `command` goes into the report. Returns the exit code: 0 every case meets the standard, 1 one
 * does not, 2 the folder or a file cannot be used, 3 none fails but something was not measured or
 * could not be decided on a busy machine, 130 interrupted (the report then holds what was
 * measured). */
int mluop_perf_acceptance(const mluopTestOptions *options, const mluopCaseList *cases,
                          const char *command);

/* --perf_render: the pages of an earlier report. */
int mluop_perf_render(const mluopTestOptions *options);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_PERF_ACCEPTANCE_H_ */
