/* SPDX-License-Identifier: MIT */
#include "run/program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "run/baseline.h"
#include "run/case_run.h"
#include "run/estimate.h"
#include "run/internal_perf.h"
#include "run/onchip_fill.h"
#include "run/output_file.h"
#include "run/report.h"
#include "run/tally.h"
#include "run/thread_mode.h"

/* The folder at a place relative to this program; NULL when there is none. */
static char *folder_from_program(const char *relative) {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
  if (length <= 0) {
    return NULL;
  }
  program[length] = '\0';
  char *folder = mluop_path_folder(program);
  char *candidate = folder ? mluop_path_join(folder, relative) : NULL;
  free(folder);
  if (candidate && !mluop_path_is_folder(candidate)) {
    free(candidate);
    return NULL;
  }
  return candidate;
}

/* An installed program has its cases in the same prefix, one of a build folder in the source tree;
 * a program carried elsewhere together with its cases has them beside it. */
static char *default_cases_dir(void) {
  char *installed = folder_from_program("../share/mluops/zoo");
  if (installed || mluop_path_is_folder(MLUOP_TEST_ZOO_DIR)) {
    return installed ? installed : mluop_text_format("%s", MLUOP_TEST_ZOO_DIR);
  }
  static const char *const beside[] = {"zoo", "../../test/mlu_op_gtest/pb_gtest/zoo",
                                       "../test/mlu_op_gtest/pb_gtest/zoo"};
  for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); ++i) {
    char *folder = folder_from_program(beside[i]);
    if (folder) {
      return folder;
    }
  }
  return mluop_text_format("%s", MLUOP_TEST_ZOO_DIR);
}

/* The runtime reads the folder at its first launch. */
static int want_card_report(const char *folder, mluopTestText *errors) {
  mluopEstimate estimate;
  if (folder && !mluop_estimate_ask(&estimate)) {
    mluop_text_add(errors,
                   "--card_report: the times of this Neuware root are measured, the card "
                   "root reports on its estimates\n");
    return -1;
  }
  return folder ? setenv("MLUOP_CARD_REPORT", folder, 1) : 0;
}

/* The runtime reads the checks before its first launch. */
static int want_checks(const char *checks, mluopTestText *errors) {
  mluopEstimate estimate;
  if (!checks) {
    return 0;
  }
  setenv("MLUOP_CHECK", checks, 1);
  if (!mluop_estimate_ask(&estimate)) {
    mluop_text_add(errors, "--check: only the card root checks kernels\n");
    return -1;
  }
  return 0;
}

mluopProgramStart mluop_program_start(mluopTestProgram *program, int *argc, char **argv) {
  *program = (mluopTestProgram){0};
  if (*argc > 1 && !strcmp(argv[1], "-h")) {
    mluop_options_help(argv[0]);
    return MLUOP_PROGRAM_WRONG_USE;
  }
  mluopTestText errors = {0};
  const mluopOptionsOutcome outcome = mluop_options_parse(argc, argv, &program->options, &errors);
  if (outcome == MLUOP_OPTIONS_HELP) {
    mluop_options_help(argv[0]);
    mluop_text_free(&errors);
    return MLUOP_PROGRAM_DONE;
  }
  if (outcome == MLUOP_OPTIONS_RUN) {
    if (!program->options.seed) {
      program->options.seed = (int)(time(NULL) % 1000000) + 1;
    }
    char *zoo = default_cases_dir();
    const int failed = !zoo || want_checks(program->options.check, &errors) ||
                       want_card_report(program->options.card_report, &errors) ||
                       mluop_session_check_limits(&program->options, &errors) ||
                       mluop_case_list_build(&program->options, zoo, &program->cases, &errors);
    free(zoo);
    const bool nothing_left = program->options.case_path && program->cases.n_unreadable;
    if (!failed && !nothing_left && !mluop_baseline_open(&program->options, &errors)) {
      if (errors.length) {
        fprintf(stderr, "[ERROR] %s", mluop_text_get(&errors));
        mluop_text_free(&errors);
      }
      mluop_onchip_fill_prepare(&program->options);
      return MLUOP_PROGRAM_RUN;
    }
  }
  fprintf(stderr, "[ERROR] %s", errors.length ? mluop_text_get(&errors) : "out of memory\n");
  mluop_text_free(&errors);
  mluop_case_list_free(&program->cases);
  return MLUOP_PROGRAM_WRONG_USE;
}

