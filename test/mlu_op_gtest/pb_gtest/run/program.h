/* SPDX-License-Identifier: MIT
 *
 * mluop_gtest without Google Test: everything main() needs that can be said in C. */
#ifndef MLUOP_TEST_RUN_PROGRAM_H_
#define MLUOP_TEST_RUN_PROGRAM_H_

#include "run/case_list.h"
#include "run/options.h"
#include "run/result.h"
#include "run/session.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopTestProgram {
  mluopTestOptions options;
  mluopCaseList cases;
  mluopTestSession session; /* of the single-thread mode, opened by the first case */
  bool session_open;
  char *report;           /* file of --gtest_output, NULL: none */
  const char *report_end; /* what the report ends with when all of it was written */
  int iteration;
} mluopTestProgram;

typedef enum mluopProgramStart {
  MLUOP_PROGRAM_RUN,
  MLUOP_PROGRAM_DONE,      /* help was printed */
  MLUOP_PROGRAM_WRONG_USE, /* the reason was printed */
} mluopProgramStart;

/* Reads options and finds cases. Leaves Google Test's flags in argv. */
mluopProgramStart mluop_program_start(mluopTestProgram *program, int *argc, char **argv);
void mluop_program_end(mluopTestProgram *program);

void mluop_program_run_case(mluopTestProgram *program, const mluopCaseEntry *entry,
                            mluopCaseResult *result);
int mluop_program_run_threads(mluopTestProgram *program, const mluopCaseEntry *const *entries,
                              size_t n, mluopCaseResult *results, mluopTestText *errors);

/* How a case is called in reports. */
const char *mluop_program_value_param(const mluopTestProgram *program, const char *path);

/* --gtest_repeat: Google Test writes its report to the same file in every iteration; each is kept
 * under its own name. Fails when the report cannot be written, which Google Test would not survive.
 */
int mluop_program_set_report(mluopTestProgram *program, const char *gtest_output);
/* After a run: tells when the report is not complete. */
void mluop_program_check_report(const mluopTestProgram *program);
void mluop_program_begin_iteration(mluopTestProgram *program, int iteration, size_t n_tests);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_PROGRAM_H_ */
