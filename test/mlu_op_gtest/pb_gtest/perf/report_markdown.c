/* SPDX-License-Identifier: MIT */
#include "perf/report_markdown.h"

#include <string.h>

static void add_head(const mluopPerfReport *report, mluopTestText *page) {
  const Mluoptest__PerfContext *context = report->context;
  mluop_text_add(page,
                 "# Performance\n\nThis page was written by `mluop_gtest --perf_acceptance`; do "
                 "not edit it.\n\n"
                 "- machine: %s, %d CPUs, %s, %s\n- command: `%s`\n- date: %s, commit %s, %s\n",
                 context->cpu_model, context->num_cpus, context->vector_isa, context->system,
                 context->command, context->date, context->commit, context->compiler);
  if (context->settings && *context->settings) {
    mluop_text_add(page, "- settings: `%s`\n", context->settings);
  }
  mluop_text_add(page,
                 "- limits measured in the same run: copy %.1f GB/s (%s), read %.1f GB/s, vector "
                 "math %.0f GFLOP/s\n- verdict: %zu cases pass, %zu are waived, %zu fail, %zu "
                 "undecided%s%s\n",
                 context->copy_gbps, context->copy_method, context->read_gbps,
                 context->vector_gflops, mluop_perf_report_count(report, MLUOP_PERF_PASS),
                 mluop_perf_report_count(report, MLUOP_PERF_WAIVED),
                 mluop_perf_report_count(report, MLUOP_PERF_FAIL),
                 mluop_perf_report_undecided(report), context->complete ? "" : "; incomplete: ",
                 context->complete ? "" : context->incomplete_reason);
  if (report->n && report->cases[0].time_class) {
    mluop_text_add(page, "- times are estimates: `report.html` has the class of each\n");
  }
  if (context->rivals && *context->rivals) {
    mluop_text_add(page, "- rivals: %s\n", context->rivals);
  }
  mluop_text_add(page,
                 "\nTimes are medians in microseconds with cold caches, from the call until the "
                 "queue is empty. The efficiency is the share of the bottleneck's limit, measured "
                 "round by round beside the operator; 60 %% is wanted at network shapes, 30 %% "
                 "elsewhere.\n");
}

static void add_times_of_others(mluopTestText *page, const mluopPerfCase *item) {
  const double us = item->times[MLUOP_PERF_OURS].median_us;
  const mluopPerfTime *reference = &item->times[MLUOP_PERF_REFERENCE];
  if (reference->samples && us > 0) {
    mluop_text_add(page, "%.1fx", reference->median_us / us);
  }
  mluop_text_add(page, " | ");
  for (size_t i = 0; i < item->n_rivals && us > 0; ++i) {
    mluop_text_add(page, "%s%s %.1fx", i ? ", " : "", item->rivals[i].name,
                   item->rivals[i].time.median_us / us);
  }
}

static void add_case(mluopTestText *page, const mluopPerfCase *item) {
  mluop_text_add(page, "| %s | %s | %.1f | %.1f | %.1f | %.0f %% (%s) | ", item->name,
                 item->data_type, item->theory_bytes * 1e-6, item->times[MLUOP_PERF_OURS].median_us,
                 item->times[MLUOP_PERF_OURS_WARM].median_us, 100 * item->efficiency,
                 item->bottleneck);
  add_times_of_others(page, item);
  mluop_text_add(page, " | %s |\n", mluop_perf_verdict_name(item->verdict));
}

static void add_reasons(const mluopPerfReport *report, mluopTestText *page) {
  bool headed = false;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!*item->reason) {
      continue;
    }
    if (!headed) {
      mluop_text_add(page, "\n## Cases below or on their line, or undecided\n\n");
      headed = true;
    }
    mluop_text_add(page, "- `%s/%s` (%s): %s%s%s\n", item->op_name, item->name,
                   mluop_perf_verdict_name(item->verdict), item->reason, item->waiver ? ". " : "",
                   item->waiver ? item->waiver : "");
  }
}

static bool is_of_cores(const mluopPerfCase *item) {
  return mluop_perf_case_is_of(item, "cores");
}

/* A row per operator; points rise with the number of cores. */
static void add_cores(const mluopPerfReport *report, mluopTestText *page) {
  for (size_t i = 0, rows = 0; i < report->n; ++i) {
    if (!is_of_cores(&report->cases[i]) || !mluop_perf_starts_operator(report, i, is_of_cores)) {
      continue;
    }
    mluopTestText header = {0}, line = {0}, row = {0};
    for (size_t k = i; k < report->n && !strcmp(report->cases[k].op_name, report->cases[i].op_name);
         ++k) {
      const mluopPerfCase *item = &report->cases[k];
      if (is_of_cores(item)) {
        mluop_text_add(&header, " %.0f |", item->series_x);
        mluop_text_add(&line, "---|");
        mluop_text_add(&row, " %.1f |", item->times[MLUOP_PERF_OURS].median_us);
      }
    }
    if (rows++ == 0) {
      mluop_text_add(
          page,
          "\n## Cores\n\nThe first network shape of each operator on some of the cores, cold "
          "caches, microseconds.\n\n| operator |%s\n|---|%s\n",
          mluop_text_get(&header), mluop_text_get(&line));
    }
    mluop_text_add(page, "| %s |%s\n", report->cases[i].op_name, mluop_text_get(&row));
    mluop_text_free(&header);
    mluop_text_free(&line);
    mluop_text_free(&row);
  }
}

void mluop_perf_markdown(const mluopPerfReport *report, mluopTestText *page) {
  const char *last = "";
  add_head(report, page);
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (mluop_perf_case_is_point(item)) {
      continue;
    }
    if (strcmp(item->op_name, last)) {
      last = item->op_name;
      mluop_text_add(page,
                     "\n## %s\n\n| case | type | MB | cold us | warm us | efficiency | plain C "
                     "reference | rivals | verdict |\n|---|---|---|---|---|---|---|---|---|\n",
                     last);
    }
    add_case(page, item);
  }
  add_cores(report, page);
  add_reasons(report, page);
}
