/* SPDX-License-Identifier: MIT */
#include "perf/acceptance.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "data/case_file.h"
#include "perf/console.h"
#include "perf/environment.h"
#include "perf/history.h"
#include "perf/measure.h"
#include "perf/pages.h"
#include "perf/report_json.h"
#include "perf/topologies.h"
#include "perf/verdict.h"

enum {
  EXIT_MEETS = 0,
  EXIT_MISSES = 1,
  EXIT_WRONG_USE = 2,
  EXIT_UNDECIDED = 3, /* no case fails, but some were not measured or not decided */
  EXIT_INTERRUPTED = 130
};

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

typedef struct Acceptance {
  const mluopTestOptions *options;
  const mluopCaseEntry **entries; /* in the order they are measured */
  size_t n_entries, n_done;
  size_t n_refused; /* because the device lacks the data type; counted as done, without a verdict */
  mluopPerfReport report, baseline;
  mluopPerfStandard standard;
  mluopPerfBench bench;
  double start_us;
} Acceptance;

static double seconds_since_start(const Acceptance *run) {
  return (mluop_clock_us() - run->start_us) * 1e-6;
}

/* ---- before any work ---- */

/* Leaves out stored efficiencies that were measured on a busy machine. */
static int check_baseline(Acceptance *run, mluopTestText *errors) {
  const mluopTestOptions *options = run->options;
  const mluopPerfReport *baseline = &run->baseline;
  size_t disturbed = 0;
  for (size_t i = 0; i < baseline->n; ++i) {
    disturbed += mluop_perf_case_is_disturbed(&baseline->cases[i], run->standard.band);
  }
  if (2 * disturbed > baseline->n) {
    mluop_text_add(errors,
                   "%s: %zu of %zu cases were measured on a machine too busy for a baseline; take "
                   "it again\n",
                   options->acceptance_baseline, disturbed, baseline->n);
    return -1;
  }
  if (disturbed) {
    printf("baseline: %zu of %zu cases were disturbed when they were stored and are left out\n",
           disturbed, baseline->n);
  }
  run->standard.baseline = baseline;
  mluop_perf_set_text(&run->report.context->baseline, "%s, %s, band %d %%",
                      mluop_path_base(options->acceptance_baseline),
                      baseline->context->date ? baseline->context->date : "no date",
                      options->perf_band);
  return 0;
}

/* Checks every file the run reads or writes, so that a mistake shows before minutes of
 * measuring. */
static int check_files(Acceptance *run, mluopTestText *errors) {
  const mluopTestOptions *options = run->options;
  const char *folder = options->perf_acceptance;
  if (mluop_path_make_folder(folder)) {
    mluop_text_add(errors, "the report's folder '%s' cannot be made: %s\n", folder,
                   strerror(errno));
    return -1;
  }
  if (mluop_perf_pages_check(folder, errors)) {
    return -1;
  }
  run->standard.band = options->perf_band / 100.0;
  if (run->standard.band >= 1) {
    mluop_text_add(errors, "--perf_band=%d: less than 100 is wanted\n", options->perf_band);
    return -1;
  }
  if (options->acceptance_baseline &&
      (mluop_perf_json_read(&run->baseline, options->acceptance_baseline, errors) ||
       check_baseline(run, errors))) {
    return -1;
  }
  if (options->rivals) {
    mluopPerfReport rivals = {0};
    size_t added = 0;
    const int failed = mluop_perf_report_init(&rivals) ||
                       mluop_perf_json_merge_rivals(&rivals, options->rivals, &added, errors);
    mluop_perf_report_free(&rivals);
    return failed;
  }
  return 0;
}

/* How many entries of the same operator precede entry i. */
static size_t turn_of(const Acceptance *run, size_t i) {
  size_t turn = 0;
  while (turn < i && run->entries[i - 1 - turn]->executor == run->entries[i]->executor) {
    ++turn;
  }
  return turn;
}

/* With a time budget, operators take turns: every operator has been measured when the time is
 * up. */
static int order_by_turns(Acceptance *run) {
  const mluopCaseEntry **ordered = calloc(run->n_entries + 1, sizeof(*ordered));
  if (!ordered) {
    return -1;
  }
  size_t n = 0;
  for (size_t turn = 0; n < run->n_entries; ++turn) {
    for (size_t i = 0; i < run->n_entries; ++i) {
      if (turn_of(run, i) == turn) {
        ordered[n++] = run->entries[i];
      }
    }
  }
  free(run->entries);
  run->entries = ordered;
  return 0;
}

