/* SPDX-License-Identifier: MIT
 *
 * What the user reads: about the run, about each case, at the end. */
#ifndef MLUOP_TEST_RUN_REPORT_H_
#define MLUOP_TEST_RUN_REPORT_H_

#include <stdio.h>

#include "run/options.h"
#include "run/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*mluopPropertySink)(void *arg, const char *name, const char *value);

/* Date, versions, device, ... of the run. */
void mluop_report_environment(const mluopTestOptions *options, mluopPropertySink sink, void *arg);
void mluop_report_print_environment(const mluopTestOptions *options);

/* Everything about a case as it goes into the XML or JSON report. */
void mluop_report_properties(const mluopCaseResult *result, mluopPropertySink sink, void *arg);

/* The lines of a case, but for why it failed. */
void mluop_report_print_case(const mluopTestOptions *options, const mluopCaseResult *result);
/* Its last line. */
void mluop_report_print_end(const mluopCaseResult *result);

/* The command that runs a case again under the same conditions; free() it. */
char *mluop_report_repeat_command(const mluopTestOptions *options, const char *path);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_REPORT_H_ */
