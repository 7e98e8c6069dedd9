/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "perf/plots.h"
#include "perf/svg.h"

enum { LEFT = 64, RIGHT = 350, TOP = 40, HEIGHT = 440, BOTTOM = 50, LEGEND_ROW = 20 };

/* Operators that only move have no operations: they stand at the left edge. */
static const double min_intensity = 1.0 / 64;

static double intensity_of(const mluopPerfCase *item) {
  const double ratio = item->theory_bytes > 0 ? item->theory_ops / item->theory_bytes : 0;
  return ratio > min_intensity ? ratio : min_intensity;
}

static double rate_of(const mluopPerfCase *item) {
  return item->theory_bytes / item->times[MLUOP_PERF_OURS].median_us * 1e-3;
}

static bool is_shown(const mluopPerfCase *item) {
  return !item->series && item->times[MLUOP_PERF_OURS].samples && item->theory_bytes > 0;
}

/* The number of the case's operator among those shown; the number of operators in `n`. */
static size_t operator_index(const mluopPerfReport *report, const mluopPerfCase *item, size_t *n) {
  size_t found = 0, count = 0;
  const char *last = "";
  for (size_t i = 0; i < report->n; ++i) {
    if (is_shown(&report->cases[i]) && strcmp(report->cases[i].op_name, last)) {
      last = report->cases[i].op_name;
      found = item && !strcmp(last, item->op_name) ? count : found;
      ++count;
    }
  }
  *n = count;
  return found;
}

static void add_roof(mluopTestText *page, const mluopSvgScale *x, const mluopSvgScale *y,
                     const char *css, double gbps, double gflops, const char *name, bool below) {
  const double ridge = gflops / gbps;
  mluop_text_add(page, "<polyline class=\"%s\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n", css,
                 x->pixel, mluop_svg_at(y, gbps), mluop_svg_at(x, ridge), mluop_svg_at(y, gbps),
                 x->pixel_end, mluop_svg_at(y, gflops / x->to));
  /* The two roofs may be close: one name stands above, one below, at different ends. */
  mluop_svg_text(page, "tick", below ? "start" : "end",
                 below ? x->pixel + 16 : mluop_svg_at(x, ridge < x->to ? ridge : x->to),
                 mluop_svg_at(y, gbps) + (below ? 15 : -6), "%s %.1f GB/s", name, gbps);
}

static void add_point(mluopTestText *page, const mluopSvgScale *x, const mluopSvgScale *y,
                      const mluopPerfCase *item, const char *colour) {
  mluop_text_add(page,
                 "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"><title>",
                 mluop_svg_at(x, intensity_of(item)), mluop_svg_at(y, rate_of(item)), colour);
  mluop_html_escape(page, item->op_name);
  mluop_text_add(page, ", ");
  mluop_html_escape(page, item->name);
  mluop_text_add(page, ": %.2f GB/s</title></circle>\n", rate_of(item));
}

void mluop_plot_roofline(const mluopPerfReport *report, mluopTestText *page) {
  const Mluoptest__PerfContext *context = report->context;
  double most = context->copy_gbps > context->read_gbps ? context->copy_gbps : context->read_gbps;
  double least = most, max_intensity = 1;
  size_t n_operators = 0;
  operator_index(report, NULL, &n_operators);
  for (size_t i = 0; i < report->n; ++i) {
    if (is_shown(&report->cases[i])) {
      most = fmax(most, rate_of(&report->cases[i]));
      least = fmin(least, rate_of(&report->cases[i]));
      max_intensity = fmax(max_intensity, intensity_of(&report->cases[i]));
    }
  }
  if (!n_operators || most <= 0 || least <= 0 || context->vector_gflops <= 0) {
    return;
  }
  const mluopSvgScale x = {.from = min_intensity,
                           .to = fmax(4 * max_intensity, 4 * context->vector_gflops / most),
                           .pixel = LEFT,
                           .pixel_end = MLUOP_PLOT_WIDTH - RIGHT,
                           .log = true};
  const mluopSvgScale y = {
      .from = least / 2, .to = most * 1.6, .pixel = HEIGHT - BOTTOM, .pixel_end = TOP, .log = true};
  mluop_svg_open(page, MLUOP_PLOT_WIDTH, HEIGHT, "roofline");
  mluop_svg_axes(page, &x, &y, "operations per byte (pure movers at the left edge)", "GB/s moved");
  add_roof(page, &x, &y, "roof", context->copy_gbps, context->vector_gflops, "copy",
           context->copy_gbps < context->read_gbps);
  if (context->read_gbps > 0) {
    add_roof(page, &x, &y, "roof2", context->read_gbps, context->vector_gflops, "read",
             context->read_gbps <= context->copy_gbps);
  }
  double legend = TOP + 6;
  size_t named = n_operators;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!is_shown(item)) {
      continue;
    }
    char colour[64];
    const size_t number = operator_index(report, item, &n_operators);
    mluop_svg_colour(number, n_operators, colour, sizeof(colour));
    add_point(page, &x, &y, item, colour);
    if (number != named) {
      named = number;
      mluop_text_add(page, "<circle cx=\"%d\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n",
                     MLUOP_PLOT_WIDTH - RIGHT + 24, legend - 4, colour);
      mluop_svg_text(page, "legend", "start", MLUOP_PLOT_WIDTH - RIGHT + 36, legend, "%s",
                     item->op_name);
      legend += LEGEND_ROW;
    }
  }
  mluop_svg_close(page);
}