static int choose_entries(Acceptance *run, const mluopCaseList *cases) {
  run->entries = calloc(cases->n + 1, sizeof(*run->entries));
  for (size_t i = 0; run->entries && i < cases->n; ++i) {
    if (cases->entries[i].executor) {
      run->entries[run->n_entries++] = &cases->entries[i];
    }
  }
  if (!run->entries || (run->options->perf_budget && order_by_turns(run))) {
    return -1;
  }
  return 0;
}

/* ---- one case ---- */

/* Takes set and name from the path "…/<op>/test_case/<set>/<name>.prototxt". A case of a sweep,
 * "file.prototxt#member", has the member's name. */
static mluopPerfCase *add_case(mluopPerfReport *report, const mluopCaseEntry *entry) {
  const char *set = strstr(entry->path, "/test_case/");
  set = set ? set + strlen("/test_case/") : NULL;
  const int length = set && strchr(set, '/') ? (int)strcspn(set, "/") : 0;
  const char *member;
  char *file = mluop_case_path_file(entry->path, &member);
  const char *base = member ? member : mluop_path_base(entry->path);
  const char *suffix = strrchr(base, '.');
  char *set_name = mluop_text_format("%.*s", length ? length : 4, length ? set : "user");
  char *name =
      mluop_text_format("%.*s", (int)(suffix ? (size_t)(suffix - base) : strlen(base)), base);
  mluopPerfCase *item =
      set_name && name ? mluop_perf_report_add(report, mluop_case_entry_op(entry), set_name, name)
                       : NULL;
  free(file);
  free(set_name);
  free(name);
  return item;
}

static void print_case(const Acceptance *run, const mluopPerfCase *item) {
  mluop_perf_print_case(item, run->n_done, run->n_entries, run->standard.is_final);
}

static void show_progress(const Acceptance *run, const mluopCaseEntry *entry) {
  if (isatty(STDOUT_FILENO)) {
    printf("\r\033[K[%zu/%zu] %.0f s: %s\r", run->n_done + 1, run->n_entries,
           seconds_since_start(run), mluop_case_entry_file(entry));
    fflush(stdout);
  }
}

/* False when the case was left out because of an interruption. */
static bool measure_entry(Acceptance *run, const mluopCaseEntry *entry, double seconds) {
  mluopPerfReport *report = &run->report;
  mluopPerfCase *item = add_case(report, entry);
  if (!item) {
    return false;
  }
  item->entry = entry;
  mluopTestText failure = {0};
  const int failed = mluop_perf_measure(&run->bench, entry, seconds, mluop_perf_lines,
                                        &run->standard, item, &failure);
  if (!strcmp(item->case_set, "scaling")) {
    mluop_perf_set_text(&item->series, "size");
    item->series_x = item->theory_bytes;
  }
  const bool left_out = failed && !failure.length;
  const bool refused = failed && item->refused_by_device;
  if (refused) {
    ++run->n_done;
    ++run->n_refused;
    printf("[REFU] %3zu/%zu  %-42s %-44s as this device must: it has no bfloat16\n", run->n_done,
           run->n_entries, item->op_name, item->name);
  }
  if (left_out || refused) {
    mluop_perf_report_drop_last(report);
  } else if (failed) {
    item->verdict = MLUOP_PERF_FAIL;
    mluop_perf_set_text(&item->reason, "not measured: %s", mluop_text_get(&failure));
    item->reason[strcspn(item->reason, "\n")] = '\0';
  } else {
    mluop_perf_judge(&run->standard, item);
  }
  mluop_text_free(&failure);
  if (!left_out && !refused) {
    ++run->n_done;
    if (isatty(STDOUT_FILENO)) {
      printf("\033[K");
    }
    print_case(run, item);
  }
  return !left_out;
}

/* Measures a case again, later in the run. */
static void measure_again(Acceptance *run, mluopPerfCase *item, double seconds) {
  mluopPerfReport scratch = {0};
  mluopTestText failure = {0};
  mluopPerfCase *again = mluop_perf_report_init(&scratch) ? NULL : add_case(&scratch, item->entry);
  if (again && !mluop_perf_measure(&run->bench, item->entry, seconds, mluop_perf_lines,
                                   &run->standard, again, &failure)) {
    mluop_perf_add_look(item, again);
    mluop_perf_judge(&run->standard, item);
    print_case(run, item);
  }
  mluop_text_free(&failure);
  mluop_perf_report_free(&scratch);
}

/* ---- the report ---- */

