/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_THREAD_MODE_H_
#define MLUOP_TEST_RUN_THREAD_MODE_H_

#include "run/case_list.h"
#include "run/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `n` cases on options->thread threads, each with its own handle and queue; results[i] belongs
 * to entries[i]. Returns -1 with a reason when no thread could work. */
int mluop_thread_mode_run(const mluopTestOptions *options, const mluopCaseEntry *const *entries,
                          size_t n, mluopCaseResult *results, mluopTestText *errors);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_THREAD_MODE_H_ */
