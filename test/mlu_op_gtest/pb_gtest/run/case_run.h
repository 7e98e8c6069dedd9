/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_CASE_RUN_H_
#define MLUOP_TEST_RUN_CASE_RUN_H_

#include "executor.h"
#include "run/options.h"
#include "run/result.h"
#include "run/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs one case and fills `result` (mluop_result_free releases it). `executor` is that of the
 * case's folder, or NULL to go by the case's op_name. */
void mluop_case_run(const mluopTestOptions *options, mluopTestSession *session,
                    const mluopTestExecutor *executor, const char *path, mluopCaseResult *result);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_CASE_RUN_H_ */
