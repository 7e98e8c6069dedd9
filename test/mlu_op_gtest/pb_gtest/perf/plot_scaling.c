/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "perf/plots.h"
#include "perf/svg.h"

enum { WIDTH = 490, HEIGHT = 280, LEFT = 58, RIGHT = 16, TOP = 56, BOTTOM = 46, CURVES = 3 };

/* What a plot of a series draws: rates over series_x. */
typedef struct Curve {
  const char *css, *name;
  double (*rate)(const mluopPerfCase *item); /* 0: no point */
} Curve;

static double rate_at(const mluopPerfCase *item, mluopPerfContender contender) {
  const mluopPerfTime *time = &item->times[contender];
  return time->samples && time->median_us > 0 ? item->theory_bytes / time->median_us * 1e-3 : 0;
}

static double cold_rate(const mluopPerfCase *item) {
  return rate_at(item, MLUOP_PERF_OURS);
}
static double warm_rate(const mluopPerfCase *item) {
  return rate_at(item, MLUOP_PERF_OURS_WARM);
}
static double limit_rate(const mluopPerfCase *item) {
  return item->limit_gbps;
}

static const Curve curves[CURVES] = {{"curve limit", "limit at this size", limit_rate},
                                     {"curve warm", "ours, warm caches", warm_rate},
                                     {"curve ours", "ours, cold caches", cold_rate}};

static bool belongs(const mluopPerfCase *item, const char *op_name, const char *series) {
  return mluop_perf_case_is_of(item, series) && !strcmp(item->op_name, op_name);
}

/* The case with the next greater x, NULL: none. */
static const mluopPerfCase *next_point(const mluopPerfReport *report, const char *op_name,
                                       const char *series, double after) {
  const mluopPerfCase *next = NULL;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (belongs(item, op_name, series) && item->series_x > after &&
        (!next || item->series_x < next->series_x)) {
      next = item;
    }
  }
  return next;
}

static void add_curve(const mluopPerfReport *report, const char *op_name, const char *series,
                      const Curve *curve, const mluopSvgScale *x, const mluopSvgScale *y,
                      mluopTestText *page) {
  mluop_text_add(page, "<polyline class=\"%s\" points=\"", curve->css);
  for (const mluopPerfCase *item = next_point(report, op_name, series, 0); item;
       item = next_point(report, op_name, series, item->series_x)) {
    if (curve->rate(item) > 0) {
      mluop_text_add(page, "%.1f,%.1f ", mluop_svg_at(x, item->series_x),
                     mluop_svg_at(y, curve->rate(item)));
    }
  }
  mluop_text_add(page, "\"/>\n");
  for (const mluopPerfCase *item = next_point(report, op_name, series, 0); item;
       item = next_point(report, op_name, series, item->series_x)) {
    if (curve->rate(item) > 0) {
      mluop_text_add(page,
                     "<circle class=\"%s dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\">"
                     "<title>%s: %.2f GB/s</title></circle>\n",
                     curve->css, mluop_svg_at(x, item->series_x),
                     mluop_svg_at(y, curve->rate(item)), curve->name, curve->rate(item));
    }
  }
}

static void add_plot(const mluopPerfReport *report, const char *op_name, const char *series,
                     const char *x_label, mluopTestText *page) {
  double least = INFINITY, most = 0, top = 0;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!belongs(item, op_name, series)) {
      continue;
    }
    least = fmin(least, item->series_x);
    most = fmax(most, item->series_x);
    for (int k = 0; k < CURVES; ++k) {
      top = fmax(top, curves[k].rate(item));
    }
  }
  if (most <= 0 || top <= 0) {
    return;
  }
  const mluopSvgScale x = {.from = least * 0.9,
                           .to = most * 1.12,
                           .pixel = LEFT,
                           .pixel_end = WIDTH - RIGHT,
                           .log = true};
  const mluopSvgScale y = {.from = 0, .to = top * 1.1, .pixel = HEIGHT - BOTTOM, .pixel_end = TOP};
  mluop_svg_open(page, WIDTH, HEIGHT, op_name);
  mluop_svg_text(page, "operator", "start", 0, 16, "%s, GB/s", op_name);
  mluop_svg_axes(page, &x, &y, x_label, "");
  double at = LEFT;
  for (int k = 0; k < CURVES; ++k) {
    add_curve(report, op_name, series, &curves[k], &x, &y, page);
    mluop_text_add(page, "<circle class=\"%s dot\" cx=\"%.1f\" cy=\"%d\" r=\"4\"/>\n",
                   curves[k].css, at, TOP - 24);
    mluop_svg_text(page, "legend", "start", at + 9, TOP - 20, "%s", curves[k].name);
    at += 140;
  }
  mluop_svg_close(page);
}

void mluop_plot_scaling(const mluopPerfReport *report, mluopTestText *page) {
  const char *last = "";
  mluop_text_add(page, "<div class=\"pairs\">\n");
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (item->series && strcmp(item->op_name, last)) {
      last = item->op_name;
      add_plot(report, last, "size", "bytes that must move", page);
      add_plot(report, last, "tasks", "tasks (virtual topology), largest size", page);
    }
  }
  mluop_text_add(page, "</div>\n");
}
