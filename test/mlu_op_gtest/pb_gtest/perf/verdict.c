/* SPDX-License-Identifier: MIT */
#include "perf/verdict.h"

#include <stdlib.h>

#include "base/text.h"
#include "perf/sample.h"

/* Two runs of the same program differ by a little even after many rounds: a case this close below
 * its line still meets it, so that its verdict does not change from run to run. */
static const double tolerance = 0.02;
/* Measurements of one run agree better with each other than with those of the next run. An
 * efficiency this close to a line is measured again before it decides. */
static const double clearance = 0.04;

double mluop_perf_stored_efficiency(const mluopPerfStandard *standard, const mluopPerfCase *item) {
  const mluopPerfCase *stored =
      standard->baseline
          ? mluop_perf_report_find(standard->baseline, item->op_name, item->case_set, item->name)
          : NULL;
  return stored && !mluop_perf_case_is_disturbed(stored, standard->band) ? stored->efficiency : 0;
}

mluopPerfLines mluop_perf_lines(const mluopPerfCase *item, void *standard_arg) {
  const mluopPerfStandard *standard = standard_arg;
  mluopPerfLines lines = {.n = 0};
  lines.at[lines.n++] = item->waiver ? item->floor : item->threshold - tolerance;
  const double stored = mluop_perf_stored_efficiency(standard, item);
  if (stored > 0) {
    lines.at[lines.n++] = stored * (1 - standard->band);
    lines.at[lines.n++] = stored / (1 - standard->band);
  }
  return lines;
}

/* -1: the whole range is below the line, 1: at or above it, 0: the range holds the line. */
static int side_of(const mluopPerfCase *item, double line) {
  return item->efficiency_high < line ? -1 : item->efficiency_low >= line ? 1 : 0;
}

/* "3 measurements give from 39.5 to 40.4 % of the copy rate, the line is 40.0 %" */
static char *describe_range(const mluopPerfCase *item, double line, const char *of_what) {
  return mluop_text_format("%d measurement%s from %.1f to %.1f %% of the %s, the line is %.1f %%%s",
                           item->n_looks, item->n_looks == 1 ? " gives" : "s give",
                           100 * item->efficiency_low, 100 * item->efficiency_high,
                           item->bottleneck, 100 * line, of_what);
}

static void cannot_say(mluopPerfCase *item, double line, const char *of_what) {
  char *range = describe_range(item, line, of_what);
  item->verdict = MLUOP_PERF_NONE;
  mluop_perf_set_text(&item->reason, "undecided, %s", range);
  free(range);
}

static void say_median_decided(mluopPerfCase *item, double line, const char *of_what) {
  char *range = describe_range(item, line, of_what), *found = item->reason;
  item->reason = mluop_text_format("%s%sdecided by the median, %.1f %%: %s", found,
                                   *found ? "; " : "", 100 * item->efficiency, range);
  free(range);
  free(found);
}

static bool no_look_will_come(const mluopPerfStandard *standard, const mluopPerfCase *item) {
  return standard->is_final || item->n_looks == MLUOP_PERF_LOOKS_MAX;
}

static void judge_line(const mluopPerfStandard *standard, mluopPerfCase *item) {
  const double line = item->threshold - tolerance;
  const double wanted = item->waiver ? item->floor : line;
  const char *of_what = item->waiver ? ", the floor of its waiver" : "";
  const int clear_side = side_of(item, wanted);
  mluop_perf_set_text(&item->reason, "%s", "");
  if (clear_side == 0 && !no_look_will_come(standard, item)) {
    cannot_say(item, wanted, of_what);
    return;
  }
  const bool is_short = item->efficiency < wanted, is_below_line = item->efficiency < line;
  item->verdict = is_short                        ? MLUOP_PERF_FAIL
                  : item->waiver && is_below_line ? MLUOP_PERF_WAIVED
                                                  : MLUOP_PERF_PASS;
  if (is_short || is_below_line) {
    mluop_perf_set_text(&item->reason, "%.0f %% of the %s, %.0f %% is wanted%s",
                        100 * item->efficiency, item->bottleneck,
                        100 * (is_short && item->waiver ? item->floor : item->threshold),
                        is_short && item->waiver ? " in spite of the waiver" : "");
  }
  if (clear_side == 0) {
    say_median_decided(item, wanted, of_what);
  }
}

