/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of the performance acceptance: quantiles, lines and verdicts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "perf/compare.h"
#include "perf/cpu_use.h"
#include "perf/history.h"
#include "perf/plots.h"
#include "perf/report_json.h"
#include "perf/sample.h"
#include "perf/svg.h"
#include "perf/verdict.h"
#include "selftest/check.h"
#include "test/common/scratch.h"

static void test_samples(void) {
  mluopPerfSamples samples = {.n = 0};
  CHECK(mluop_perf_quantile(&samples, 0.5) == 0);
  for (int i = 100; i >= 0; --i) {
    mluop_perf_samples_add(&samples, i);
  }
  CHECK(mluop_perf_quantile(&samples, 0.5) == 50);
  CHECK(fabs(mluop_perf_quantile(&samples, 0.1) - 10) < 1e-9);
  CHECK(fabs(mluop_perf_quantile(&samples, 0.9) - 90) < 1e-9);
  const mluopPerfRange range = mluop_perf_median_range(&samples);
  CHECK(range.low >= 38 && range.low <= 42 && range.high >= 58 && range.high <= 62);
  for (int i = 0; i < MLUOP_PERF_SAMPLES_MAX; ++i) {
    mluop_perf_samples_add(&samples, 1e9); /* beyond its capacity */
  }
  CHECK(samples.n == MLUOP_PERF_SAMPLES_MAX);
  const mluopPerfSamples one = {.values = {7}, .n = 1};
  CHECK(mluop_perf_quantile(&one, 0.9) == 7 && mluop_perf_median_range(&one).low == 7);
}

/* The limit of vector arithmetic is measured while no other process has the CPUs. */
static void test_vector_math(void) {
  mluopPerfSamples gflops = {.n = 0}, waited = {.n = 0};
  CHECK(mluop_perf_steady(&gflops, &waited).median == 0);
  for (int i = 0; i < 20; ++i) {
    const bool disturbed = i != 7;
    mluop_perf_samples_add(&gflops, disturbed ? 40 : 100);
    mluop_perf_samples_add(&waited, disturbed ? 0.6 : 0);
  }
  const mluopPerfSteady quiet = mluop_perf_steady(&gflops, &waited);
  CHECK(quiet.median == 100 && quiet.waited == 0);
  waited.values[7] = 0.6;
  const mluopPerfSteady busy = mluop_perf_steady(&gflops, &waited);
  CHECK(busy.median == 40 && busy.waited == 0.6);
}

static bool is_even(int cpu, void *arg) {
  ++*(int *)arg;
  return cpu % 2 == 0;
}

/* The counters of /proc/stat, only for the CPUs that may be used. */
static void test_idle_time(void) {
  char text[] =
      "cpu  400 0 0 6000 40 0 0 0 0 0\n"
      "cpu0 100 0 0 1000 10 0 0 0 0 0\n"
      "cpu1 100 0 0 2000 10 0 0 0 0 0\n"
      "cpu2 100 0 0 3000 20 0 0 0 0 0\n"
      "intr 17 3\n";
  int asked = 0;
  const double tick_us = 1e6 / (double)sysconf(_SC_CLK_TCK);
  FILE *file = fmemopen(text, strlen(text), "r");
  const mluopPerfCpuUse use = mluop_perf_read_idle(file, is_even, &asked);
  CHECK(use.cpus == 2 && asked == 3 && use.idle_us == 4030 * tick_us);
  CHECK(use.error_us == 2 * tick_us);
  fclose(file);
  char zeros[] = "cpu0 0 0 0 0 0 0 0 0 0 0\n"; /* as in some containers */
  file = fmemopen(zeros, strlen(zeros), "r");
  CHECK(mluop_perf_read_idle(file, is_even, &asked).cpus == 0);
  fclose(file);
}

/* CPUs that were neither idle nor ours during one second on two CPUs; counters have steps of 10 ms.
 */
