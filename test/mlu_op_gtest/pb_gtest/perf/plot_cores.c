/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "perf/plots.h"
#include "perf/svg.h"

enum { LEFT = 64, RIGHT = 390, TOP = 40, HEIGHT = 440, BOTTOM = 50, LEGEND_ROW = 20 };

static bool is_shown(const mluopPerfCase *item) {
  return mluop_perf_case_is_of(item, "cores") && item->times[MLUOP_PERF_OURS].samples;
}

/* How many times as quick as on one core, where an operator's cases begin; 0: not known. */
static double gain(const mluopPerfCase *one, const mluopPerfCase *item) {
  const double us = item->times[MLUOP_PERF_OURS].median_us;
  return one->series_x <= 1 && us > 0 ? one->times[MLUOP_PERF_OURS].median_us / us : 0;
}

/* The curve of the operator whose cases begin at `first`; points rise with the number of cores. */
static void add_curve(const mluopPerfReport *report, size_t first, const mluopSvgScale *x,
                      const mluopSvgScale *y, const char *colour, double legend,
                      mluopTestText *page) {
  const mluopPerfCase *one = &report->cases[first], *last = one;
  mluop_text_add(page, "<polyline class=\"curve\" style=\"stroke:%s\" points=\"", colour);
  for (size_t i = first; i < report->n && !strcmp(report->cases[i].op_name, one->op_name); ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (is_shown(item) && gain(one, item) > 0) {
      mluop_text_add(page, "%.1f,%.1f ", mluop_svg_at(x, item->series_x),
                     mluop_svg_at(y, gain(one, item)));
      last = item;
    }
  }
  mluop_text_add(page, "\"/>\n<circle cx=\"%d\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n",
                 MLUOP_PLOT_WIDTH - RIGHT + 24, legend - 4, colour);
  mluop_svg_text(page, "legend", "start", MLUOP_PLOT_WIDTH - RIGHT + 36, legend, "%s %.1f",
                 one->op_name, gain(one, last));
}

void mluop_plot_cores(const mluopPerfReport *report, mluopTestText *page) {
  double cores = 1;
  size_t n = 0;
  for (size_t i = 0; i < report->n; ++i) {
    if (is_shown(&report->cases[i])) {
      cores = fmax(cores, report->cases[i].series_x);
      n += mluop_perf_starts_operator(report, i, is_shown);
    }
  }
  if (cores <= 1) {
    return;
  }
  const mluopSvgScale x = {.from = 0.9,
                           .to = 1.1 * cores,
                           .pixel = LEFT,
                           .pixel_end = MLUOP_PLOT_WIDTH - RIGHT,
                           .log = true};
  const mluopSvgScale y = {
      .from = 0.7, .to = 1.3 * cores, .pixel = HEIGHT - BOTTOM, .pixel_end = TOP, .log = true};
  mluop_text_add(
      page,
      "<h2>Cores</h2>\n<p>How many times as quick the first network shape of each "
      "operator is as on one core, cold caches, each number of cores in a process of "
      "its own. The dashed line is as many times as there are cores; the numbers are those "
      "of all cores.</p>\n");
  mluop_svg_open(page, MLUOP_PLOT_WIDTH, HEIGHT, "gain by cores");
  mluop_svg_axes(page, &x, &y, "cores", "times as quick as one core");
  mluop_svg_line(page, "line100", mluop_svg_at(&x, 1), mluop_svg_at(&y, 1), mluop_svg_at(&x, cores),
                 mluop_svg_at(&y, cores));
  size_t number = 0;
  for (size_t i = 0; i < report->n; ++i) {
    if (is_shown(&report->cases[i]) && mluop_perf_starts_operator(report, i, is_shown)) {
      char colour[64];
      mluop_svg_colour(number, n, colour, sizeof(colour));
      add_curve(report, i, &x, &y, colour, TOP + 6 + LEGEND_ROW * (double)number, page);
      ++number;
    }
  }
  mluop_svg_close(page);
}
