/* SPDX-License-Identifier: MIT
 *
 * On what, and with what, a report was made. */
#ifndef MLUOP_TEST_PERF_ENVIRONMENT_H_
#define MLUOP_TEST_PERF_ENVIRONMENT_H_

#include "perf/model.h"
#include "run/options.h"

void mluop_perf_environment(Mluoptest__PerfContext *context, const mluopTestOptions *options);

#endif /* MLUOP_TEST_PERF_ENVIRONMENT_H_ */
