/* SPDX-License-Identifier: MIT */
#include "perf/verdict.h"

/* Two runs of the same program differ by a little even after many rounds: a case this close below
 * its line still meets it, so that its verdict does not change from run to run. */
static const double tolerance = 0.02;

/* The stored efficiency of the same case, 0: none. */
static double stored_efficiency(const mluopPerfStandard *standard, const mluopPerfCase *item) {
  const mluopPerfCase *stored =
      standard->baseline
          ? mluop_perf_report_find(standard->baseline, item->op_name, item->case_set, item->name)
          : NULL;
  return stored ? stored->efficiency : 0;
}

mluopPerfLines mluop_perf_lines(const mluopPerfCase *item, void *standard_arg) {
  const mluopPerfStandard *standard = standard_arg;
  mluopPerfLines lines = {.n = 0};
  if (!item->waiver) {
    lines.at[lines.n++] = item->threshold - tolerance;
  }
  const double stored = stored_efficiency(standard, item);
  if (stored > 0) {
    lines.at[lines.n++] = stored * (1 - standard->band);
    lines.at[lines.n++] = stored / (1 - standard->band);
  }
  return lines;
}

void mluop_perf_judge(const mluopPerfStandard *standard, mluopPerfCase *item) {
  const double stored = stored_efficiency(standard, item);
  const double low = stored * (1 - standard->band), high = stored / (1 - standard->band);
  item->baseline_efficiency = stored;
  item->verdict = MLUOP_PERF_PASS;
  if (item->efficiency < item->threshold - tolerance) {
    item->verdict = item->waiver ? MLUOP_PERF_WAIVED : MLUOP_PERF_FAIL;
    mluop_perf_set_text(&item->reason, "%.0f %% of the %s, %.0f %% is wanted",
                        100 * item->efficiency, item->bottleneck, 100 * item->threshold);
  }
  if (stored > 0 && (item->efficiency < low || item->efficiency > high)) {
    item->verdict = MLUOP_PERF_FAIL;
    const bool slower = item->efficiency < low;
    mluop_perf_set_text(
        &item->reason, "%.0f %% of the %s, the baseline has %.0f %%: %.2f times %s%s",
        100 * item->efficiency, item->bottleneck, 100 * stored,
        slower ? stored / item->efficiency : item->efficiency / stored,
        slower ? "slower" : "faster", slower ? "" : "; a gain wants a new baseline");
  }
}