static double cpus_of_others(double own_us, double idle_us) {
  const mluopPerfCpuUse from = {.now_us = 5e6, .own_us = 1e6, .idle_us = 7e6, .cpus = 2};
  const mluopPerfCpuUse to = {
      .now_us = 6e6, .own_us = 1e6 + own_us, .idle_us = 7e6 + idle_us, .error_us = 2e4, .cpus = 2};
  return mluop_perf_cpus_of_others(&from, &to);
}

static void test_others(void) {
  CHECK(cpus_of_others(2e6, 0) == 0);                /* we used both CPUs */
  CHECK(cpus_of_others(1e6, 1e6) == 0);              /* the rest was idle */
  CHECK(cpus_of_others(0.5e6, 1.485e6) == 0);        /* within the resolution of the counters */
  CHECK(fabs(cpus_of_others(1e6, 0) - 0.98) < 1e-9); /* another process had one CPU */
  CHECK(fabs(cpus_of_others(0.9e6, 0.5e6) - 0.58) < 1e-9);
  const mluopPerfCpuUse unknown = {.cpus = 0};
  CHECK(isinf(mluop_perf_cpus_of_others(&unknown, &unknown)));
  const mluopPerfCpuUse now = mluop_perf_cpu_use();
  CHECK(now.own_us > 0 && now.now_us > 0);
}

/* Waiting caused by our own threads is not a disturbance. */
static void test_own_waiting(void) {
  mluopPerfSamples us = {.n = 0}, waited = {.n = 0};
  for (int i = 0; i < 9; ++i) {
    mluop_perf_samples_add(&us, 600);
    mluop_perf_samples_add(&waited, 0.7); /* eight ranks on two CPUs */
  }
  mluopPerfSamples for_others = mluop_perf_waited_for_others(&waited, &us, 0.03);
  CHECK(fabs(for_others.values[4] - 0.03) < 1e-9);
  mluopPerfClean clean = mluop_perf_clean(&for_others, 5);
  CHECK(clean.n == 9 && clean.waited == 0);
  /* the same ranks, while another process has a CPU half of the time */
  for_others = mluop_perf_waited_for_others(&waited, &us, 0.5);
  clean = mluop_perf_clean(&for_others, 5);
  CHECK(fabs(clean.waited - 0.5) < 1e-9);
  /* if the system does not show who it was, all waiting counts */
  for_others = mluop_perf_waited_for_others(&waited, &us, INFINITY);
  CHECK(for_others.n == 9 && for_others.values[0] == 0.7);
  /* load that affects one round disturbs only that round */
  for (int i = 0; i < 9; ++i) {
    waited.values[i] = i == 3 ? 0.9 : 0;
  }
  for_others = mluop_perf_waited_for_others(&waited, &us, 0.1);
  clean = mluop_perf_clean(&for_others, 5);
  CHECK(for_others.values[3] == 0.9 && clean.n == 8 && clean.waited == 0);
}

/* Judges an efficiency; the reason goes to `reason`. */
static mluopPerfVerdict judge(double efficiency, double threshold, const char *waiver,
                              double stored, char *reason, size_t size) {
  mluopPerfReport baseline, report;
  CHECK(!mluop_perf_report_init(&baseline) && !mluop_perf_report_init(&report));
  mluopPerfCase *item = mluop_perf_report_add(&report, "op", "perf", "case");
  item->efficiency = item->efficiency_low = item->efficiency_high = efficiency;
  item->threshold = threshold;
  item->n_looks = 1;
  mluop_perf_set_text(&item->bottleneck, "copy rate");
  if (waiver) {
    mluop_perf_set_text(&item->waiver, "%s", waiver);
    item->floor = 0.3;
  }
  if (stored > 0) {
    mluopPerfCase *kept = mluop_perf_report_add(&baseline, "op", "perf", "case");
    kept->efficiency = kept->efficiency_low = kept->efficiency_high = stored;
  }
  const mluopPerfStandard standard = {.baseline = stored > 0 ? &baseline : NULL, .band = 0.25};
  mluop_perf_judge(&standard, item);
  const mluopPerfVerdict verdict = item->verdict;
  const mluopPerfLines lines = mluop_perf_lines(item, (void *)&standard);
  CHECK(lines.n == 1 + (stored > 0 ? 2 : 0));
  snprintf(reason, size, "%s", item->reason);
  mluop_perf_report_free(&report);
  mluop_perf_report_free(&baseline);
  return verdict;
}