void mluop_program_end(mluopTestProgram *program) {
  if (program->session_open) {
    mluop_session_close(&program->session);
  }
  mluopTestText errors = {0};
  if (mluop_baseline_close(&program->options, &errors)) {
    fprintf(stderr, "[ERROR] %s\n", mluop_text_get(&errors));
  }
  mluop_text_free(&errors);
  if (program->report && program->iteration > 0) {
    mluop_program_begin_iteration(program, program->iteration + 1, 0);
  }
  mluop_internal_perf_close();
  mluop_tally_clear();
  mluop_case_list_free(&program->cases);
  free(program->report);
  *program = (mluopTestProgram){0};
}

/* --get_vmpeak */
static void append_vmpeak(const char *file_name, const mluopCaseResult *result) {
  char line[256], peak[64] = "unknown";
  FILE *status = fopen("/proc/self/status", "re");
  while (status && fgets(line, sizeof(line), status)) {
    if (sscanf(line, "VmPeak: %63[^\n]", peak) == 1) {
      break;
    }
  }
  if (status) {
    fclose(status);
  }
  FILE *file = mluop_output_open(file_name, "ae");
  if (file) {
    fprintf(file, "%s|%s|%s\n", result->op_name ? result->op_name : "unknown", result->path, peak);
  }
  mluop_output_close(file, file_name);
}

void mluop_program_run_case(mluopTestProgram *program, const mluopCaseEntry *entry,
                            mluopCaseResult *result) {
  const mluopTestOptions *options = &program->options;
  mluopTestText errors = {0};
  if (!program->session_open && mluop_session_open(&program->session, options, &errors)) {
    mluop_result_init(result, entry->path);
    mluop_text_add(&result->failure, "%s\n", mluop_text_get(&errors));
  } else {
    program->session_open = true;
    mluop_case_run(options, &program->session, entry->executor, entry->path, result);
    mluop_baseline_judge(options, result);
  }
  mluop_text_free(&errors);
  mluop_report_print_case(options, result);
  if (options->vmpeak) {
    append_vmpeak(options->vmpeak, result);
  }
  mluop_internal_perf_add(options, program->iteration, result);
  mluop_tally_add(result);
}

int mluop_program_run_threads(mluopTestProgram *program, const mluopCaseEntry *const *entries,
                              size_t n, mluopCaseResult *results, mluopTestText *errors) {
  const int failed = mluop_thread_mode_run(&program->options, entries, n, results, errors);
  for (size_t i = 0; i < n; ++i) {
    if (results[i].path) {
      mluop_internal_perf_add(&program->options, program->iteration, &results[i]);
    }
  }
  return failed;
}

const char *mluop_program_value_param(const mluopTestProgram *program, const char *path) {
  return program->options.xml_short_value ? mluop_path_base(path) : path;
}

int mluop_program_set_report(mluopTestProgram *program, const char *gtest_output) {
  const char *path = strchr(gtest_output, ':');
  if (strncmp(gtest_output, "xml", 3) != 0 && strncmp(gtest_output, "json", 4) != 0) {
    return 0;
  }
  const bool is_xml = gtest_output[0] == 'x';
  const char *fallback = is_xml ? "test_detail.xml" : "test_detail.json";
  program->report_end = is_xml ? "</testsuites>" : "}";
  program->report = mluop_text_format("%s", path ? path + 1 : fallback);
  /* Google Test makes the folders of the path; a file it cannot open would end the program. */
  char *folder = program->report ? mluop_path_folder(program->report) : NULL;
  const bool writable = !folder || !mluop_path_is_folder(folder) ||
                        mluop_path_is_folder(program->report) ||
                        mluop_output_is_writable(program->report);
  free(folder);
  return writable ? 0 : -1;
}

void mluop_program_check_report(const mluopTestProgram *program) {
  if (program->report && !mluop_path_is_folder(program->report)) {
    mluop_output_expect_end(program->report, program->report_end);
  }
}

void mluop_program_begin_iteration(mluopTestProgram *program, int iteration, size_t n_tests) {
  if (program->report && iteration > 0) {
    /* "_<iteration>" goes before the first dot of the file name */
    const char *base = mluop_path_base(program->report);
    const char *dot = strchr(base, '.');
    const int stem = (int)(dot ? dot - program->report : (ptrdiff_t)strlen(program->report));
    char *kept =
        mluop_text_format("%.*s_%d%s", stem, program->report, iteration - 1, dot ? dot : "");
    if (!kept || rename(program->report, kept)) {
      fprintf(stderr, "[WARNING] the report of iteration %d was not kept\n", iteration - 1);
    }
    free(kept);
  }
  program->iteration = iteration;
  if (n_tests) {
    mluop_tally_expect((program->options.thread > 1 ? program->cases.n : n_tests) *
                       (size_t)(iteration + 1));
  }
}
