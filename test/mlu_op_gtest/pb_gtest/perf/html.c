/* SPDX-License-Identifier: MIT */
#include "perf/html.h"

#include <string.h>

#include "perf/plots.h"
#include "perf/svg.h"
#include "perf/html_tables.h"

static void add_tile(mluopTestText *page, const char *css, const char *name, const char *format,
                     double value) __attribute__((format(printf, 4, 0)));

static void add_tile(mluopTestText *page, const char *css, const char *name, const char *format,
                     double value) {
  mluop_text_add(page, "<div class=\"tile %s\"><b>", css);
  mluop_text_add(page, format, value);
  mluop_text_add(page, "</b><span>%s</span></div>\n", name);
}

static void add_head(const mluopPerfReport *report, mluopTestText *page) {
  const Mluoptest__PerfContext *context = report->context;
  const size_t failed = mluop_perf_report_count(report, MLUOP_PERF_FAIL);
  const size_t waived = mluop_perf_report_count(report, MLUOP_PERF_WAIVED);
  const bool is_open = !context->complete || mluop_perf_report_undecided(report) > 0;
  mluop_text_add(page, "<h1>Performance acceptance <span class=\"badge %s\">%s</span></h1>\n<p>",
                 failed              ? "fail"
                 : is_open || waived ? "part"
                                     : "pass",
                 failed    ? "below the standard"
                 : is_open ? "not decided yet"
                 : waived  ? "meets it but for waivers"
                           : "meets the standard");
  mluop_html_escape(page, context->cpu_model ? context->cpu_model : "unknown CPU");
  mluop_text_add(page, ", %d CPUs, ", context->num_cpus);
  mluop_html_escape(page, context->date ? context->date : "");
  mluop_text_add(page, ", %.0f s.", context->seconds);
  if (!context->complete && context->incomplete_reason) {
    mluop_text_add(page, " <b>Incomplete: %s.</b>", context->incomplete_reason);
  }
  if (context->cases_disturbed) {
    mluop_text_add(page, " <b>The machine was disturbed while %d of the cases were measured.</b>",
                   context->cases_disturbed);
  }
  mluop_text_add(page, "</p>\n<div class=\"tiles\">\n");
  add_tile(page, "", "GB/s copied (read + written)", "%.1f", context->copy_gbps);
  add_tile(page, "", "GB/s read", "%.1f", context->read_gbps);
  add_tile(page, "", "GFLOP/s vector math", "%.0f", context->vector_gflops);
  add_tile(page, "pass", "cases pass", "%.0f",
           (double)mluop_perf_report_count(report, MLUOP_PERF_PASS));
  add_tile(page, "waived", "waived, at or above their floors", "%.0f", (double)waived);
  add_tile(page, "fail", "fail", "%.0f", (double)failed);
  if (mluop_perf_report_undecided(report)) {
    add_tile(page, "", "undecided", "%.0f", (double)mluop_perf_report_undecided(report));
  }
  mluop_text_add(page, "</div>\n");
}

/* Lists the cases with this verdict that have a reason. */
static void add_list(const mluopPerfReport *report, mluopPerfVerdict verdict, const char *heading,
                     mluopTestText *page) {
  size_t n = 0;
  for (size_t i = 0; i < report->n; ++i) {
    n += report->cases[i].verdict == verdict && *report->cases[i].reason;
  }
  if (!n) {
    return;
  }
  mluop_text_add(page, "<div class=\"failures %s\"><h3>%s</h3><ul>\n",
                 mluop_perf_verdict_name(verdict), heading);
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (item->verdict != verdict || !*item->reason) {
      continue;
    }
    mluop_text_add(page, "<li>");
    mluop_html_escape(page, item->op_name);
    mluop_text_add(page, " / ");
    mluop_html_escape(page, item->name);
    mluop_text_add(page, ": ");
    mluop_html_escape(page, item->reason);
    if (item->waiver) {
      mluop_text_add(page, " <em>(");
      mluop_html_escape(page, item->waiver);
      mluop_text_add(page, ")</em>");
    }
    mluop_text_add(page, "</li>\n");
  }
  mluop_text_add(page, "</ul></div>\n");
}

static bool has_cases(const mluopPerfReport *report, bool of_series) {
  for (size_t i = 0; i < report->n; ++i) {
    if ((report->cases[i].series != NULL) == of_series && report->cases[i].times[0].samples) {
      return true;
    }
  }
  return false;
}

static void add_pictures(const mluopPerfReport *report, mluopTestText *page) {
  mluop_text_add(page,
                 "<h2>Efficiency</h2>\n<p>Share of the limit of the bottleneck, cold caches: the "
                 "median of the rounds, with the 10th and 90th percentile. Each round times the "
                 "operator and, right after it, a copy (or a read) of as many bytes on the same "
                 "cores. An asterisk marks a case with a waiver.</p>\n");
  mluop_plot_efficiency(report, page);
  mluop_text_add(page,
                 "<h2>Roofline</h2>\n<p>What each case moves per second, over the arithmetic it "
                 "needs per byte. The roofs are the copy rate, for operators that mostly read the "
                 "read rate, and on the right the peak of vector math. A copy reads as "
                 "much as it writes; an operator that writes more than it reads can be above "
                 "it.</p>\n");
  mluop_plot_roofline(report, page);
  mluop_text_add(page,
                 "<h2>Against others</h2>\n<p>Measured in the same run: the plain C reference on "
                 "all cores and the copy rate. Rivals come from a run of their own on the machine "
                 "named below.</p>\n");
  mluop_plot_rivals(report, page);
}

void mluop_perf_html(const mluopPerfReport *report, mluopTestText *page) {
  mluop_text_add(
      page,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>Performance acceptance</title>\n<style>\n%s</style>\n</head>\n<body><main>\n",
      mluop_perf_style);
  add_head(report, page);
  add_list(report, MLUOP_PERF_FAIL, "Below the standard", page);
  add_list(report, MLUOP_PERF_NONE, "Undecided", page);
  if (has_cases(report, false)) {
    add_pictures(report, page);
  }
  if (has_cases(report, true)) {
    mluop_text_add(page,
                   "<h2>Scaling</h2>\n<p>Over the size of the problem, and over the number of "
                   "tasks of the launch on virtual devices of 1 to 32 cores.</p>\n");
    mluop_plot_scaling(report, page);
    mluop_plot_cores(report, page);
  }
  add_list(report, MLUOP_PERF_PASS, "On the line, decided by the median", page);
  add_list(report, MLUOP_PERF_WAIVED, "Below the line, waived by the case", page);
  mluop_plot_history(report, page);
  mluop_text_add(page,
                 "<h2>All cases</h2>\n<p>Medians with the 10th and 90th percentile below. Ours is "
                 "the time from the call until the queue is empty.</p>\n");
  mluop_perf_html_cases(report, page);
  mluop_text_add(page, "<h2>Machine and run</h2>\n");
  mluop_perf_html_environment(report, page);
  mluop_text_add(
      page,
      "<footer>The standard: at least 60 %% of the bottleneck's limit at shapes common "
      "in networks, 30 %% elsewhere, or a written waiver in the case and the floor it names. The "
      "numbers of "
      "this page are in report.json and report.csv.</footer>\n</main></body>\n</html>\n");
}