static void judge_band(const mluopPerfStandard *standard, mluopPerfCase *item) {
  static const char *const of_what = " of the baseline's band";
  const double stored = mluop_perf_stored_efficiency(standard, item);
  item->baseline_efficiency = stored;
  if (stored <= 0) {
    return;
  }
  const double low = stored * (1 - standard->band), high = stored / (1 - standard->band);
  const bool is_below = item->efficiency<low, is_above = item->efficiency> high;
  const double line = is_below ? low : high;
  const bool is_clear = is_below ? item->efficiency_high < low : item->efficiency_low > high;
  if (!is_below && !is_above) {
    return;
  }
  if (!is_clear && !no_look_will_come(standard, item)) {
    if (item->verdict != MLUOP_PERF_FAIL) {
      cannot_say(item, line, of_what);
    }
    return;
  }
  item->verdict = MLUOP_PERF_FAIL;
  mluop_perf_set_text(&item->reason, "%.0f %% of the %s, the baseline has %.0f %%: %.2f times %s%s",
                      100 * item->efficiency, item->bottleneck, 100 * stored,
                      is_below ? stored / item->efficiency : item->efficiency / stored,
                      is_below ? "slower" : "faster",
                      is_below ? "" : "; a gain wants a new baseline");
  if (!is_clear) {
    say_median_decided(item, line, of_what);
  }
}

void mluop_perf_judge(const mluopPerfStandard *standard, mluopPerfCase *item) {
  judge_line(standard, item);
  judge_band(standard, item);
  if (item->verdict == MLUOP_PERF_FAIL && item->waited > 0) {
    item->verdict = MLUOP_PERF_NONE;
    char *found = item->reason;
    item->reason = mluop_text_format(
        "undecided, the machine is too busy (threads waited for a CPU that others had %.0f %% of "
        "the "
        "time): %s",
        100 * item->waited, found);
    free(found);
  }
}

bool mluop_perf_is_settled(const mluopPerfStandard *standard, const mluopPerfCase *item) {
  if (item->n_looks == 0 || item->n_looks == MLUOP_PERF_LOOKS_MAX) {
    return true;
  }
  if (item->verdict == MLUOP_PERF_FAIL || item->verdict == MLUOP_PERF_NONE) {
    return false;
  }
  const mluopPerfLines lines = mluop_perf_lines(item, (void *)standard);
  for (int i = 0; i < lines.n; ++i) {
    if (item->efficiency_low * (1 - clearance) <= lines.at[i] &&
        lines.at[i] <= item->efficiency_high * (1 + clearance)) {
      return false;
    }
  }
  return true;
}

void mluop_perf_add_look(mluopPerfCase *item, const mluopPerfCase *again) {
  if (item->n_looks == MLUOP_PERF_LOOKS_MAX) {
    return;
  }
  /* Times of an undisturbed measurement replace those of disturbed ones. */
  if (item->waited > 0 && again->waited == 0) {
    for (int i = 0; i < MLUOP_PERF_CONTENDERS; ++i) {
      item->times[i] = again->times[i];
    }
    item->efficiency_p10 = again->efficiency_p10;
    item->efficiency_p90 = again->efficiency_p90;
    item->limit_gbps = again->limit_gbps;
  }
  item->looks[item->n_looks++] = again->looks[0];
  bool any_quiet = false;
  for (int i = 0; i < item->n_looks; ++i) {
    any_quiet |= item->looks[i].waited == 0;
  }
  mluopPerfSamples seen = {.n = 0}, waited = {.n = 0};
  const mluopPerfLook *only = NULL;
  for (int i = 0; i < item->n_looks; ++i) {
    const mluopPerfLook *look = &item->looks[i];
    mluop_perf_samples_add(&waited, look->waited);
    if (look->waited == 0 || !any_quiet) {
      mluop_perf_samples_add(&seen, look->efficiency);
      only = look;
    }
  }
  item->waited = mluop_perf_quantile(&waited, 0);
  item->efficiency = mluop_perf_quantile(&seen, 0.5);
  item->efficiency_low = seen.n == 1 ? only->low : mluop_perf_quantile(&seen, 0);
  item->efficiency_high = seen.n == 1 ? only->high : mluop_perf_quantile(&seen, 1);
}
