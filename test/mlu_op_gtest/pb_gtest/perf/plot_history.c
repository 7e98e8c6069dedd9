/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "perf/history.h"
#include "perf/plots.h"
#include "perf/svg.h"

enum { LEFT = 400, RIGHT = 190, TOP = 12, ROW = 24, HEADING = 30, BOTTOM = 8, RUNS_SHOWN = 40 };

static const mluopPerfReport *shown_report; /* is_shown() has no other way to it */

static bool is_shown(const mluopPerfCase *item) {
  for (size_t i = 0; item->n_looks && i < shown_report->n_past; ++i) {
    if (mluop_perf_past_case(shown_report->past[i], item)) {
      return true;
    }
  }
  return false;
}

/* The rows scale on their own: from nothing to a little more than the most they show. */
static void add_row(const mluopPerfReport *report, const mluopPerfCase *item, double top,
                    mluopTestText *page) {
  const mluopPerfPast past = mluop_perf_past_of(report, item);
  const size_t skipped = report->n_past > RUNS_SHOWN ? report->n_past - RUNS_SHOWN : 0;
  const size_t n = report->n_past - skipped;
  double most = item->efficiency;
  for (size_t i = skipped; i < report->n_past; ++i) {
    const Mluoptest__PerfRunCase *entry = mluop_perf_past_case(report->past[i], item);
    most = entry && entry->efficiency > most ? entry->efficiency : most;
  }
  const mluopSvgScale x = {
      .from = 0, .to = (double)n, .pixel = LEFT, .pixel_end = MLUOP_PLOT_WIDTH - RIGHT};
  const mluopSvgScale y = {
      .from = 0, .to = most * 1.05, .pixel = top + ROW - 3, .pixel_end = top + 3};
  mluop_svg_text(page, "name", "end", LEFT - 10, top + 16, "%s", item->name);
  if (past.n > 1) {
    mluop_text_add(page,
                   "<rect class=\"usual\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n",
                   LEFT, mluop_svg_at(&y, past.high), MLUOP_PLOT_WIDTH - RIGHT - LEFT,
                   mluop_svg_at(&y, past.low) - mluop_svg_at(&y, past.high));
  }
  mluop_text_add(page, "<polyline class=\"curve trend\" points=\"");
  for (size_t i = 0; i < n; ++i) {
    const Mluoptest__PerfRunCase *entry = mluop_perf_past_case(report->past[skipped + i], item);
    if (entry && !entry->disturbed) {
      mluop_text_add(page, "%.1f,%.1f ", mluop_svg_at(&x, (double)i),
                     mluop_svg_at(&y, entry->efficiency));
    }
  }
  mluop_text_add(page, "%.1f,%.1f\"><title>", mluop_svg_at(&x, (double)n),
                 mluop_svg_at(&y, item->efficiency));
  mluop_html_escape(page, item->name);
  for (size_t i = 0; i < n; ++i) {
    const Mluoptest__PerfRun *run = report->past[skipped + i];
    const Mluoptest__PerfRunCase *entry = mluop_perf_past_case(run, item);
    if (entry) {
      mluop_text_add(page, "&#10;%.1f %% ", 100 * entry->efficiency);
      mluop_html_escape(page, run->date ? run->date : "");
      mluop_text_add(page, " ");
      mluop_html_escape(page, run->commit ? run->commit : "");
      mluop_text_add(page, "%s", entry->disturbed ? " (disturbed, not drawn)" : "");
    }
  }
  const int drift = mluop_perf_drift(report, item);
  mluop_text_add(page,
                 "</title></polyline>\n<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" "
                 "r=\"3.5\"/>\n",
                 drift < 0   ? "worse"
                 : drift > 0 ? "better"
                             : "ours",
                 mluop_svg_at(&x, (double)n), mluop_svg_at(&y, item->efficiency));
  mluop_svg_text(page, "value", "start", MLUOP_PLOT_WIDTH - RIGHT + 12, top + 16,
                 past.n ? "%.0f %%, before %.0f (%.0f to %.0f)%s" : "%.0f %%",
                 100 * item->efficiency, 100 * past.median, 100 * past.low, 100 * past.high,
                 drift < 0   ? " lower"
                 : drift > 0 ? " higher"
                             : "");
}

void mluop_plot_history(const mluopPerfReport *report, mluopTestText *page) {
  shown_report = report;
  double height = TOP + BOTTOM;
  for (size_t i = 0; i < report->n; ++i) {
    if (is_shown(&report->cases[i])) {
      height += ROW + (mluop_perf_starts_operator(report, i, is_shown) ? HEADING : 0);
    }
  }
  if (height <= TOP + BOTTOM) {
    return;
  }
  mluop_text_add(page,
                 "<h2>History</h2>\n<p>The efficiency in the last runs on this machine, this one "
                 "at the right end; the band is what undisturbed earlier runs found. A case is "
                 "called lower or higher when all of its range is outside the band of four runs "
                 "or more by a twentieth.</p>\n");
  mluop_svg_open(page, MLUOP_PLOT_WIDTH, height, "efficiencies of earlier runs");
  double y = TOP;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!is_shown(item)) {
      continue;
    }
    if (mluop_perf_starts_operator(report, i, is_shown)) {
      y = mluop_plot_operator(page, item->op_name, y, HEADING);
    }
    add_row(report, item, y, page);
    y += ROW;
  }
  mluop_svg_close(page);
}