static void fill_context(Acceptance *run) {
  Mluoptest__PerfContext *context = run->report.context;
  const mluopPerfBench *bench = &run->bench;
  context->has_copy_gbps = context->has_read_gbps = context->has_vector_gflops = 1;
  context->copy_gbps = mluop_perf_quantile(&bench->copy_gbps, 0.5);
  context->read_gbps = mluop_perf_quantile(&bench->read_gbps, 0.5);
  context->vector_gflops = mluop_perf_steady(&bench->gflops, &bench->gflops_waited).median;
  mluop_perf_set_text(&context->copy_method, "%s", bench->copy_method);
  context->has_seconds = context->has_complete = 1;
  context->seconds = seconds_since_start(run);
  context->complete = run->n_done == run->n_entries && !interrupted;
  context->has_cases_known = context->has_cases_failed = 1;
  context->cases_known = (int)run->n_entries;
  context->cases_failed = (int)mluop_perf_report_count(&run->report, MLUOP_PERF_FAIL);
  context->has_cases_disturbed = 1;
  context->cases_disturbed = 0;
  for (size_t i = 0; i < run->report.n; ++i) {
    context->cases_disturbed +=
        mluop_perf_case_is_disturbed(&run->report.cases[i], run->standard.band);
  }
  mluop_perf_set_text(&context->incomplete_reason, "%s",
                      context->complete ? ""
                      : interrupted     ? "interrupted"
                                        : "the time budget was used up");
}

static int write_report(Acceptance *run) {
  mluopTestText errors = {0};
  fill_context(run);
  const int failed = mluop_perf_pages_write(&run->report, run->options->perf_acceptance, &errors);
  if (failed) {
    fprintf(stderr, "[ERROR] %s\n", mluop_text_get(&errors));
  }
  mluop_text_free(&errors);
  return failed;
}

static void merge_rivals(Acceptance *run) {
  mluopTestText errors = {0};
  size_t added = 0;
  if (run->options->rivals &&
      !mluop_perf_json_merge_rivals(&run->report, run->options->rivals, &added, &errors)) {
    printf("rivals: %zu times from %s\n", added, run->options->rivals);
  }
  mluop_text_free(&errors);
}

/* Part of the budget for first measurements. The rest is for measuring again what is not decided
 * yet. */
static const double first_looks_share = 0.6;

static void measure_all(Acceptance *run) {
  for (size_t i = 0; i < run->n_entries && !interrupted; ++i) {
    const double left = first_looks_share * run->options->perf_budget - seconds_since_start(run);
    double seconds = run->options->perf_case_ms * 1e-3;
    if (run->options->perf_budget) {
      if (left <= 0 && run->n_done) {
        return;
      }
      const double fair = left / (double)(run->n_entries - i);
      seconds = fair < seconds ? fair : seconds;
    }
    show_progress(run, run->entries[i]);
    if (measure_entry(run, run->entries[i], seconds) && write_report(run)) {
      return;
    }
  }
}

/* Whether to measure the case again in this pass. Undecided cases come first, since the budget
 * may end before the others. */
static bool is_due(const Acceptance *run, const mluopPerfCase *item, int pass, bool undecided) {
  return item->entry && item->n_looks == pass && (item->verdict == MLUOP_PERF_NONE) == undecided &&
         !mluop_perf_is_settled(&run->standard, item);
}

/* Returns false when the budget is used up. */
static bool look_at_due(Acceptance *run, int pass, bool undecided) {
  for (size_t i = 0; i < run->report.n && !interrupted; ++i) {
    const double seconds = run->options->perf_case_ms * 1e-3;
    const double left = run->options->perf_budget - seconds_since_start(run);
    if (run->options->perf_budget && left < seconds) {
      return false;
    }
    if (is_due(run, &run->report.cases[i], pass, undecided)) {
      measure_again(run, &run->report.cases[i], seconds);
    }
  }
  return true;
}

/* Measures again what failed, lies near a line or was disturbed, after all cases have been
 * measured once; then once more what is still open. */
static void look_again(Acceptance *run) {
  for (int pass = 1; pass < MLUOP_PERF_LOOKS_MAX; ++pass) {
    if (!look_at_due(run, pass, true) || !look_at_due(run, pass, false)) {
      return;
    }
  }
}

/* Decides cases that ran out of time by their median. */
static void decide_the_rest(Acceptance *run) {
  run->standard.is_final = true;
  for (size_t i = 0; i < run->report.n; ++i) {
    mluopPerfCase *item = &run->report.cases[i];
    if (item->n_looks && item->verdict == MLUOP_PERF_NONE) {
      mluop_perf_judge(&run->standard, item);
      if (item->verdict != MLUOP_PERF_NONE) {
        print_case(run, item);
      }
    }
  }
}

