/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of the performance acceptance: quantiles, lines and verdicts. */
#include <math.h>

#include "perf/report_json.h"
#include "perf/sample.h"
#include "perf/svg.h"
#include "perf/verdict.h"
#include "selftest/check.h"

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
    mluop_perf_samples_add(&samples, 1e9); /* more than it holds */
  }
  CHECK(samples.n == MLUOP_PERF_SAMPLES_MAX);
  const mluopPerfSamples one = {.values = {7}, .n = 1};
  CHECK(mluop_perf_quantile(&one, 0.9) == 7 && mluop_perf_median_range(&one).low == 7);
}

/* Judges an efficiency; the reason goes to `reason`. */
static mluopPerfVerdict judge(double efficiency, double threshold, const char *waiver,
                              double stored, char *reason, size_t size) {
  mluopPerfReport baseline, report;
  CHECK(!mluop_perf_report_init(&baseline) && !mluop_perf_report_init(&report));
  mluopPerfCase *item = mluop_perf_report_add(&report, "op", "perf", "case");
  item->efficiency = efficiency;
  item->threshold = threshold;
  mluop_perf_set_text(&item->bottleneck, "copy rate");
  if (waiver) {
    mluop_perf_set_text(&item->waiver, "%s", waiver);
  }
  if (stored > 0) {
    mluop_perf_report_add(&baseline, "op", "perf", "case")->efficiency = stored;
  }
  const mluopPerfStandard standard = {.baseline = stored > 0 ? &baseline : NULL, .band = 0.25};
  mluop_perf_judge(&standard, item);
  const mluopPerfVerdict verdict = item->verdict;
  const mluopPerfLines lines = mluop_perf_lines(item, (void *)&standard);
  CHECK(lines.n == (waiver ? 0 : 1) + (stored > 0 ? 2 : 0));
  snprintf(reason, size, "%s", item->reason);
  mluop_perf_report_free(&report);
  mluop_perf_report_free(&baseline);
  return verdict;
}

static void test_verdicts(void) {
  char reason[256];
  CHECK(judge(0.61, 0.6, NULL, 0, reason, sizeof(reason)) == MLUOP_PERF_PASS);
  CHECK(judge(0.59, 0.6, NULL, 0, reason, sizeof(reason)) == MLUOP_PERF_PASS); /* at the line */
  CHECK(judge(0.50, 0.6, NULL, 0, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "50 % of the copy rate, 60 % is wanted");
  CHECK(judge(0.50, 0.3, NULL, 0, reason, sizeof(reason)) == MLUOP_PERF_PASS);
  CHECK(judge(0.50, 0.6, "rows of 128 bytes", 0, reason, sizeof(reason)) == MLUOP_PERF_WAIVED);
  CHECK(judge(0.80, 0.6, NULL, 0.9, reason, sizeof(reason)) == MLUOP_PERF_PASS);
  CHECK(judge(0.65, 0.6, NULL, 0.9, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "the baseline has 90 %: 1.38 times slower");
  CHECK(judge(0.95, 0.6, NULL, 0.7, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
  CHECK_CONTAINS(reason, "faster; a gain wants a new baseline");
  /* a waiver is for the line, not for a loss */
  CHECK(judge(0.20, 0.6, "rows of 128 bytes", 0.4, reason, sizeof(reason)) == MLUOP_PERF_FAIL);
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
  test_verdicts();
  test_grouping();
  test_drawing();
  return check_result("perf_verdict");
}
