/* SPDX-License-Identifier: MIT */
#include "perf/console.h"

#include <stdio.h>

#include "perf/history.h"

void mluop_perf_print_case(const mluopPerfCase *item, size_t n_done, size_t n_known,
                           bool with_reason) {
  static const char *const marks[] = {"[OPEN]", "[PASS]", "[WAIV]", "[FAIL]"};
  const mluopPerfTime *ours = &item->times[MLUOP_PERF_OURS];
  printf("%s %3zu/%zu  %-42s %-44s", marks[item->verdict], n_done, n_known, item->op_name,
         item->name);
  if (ours->samples) {
    printf(" %10.1f us %4.0f %% of the %s", ours->median_us, 100 * item->efficiency,
           item->bottleneck);
  }
  const mluopPerfTime *reference = &item->times[MLUOP_PERF_REFERENCE];
  if (reference->samples) {
    printf(", reference %.1fx", reference->median_us / ours->median_us);
  }
  if (item->time_class) {
    printf("; %s", item->time_class);
  }
  printf("\n");
  if (item->verdict == MLUOP_PERF_FAIL || item->verdict == MLUOP_PERF_NONE || with_reason) {
    printf("       %s\n", item->reason);
  }
  fflush(stdout);
}

void mluop_perf_print_summary(const mluopPerfReport *report, size_t n_done, size_t n_known,
                              size_t n_refused, const char *folder) {
  const Mluoptest__PerfContext *context = report->context;
  printf(
      "\nmachine: %s, %d CPUs; copy %.1f GB/s (%s), read %.1f GB/s, vector math %.0f GFLOP/s\n"
      "%zu of %zu cases in %.0f s: %zu pass, %zu waived, %zu fail, %zu undecided%s%s\n",
      context->cpu_model, context->num_cpus, context->copy_gbps, context->copy_method,
      context->read_gbps, context->vector_gflops, n_done, n_known, context->seconds,
      mluop_perf_report_count(report, MLUOP_PERF_PASS),
      mluop_perf_report_count(report, MLUOP_PERF_WAIVED),
      mluop_perf_report_count(report, MLUOP_PERF_FAIL), mluop_perf_report_undecided(report),
      context->complete ? "" : "; incomplete: ", context->incomplete_reason);
  if (n_refused) {
    printf("%zu cases were refused as this device must: it has no bfloat16\n", n_refused);
  }
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (item->verdict == MLUOP_PERF_FAIL) {
      printf("  below the standard: %s/%s: %s\n", item->op_name, item->name, item->reason);
    }
    const int drift = mluop_perf_drift(report, item);
    if (drift) {
      printf("  %s than in earlier runs: %s/%s: %.0f %%, before %.0f %%\n",
             drift < 0 ? "lower" : "higher", item->op_name, item->name, 100 * item->efficiency,
             100 * mluop_perf_past_of(report, item).median);
    }
  }
  if (context->cases_disturbed) {
    printf("%d cases were disturbed: as a baseline they would be left out\n",
           context->cases_disturbed);
  }
  printf("report: %s/report.html, report.json, report.csv, performance.md, %s\n", folder,
         MLUOP_PERF_HISTORY_FILE);
  fflush(stdout);
}