static int remember(const Acceptance *run) {
  mluopTestText errors = {0};
  const int failed = mluop_perf_history_append(&run->report, run->options->perf_acceptance,
                                               run->standard.band, &errors);
  if (failed) {
    fprintf(stderr, "[ERROR] %s", mluop_text_get(&errors));
  }
  mluop_text_free(&errors);
  return failed;
}

static bool is_open(const Acceptance *run) {
  return run->n_done < run->n_entries || mluop_perf_report_undecided(&run->report) > 0;
}

static int run_all(Acceptance *run) {
  mluopTestText errors = {0};
  if (mluop_perf_bench_open(&run->bench, run->options, &interrupted, &errors)) {
    fprintf(stderr, "[ERROR] %s\n", mluop_text_get(&errors));
    mluop_text_free(&errors);
    return EXIT_WRONG_USE;
  }
  const struct sigaction action = {.sa_handler = note_interrupt};
  struct sigaction previous;
  sigaction(SIGINT, &action, &previous);
  printf("measuring %zu cases%s\n", run->n_entries,
         run->options->perf_budget ? ", operators in turn, as many as fit the time" : "");
  measure_all(run);
  if (run->bench.board_gbps <= 0) {
    look_again(run);
  }
  decide_the_rest(run);
  if (run->bench.on_host && !run->options->perf_budget && !interrupted) {
    mluop_perf_topologies(&run->report, run->options->perf_acceptance, run->options->perf_case_ms,
                          run->entries, run->n_entries, &interrupted);
  }
  merge_rivals(run);
  const int unwritten = write_report(run) || remember(run);
  mluop_perf_print_summary(&run->report, run->n_done, run->n_entries, run->n_refused,
                           run->options->perf_acceptance);
  sigaction(SIGINT, &previous, NULL);
  mluop_perf_bench_close(&run->bench);
  const bool misses = unwritten || mluop_perf_report_count(&run->report, MLUOP_PERF_FAIL) > 0;
  return interrupted    ? EXIT_INTERRUPTED
         : misses       ? EXIT_MISSES
         : is_open(run) ? EXIT_UNDECIDED
                        : EXIT_MEETS;
}

/* Reads the earlier runs of the machine that the report's context names. */
static int read_history(mluopPerfReport *report, const char *folder) {
  mluopTestText warnings = {0};
  const int failed = mluop_perf_history_read(report, folder, &warnings);
  if (warnings.length) {
    fprintf(stderr, "[%s] %s", failed ? "ERROR" : "WARNING", mluop_text_get(&warnings));
  }
  mluop_text_free(&warnings);
  return failed;
}

int mluop_perf_acceptance(const mluopTestOptions *options, const mluopCaseList *cases,
                          const char *command) {
  Acceptance run = {.options = options, .start_us = mluop_clock_us()};
  mluopTestText errors = {0};
  int code = EXIT_WRONG_USE;
  if (mluop_perf_report_init(&run.report) || choose_entries(&run, cases)) {
    mluop_text_add(&errors, "out of memory\n");
  } else if (!run.n_entries) {
    mluop_text_add(&errors, "--perf_acceptance: no case is chosen: %s\n",
                   cases->why_empty ? cases->why_empty : "none is of an operator of this build");
  } else if (!check_files(&run, &errors)) {
    mluop_perf_environment(run.report.context, options);
    mluop_perf_set_text(&run.report.context->command, "%s", command);
    if (!read_history(&run.report, options->perf_acceptance)) {
      code = run_all(&run);
    }
  }
  if (errors.length) {
    fprintf(stderr, "[ERROR] %s", mluop_text_get(&errors));
  }
  mluop_text_free(&errors);
  mluop_perf_report_free(&run.report);
  mluop_perf_report_free(&run.baseline);
  free(run.entries);
  return code;
}

int mluop_perf_render(const mluopTestOptions *options) {
  mluopPerfReport report = {0};
  mluopTestText errors = {0};
  char *folder = mluop_path_folder(options->perf_render);
  size_t added = 0;
  const int failed = !folder || mluop_perf_json_read(&report, options->perf_render, &errors) ||
                     (options->rivals &&
                      mluop_perf_json_merge_rivals(&report, options->rivals, &added, &errors)) ||
                     mluop_perf_pages_check(folder, &errors) || read_history(&report, folder) ||
                     mluop_perf_pages_write(&report, folder, &errors);
  if (failed) {
    fprintf(stderr, "[ERROR] %s\n", errors.length ? mluop_text_get(&errors) : "out of memory");
  } else {
    printf("report: %s/report.html; %zu rival times added\n", folder, added);
  }
  free(folder);
  mluop_text_free(&errors);
  mluop_perf_report_free(&report);
  return failed ? EXIT_WRONG_USE : EXIT_MEETS;
}
