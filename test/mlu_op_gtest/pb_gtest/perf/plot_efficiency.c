/* SPDX-License-Identifier: MIT */
#include "perf/plots.h"
#include "perf/svg.h"

enum { LEFT = 470, RIGHT = 70, TOP = 48, ROW = 20, HEADING = 30, BOTTOM = 24, TEXT = 14 };

static bool is_shown(const mluopPerfCase *item) {
  return !item->series && item->times[MLUOP_PERF_OURS].samples;
}

static double plot_height(const mluopPerfReport *report, double *most) {
  double height = TOP + BOTTOM;
  *most = 1;
  for (size_t i = 0; i < report->n; ++i) {
    if (is_shown(&report->cases[i])) {
      height += ROW + (mluop_perf_starts_operator(report, i, is_shown) ? HEADING : 0);
      *most = report->cases[i].efficiency > *most ? report->cases[i].efficiency : *most;
    }
  }
  return height;
}

static void add_bar(mluopTestText *page, const mluopSvgScale *x, const mluopPerfCase *item,
                    double y) {
  const double end = mluop_svg_at(x, item->efficiency);
  mluop_svg_text(page, "name", "end", LEFT - 10, y + 14, "%s", item->name);
  mluop_text_add(page,
                 "<rect class=\"bar %s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" "
                 "rx=\"2\"><title>",
                 mluop_perf_verdict_name(item->verdict), LEFT, y + 3, end - LEFT, ROW - 6);
  mluop_html_escape(page, item->name);
  mluop_text_add(page, ": %.1f %% of the %s (%.1f to %.1f), %.1f us</title></rect>\n",
                 100 * item->efficiency, item->bottleneck, 100 * item->efficiency_p10,
                 100 * item->efficiency_p90, item->times[MLUOP_PERF_OURS].median_us);
  const double middle = y + ROW / 2.0;
  const double high = mluop_svg_at(x, item->efficiency_p90);
  mluop_svg_line(page, "whisker", mluop_svg_at(x, item->efficiency_p10), middle, high, middle);
  mluop_svg_text(page, "value", "start", (high > end ? high : end) + 6, y + 14, "%.0f %%%s",
                 100 * item->efficiency, item->waiver ? " *" : "");
}

static void add_lines(mluopTestText *page, const mluopSvgScale *x, double bottom) {
  static const struct {
    double at;
    const char *css, *text;
  } lines[] = {{0.3, "line30", "30 % elsewhere"},
               {0.6, "line60", "60 % network shapes"},
               {1.0, "line100", "the measured limit"}};
  for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); ++i) {
    const double at = mluop_svg_at(x, lines[i].at);
    mluop_svg_line(page, lines[i].css, at, TOP - 8, at, bottom);
    /* In two rows, so that texts of near lines do not overlap. */
    mluop_svg_text(page, "tick", "middle", at, TOP - TEXT - i % 2 * TEXT, "%s", lines[i].text);
  }
}

double mluop_plot_operator(mluopTestText *page, const char *name, double y, double height) {
  mluop_svg_text(page, "operator", "start", 0, y + height - 6, "%s", name);
  mluop_svg_line(page, "grid", 0, y + height - 1, MLUOP_PLOT_WIDTH, y + height - 1);
  return y + height;
}

void mluop_plot_efficiency(const mluopPerfReport *report, mluopTestText *page) {
  double most = 1;
  const double height = plot_height(report, &most);
  if (height <= TOP + BOTTOM) {
    return;
  }
  const mluopSvgScale x = {
      .from = 0, .to = most * 1.05, .pixel = LEFT, .pixel_end = MLUOP_PLOT_WIDTH - RIGHT};
  mluop_svg_open(page, MLUOP_PLOT_WIDTH, height, "efficiency of every network shape");
  double y = TOP;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!is_shown(item)) {
      continue;
    }
    if (mluop_perf_starts_operator(report, i, is_shown)) {
      y = mluop_plot_operator(page, item->op_name, y, HEADING);
    }
    add_bar(page, &x, item, y);
    y += ROW;
  }
  add_lines(page, &x, y + 4);
  mluop_svg_close(page);
}