static void test_verdicts(void) {
  char reason[256];
  CHECK(judge(0.61, 0.6, NULL, 0, reason, sizeof(reason)) == MLUOP_PERF_PASS);
  CHECK(judge(0.59, 0.6, NULL, 0, reason, sizeof(reason)) == MLUOP_PERF_PASS); /* on the line */
  CHECK(judge(0.50, 0.6, NULL, 0, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "50 % of the copy rate, 60 % is wanted");
  CHECK(judge(0.50, 0.3, NULL, 0, reason, sizeof(reason)) == MLUOP_PERF_PASS);
  CHECK(judge(0.50, 0.6, "rows of 128 bytes", 0, reason, sizeof(reason)) == MLUOP_PERF_WAIVED);
  CHECK_CONTAINS(reason, "50 % of the copy rate");
  /* meeting the standard passes, whatever the waiver; below its floor nothing is waived */
  CHECK(judge(0.65, 0.6, "rows of 128 bytes", 0, reason, sizeof(reason)) == MLUOP_PERF_PASS);
  CHECK(!*reason);
  CHECK(judge(0.30, 0.6, "rows of 128 bytes", 0, reason, sizeof(reason)) == MLUOP_PERF_WAIVED);
  CHECK(judge(0.29, 0.6, "rows of 128 bytes", 0, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "29 % of the copy rate, 30 % is wanted in spite of the waiver");
  CHECK(judge(0.80, 0.6, NULL, 0.9, reason, sizeof(reason)) == MLUOP_PERF_PASS);
  CHECK(judge(0.65, 0.6, NULL, 0.9, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "the baseline has 90 %: 1.38 times slower");
  CHECK(judge(0.95, 0.6, NULL, 0.7, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "faster; a gain wants a new baseline");
  /* a waiver is for the line, not for a regression */
  CHECK(judge(0.20, 0.6, "rows of 128 bytes", 0.4, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
}

/* A case with one measurement of its own, with a range of 2 %. */
static mluopPerfCase *add_looked(mluopPerfReport *report, const char *name, double efficiency,
                                 double waited) {
  mluopPerfCase *item = mluop_perf_report_add(report, "op", "perf", name);
  item->efficiency = efficiency;
  item->efficiency_low = 0.99 * efficiency;
  item->efficiency_high = 1.01 * efficiency;
  item->waited = waited;
  item->threshold = 0.6;
  item->looks[0] = (mluopPerfLook){efficiency, item->efficiency_low, item->efficiency_high, waited};
  item->n_looks = 1;
  item->times[MLUOP_PERF_OURS] = (mluopPerfTime){.median_us = 1, .samples = 9};
  mluop_perf_set_text(&item->bottleneck, "copy rate");
  return item;
}

/* Measures a case with the given efficiencies; `looks` receives how many were used. */
static mluopPerfVerdict look(const double *efficiencies, const double *waited, int *looks,
                             char *reason, size_t size) {
  const mluopPerfStandard standard = {.band = 0.25};
  mluopPerfReport report;
  CHECK(!mluop_perf_report_init(&report));
  mluopPerfCase *item = add_looked(&report, "case", efficiencies[0], waited[0]);
  mluop_perf_judge(&standard, item);
  for (int i = 1; !mluop_perf_is_settled(&standard, item); ++i) {
    mluopPerfReport scratch;
    CHECK(!mluop_perf_report_init(&scratch));
    mluop_perf_add_look(item, add_looked(&scratch, "case", efficiencies[i], waited[i]));
    mluop_perf_judge(&standard, item);
    mluop_perf_report_free(&scratch);
  }
  *looks = item->n_looks;
  snprintf(reason, size, "%s", item->reason);
  const mluopPerfVerdict verdict = item->verdict;
  mluop_perf_report_free(&report);
  return verdict;
}

static void test_looks(void) {
  static const struct {
    double efficiencies[3], waited[3];
    mluopPerfVerdict wanted;
    int looks;
  } cases[] = {
      {{0.80, 0, 0}, {0, 0, 0}, MLUOP_PERF_PASS, 1},       /* far from the line */
      {{0.60, 0.61, 0.62}, {0, 0, 0}, MLUOP_PERF_PASS, 3}, /* near the line, always above */
      {{0.50, 0.51, 0.49}, {0, 0, 0}, MLUOP_PERF_FAIL, 3}, /* a failure is measured again */
      {{0.50, 0.51, 0.66}, {0, 0, 0}, MLUOP_PERF_FAIL, 3}, /* contradictory: the median decides */
      {{0.57, 0.6, 0.59}, {0, 0, 0}, MLUOP_PERF_PASS, 3},
      {{0.50, 0.75, 0.74}, {0.3, 0, 0}, MLUOP_PERF_PASS, 2},     /* the first one was disturbed */
      {{0.50, 0.51, 0.50}, {0.3, 0.2, 0.4}, MLUOP_PERF_NONE, 3}, /* all were disturbed */
  };
  char reason[256];
  int looks = 0;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    CHECK(look(cases[i].efficiencies, cases[i].waited, &looks, reason, sizeof(reason)) ==
          cases[i].wanted);
    CHECK(looks == cases[i].looks);
  }
  CHECK_CONTAINS(reason, "too busy (threads waited for a CPU that others had 20 %");
}

/* A case after one measurement whose range contains its line, with no time left for another
 * (`is_final`). */
static mluopPerfVerdict end_on_line(double efficiency, bool is_waived, double waited,
                                    const mluopPerfStandard *standard, char *reason, size_t size) {
  mluopPerfReport report;
  CHECK(!mluop_perf_report_init(&report));
  mluopPerfCase *item = add_looked(&report, "case", efficiency, waited);
  if (is_waived) {
    mluop_perf_set_text(&item->waiver, "rows of 128 bytes");
    item->floor = 0.4;
  }
  mluop_perf_judge(standard, item);
  snprintf(reason, size, "%s", item->reason);
  const mluopPerfVerdict verdict = item->verdict;
  mluop_perf_report_free(&report);
  return verdict;
}

/* A range that contains the line needs another measurement; at the end of the run the median
 * decides. */
static void test_on_the_line(void) {
  mluopPerfStandard standard = {.band = 0.25};
  char reason[256];
#define END(efficiency, is_waived, waited) \
  end_on_line(efficiency, is_waived, waited, &standard, reason, sizeof(reason))
  CHECK(END(0.578, false, 0) == MLUOP_PERF_NONE);
  CHECK_CONTAINS(reason, "undecided, 1 measurement gives from 57.2 to 58.4 % of the copy rate");
  standard.is_final = true;
  CHECK(END(0.578, false, 0) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason,
                 "58 % of the copy rate, 60 % is wanted; decided by the median, 57.8 %: 1 ");
  CHECK_CONTAINS(reason, "from 57.2 to 58.4 % of the copy rate, the line is 58.0 %");
  CHECK(END(0.582, false, 0) == MLUOP_PERF_PASS);
  CHECK_CONTAINS(reason, "decided by the median, 58.2 %");
  CHECK(END(0.399, true, 0) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "the line is 40.0 %, the floor of its waiver");
  CHECK(END(0.401, true, 0) == MLUOP_PERF_WAIVED);
  CHECK_CONTAINS(reason, "decided by the median, 40.1 %");
  /* disturbed by others: it can pass, but not fail */
  CHECK(END(0.578, false, 0.3) == MLUOP_PERF_NONE);
  CHECK_CONTAINS(reason, "too busy");
  CHECK(END(0.582, false, 0.3) == MLUOP_PERF_PASS);
  /* far from the line the end changes nothing */
  CHECK(END(0.7, false, 0) == MLUOP_PERF_PASS && !*reason);
  /* the band of a baseline */
  mluopPerfReport baseline;
  CHECK(!mluop_perf_report_init(&baseline));
  add_looked(&baseline, "case", 0.8, 0);
  standard = (mluopPerfStandard){.baseline = &baseline, .band = 0.25};
  CHECK(END(0.598, false, 0) == MLUOP_PERF_NONE);
  standard.is_final = true;
  CHECK(END(0.598, false, 0) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "1.34 times slower; decided by the median, 59.8 %");
  CHECK(END(0.602, false, 0) == MLUOP_PERF_PASS);
  mluop_perf_report_free(&baseline);
#undef END
}

static void test_agreement(void) {
  mluopPerfReport a, b;
  CHECK(!mluop_perf_report_init(&a) && !mluop_perf_report_init(&b));
  static const mluopPerfVerdict verdicts[][2] = {{MLUOP_PERF_PASS, MLUOP_PERF_PASS},
                                                 {MLUOP_PERF_WAIVED, MLUOP_PERF_PASS},
                                                 {MLUOP_PERF_PASS, MLUOP_PERF_NONE},
                                                 {MLUOP_PERF_FAIL, MLUOP_PERF_PASS}};
  static const char *const names[] = {"1", "2", "3", "4"};
  for (size_t i = 0; i < 4; ++i) {
    add_looked(&a, names[i], 0.5, 0)->verdict = verdicts[i][0];
    add_looked(&b, names[i], i == 3 ? 0.75 : 0.51, 0)->verdict = verdicts[i][1];
  }
  add_looked(&a, "only here", 0.5, 0);
  const mluopPerfAgreement sum = mluop_perf_agreement(&a, &b);
  CHECK(sum.cases == 4 && sum.same == 1 && sum.undecided == 1 && sum.contradicted == 1);
  CHECK(fabs(sum.median_shift - 0.02) < 1e-9 && fabs(sum.largest_shift - 0.5) < 1e-9);
  mluop_perf_report_free(&a);
  mluop_perf_report_free(&b);
}

/* A stored efficiency that is too inexact to compare with is ignored. */
static void test_disturbed_baseline(void) {
  mluopPerfReport baseline, report;
  CHECK(!mluop_perf_report_init(&baseline) && !mluop_perf_report_init(&report));
  const mluopPerfStandard standard = {.baseline = &baseline, .band = 0.25};
  mluopPerfCase *stored = add_looked(&baseline, "case", 0.9, 0);
  const mluopPerfCase *item = add_looked(&report, "case", 0.5, 0);
  CHECK(mluop_perf_stored_efficiency(&standard, item) == 0.9);
  stored->waited = 0.2;
  CHECK(mluop_perf_stored_efficiency(&standard, item) == 0);
  stored->waited = 0;
  stored->efficiency_low = 0.6; /* known to a third only */
  CHECK(mluop_perf_stored_efficiency(&standard, item) == 0);
  stored->efficiency_low = 0.89;
  stored->times[MLUOP_PERF_COPY] = (mluopPerfTime){.p10_us = 10, .p90_us = 25, .samples = 9};
  CHECK(mluop_perf_stored_efficiency(&standard, item) == 0);
  mluop_perf_report_free(&baseline);
  mluop_perf_report_free(&report);
}

static void test_history(void) {
  char folder[SCRATCH_PATH];
  mluopTestText text = {0};
  CHECK(mkdtemp(scratch_path(folder, "mluop_history")) != NULL);
  mluopPerfReport report;
  for (int run = 0; run < 6; ++run) {
    CHECK(!mluop_perf_report_init(&report));
    Mluoptest__PerfContext *context = report.context;
    mluop_perf_set_text(&context->cpu_model, "%s", run == 1 ? "another" : "this");
    mluop_perf_set_text(&context->date, "day %d", run);
    mluop_perf_set_text(&context->commit, "abc");
    CHECK(!mluop_perf_history_read(&report, folder, &text) && !text.length);
    /* the second run was on another machine */
    CHECK(report.n_past == (run == 0 ? 0 : run == 1 ? 0 : (size_t)run - 1));
    mluopPerfCase *item =
        add_looked(&report, "case", run == 5 ? 0.6 : 0.7 + 0.01 * run, run == 4 ? 0.3 : 0);
    if (run == 5) {
      const mluopPerfPast past = mluop_perf_past_of(&report, item);
      CHECK(past.n == 3); /* 0.70, 0.72 and 0.73; the fifth run was disturbed */
      CHECK(past.low == 0.7 && past.high == 0.73 && past.median == 0.72);
      CHECK(mluop_perf_drift(&report, item) == 0); /* three are not enough for a verdict */
    }
    CHECK(!mluop_perf_history_append(&report, folder, 0.25, &text));
    mluop_perf_report_free(&report);
  }
  /* a line truncated by a kill is skipped, reported, and does not damage the next one */
  char *path = mluop_path_join(folder, MLUOP_PERF_HISTORY_FILE);
  FILE *file = fopen(path, "ae");
  CHECK(file && fputs("{\"date\": \"day", file) > 0 && !fclose(file));
  CHECK(!mluop_perf_report_init(&report));
  mluop_perf_set_text(&report.context->cpu_model, "this");
  mluopPerfCase *item = add_looked(&report, "case", 0.5, 0);
  CHECK(!mluop_perf_history_append(&report, folder, 0.25, &text) && !text.length);
  CHECK(!mluop_perf_history_read(&report, folder, &text));
  CHECK_CONTAINS(mluop_text_get(&text), "history.jsonl:7: ");
  CHECK(report.n_past == 5); /* the sixth is this run */
  CHECK(mluop_perf_drift(&report, item) == -1);
  mluopTestText page = {0};
  mluop_plot_history(&report, &page);
  CHECK_CONTAINS(mluop_text_get(&page), "dot worse");
  CHECK_CONTAINS(mluop_text_get(&page), "50 %, before 71 (60 to 73) lower");
  mluop_text_free(&page);
  mluop_text_free(&text);
  mluop_perf_report_free(&report);
  CHECK(!remove(path) && !rmdir(folder));
  free(path);
}

static void test_grouping(void) {
  mluopPerfReport report;
  CHECK(!mluop_perf_report_init(&report));
  static const char *const order[][2] = {
      {"a", "1"}, {"b", "1"}, {"a", "2"}, {"c", "1"}, {"b", "2"}};
  for (size_t i = 0; i < 5; ++i) {
    CHECK(mluop_perf_report_add(&report, order[i][0], "perf", order[i][1]) != NULL);
  }
  mluop_perf_report_group(&report);
  static const char *const wanted[][2] = {
      {"a", "1"}, {"a", "2"}, {"b", "1"}, {"b", "2"}, {"c", "1"}};
  for (size_t i = 0; i < 5; ++i) {
    CHECK(!strcmp(report.cases[i].op_name, wanted[i][0]));
    CHECK(!strcmp(report.cases[i].name, wanted[i][1]));
  }
  mluop_perf_report_free(&report);
}

static void test_drawing(void) {
  const mluopSvgScale linear = {.from = 0, .to = 10, .pixel = 100, .pixel_end = 200};
  CHECK(mluop_svg_at(&linear, 5) == 150 && mluop_svg_at(&linear, 99) == 200);
  CHECK(mluop_svg_next_tick(&linear, -INFINITY) == 0 && mluop_svg_next_tick(&linear, 0) == 2);
  const mluopSvgScale log_scale = {.from = 1, .to = 100, .pixel = 0, .pixel_end = 100, .log = true};
  CHECK(fabs(mluop_svg_at(&log_scale, 10) - 50) < 1e-9);
  CHECK(fabs(mluop_svg_next_tick(&log_scale, 2) - 5) < 1e-9);
  char number[32];
  mluop_svg_short_number(1536000, number, sizeof(number));
  CHECK(!strcmp(number, "1.54 M"));
  mluopTestText text = {0};
  mluop_html_escape(&text, "<a & \"b\">");
  CHECK(!strcmp(mluop_text_get(&text), "&lt;a &amp; &quot;b&quot;&gt;"));
  mluop_text_free(&text);
}

int main(void) {
  test_samples();
  test_vector_math();
  test_idle_time();
  test_others();
  test_own_waiting();
  test_verdicts();
  test_looks();
  test_on_the_line();
  test_agreement();
  test_disturbed_baseline();
  test_history();
  test_grouping();
  test_drawing();
  return check_result("perf_verdict");
}
