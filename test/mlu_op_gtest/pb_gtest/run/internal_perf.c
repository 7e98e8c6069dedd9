/* SPDX-License-Identifier: MIT */
#include "run/internal_perf.h"

#include <stdio.h>

#include "run/output_file.h"

static FILE *table;
static char table_name[64];
static int table_iteration = -1;
static double sum_total_ms, sum_framework_ms;

static void open_table(int iteration) {
  snprintf(table_name, sizeof(table_name), "mluop_gtest_internal_perf_%d.csv", iteration);
  table = mluop_output_open(table_name, "we");
  table_iteration = iteration;
  if (!table) {
    return;
  }
  fprintf(table, "case_path");
  for (int phase = 0; phase < MLUOP_PHASES; ++phase) {
    fprintf(table, ",%s_ms", mluop_phase_name((mluopPhase)phase));
  }
  fprintf(table, ",total_ms,framework_ms\n");
}

void mluop_internal_perf_add(const mluopTestOptions *options, int iteration,
                             const mluopCaseResult *result) {
  if (!options->internal_perf) {
    return;
  }
  if (iteration != table_iteration) {
    mluop_internal_perf_close();
    open_table(iteration);
  }
  if (!table) {
    return;
  }
  fprintf(table, "\"%s\"", result->path);
  for (int phase = 0; phase < MLUOP_PHASES; ++phase) {
    fprintf(table, ",%.3f", result->phase_ms[phase]);
  }
  const double framework_ms = mluop_result_framework_ms(result);
  fprintf(table, ",%.3f,%.3f\n", result->total_ms, framework_ms);
  sum_total_ms += result->total_ms;
  sum_framework_ms += framework_ms;
}

void mluop_internal_perf_close(void) {
  if (table) {
    mluop_output_close(table, table_name);
    table = NULL;
    printf("[ INTERNAL ] framework %.1f ms of %.1f ms, %.0f %%; the rest: operators, reference\n",
           sum_framework_ms, sum_total_ms,
           sum_total_ms > 0 ? 100 * sum_framework_ms / sum_total_ms : 0);
  }
  sum_total_ms = sum_framework_ms = 0;
  table_iteration = -1;
}
