/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "perf/plots.h"
#include "perf/svg.h"

enum { LEFT = 420, RIGHT = 60, TOP = 60, ROW = 22, HEADING = 30, BOTTOM = 46, MAX_NAMES = 6 };

/* Rivals by name, in order of appearance. */
typedef struct Names {
  const char *names[MAX_NAMES];
  size_t n;
} Names;

static bool is_shown(const mluopPerfCase *item) {
  return !item->series && item->times[MLUOP_PERF_OURS].samples &&
         (item->n_rivals || item->times[MLUOP_PERF_REFERENCE].samples);
}

static size_t name_index(Names *names, const char *name) {
  for (size_t i = 0; i < names->n; ++i) {
    if (!strcmp(names->names[i], name)) {
      return i;
    }
  }
  if (names->n < MAX_NAMES) {
    names->names[names->n++] = name;
  }
  return names->n - 1;
}

static double multiple(const mluopPerfCase *item, const mluopPerfTime *time) {
  return time->median_us / item->times[MLUOP_PERF_OURS].median_us;
}

static void add_mark(mluopTestText *page, const mluopSvgScale *x, double y, const char *colour,
                     double value, const char *name) {
  mluop_text_add(page,
                 "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"5.5\" fill=\"%s\"><title>",
                 mluop_svg_at(x, value), y, colour);
  mluop_html_escape(page, name);
  mluop_text_add(page, ": %.2f times our time</title></circle>\n", value);
}

static void add_row(mluopTestText *page, const mluopPerfCase *item, const mluopSvgScale *x,
                    double y, Names *names) {
  char colour[64];
  mluop_svg_text(page, "name", "end", LEFT - 12, y + 4, "%s", item->name);
  mluop_svg_line(page, "grid", LEFT, y, MLUOP_PLOT_WIDTH - RIGHT, y);
  const mluopPerfTime *copy = &item->times[MLUOP_PERF_COPY];
  if (copy->samples) {
    const double at = mluop_svg_at(x, multiple(item, copy));
    mluop_svg_line(page, "roof", at, y - 7, at, y + 7);
  }
  const mluopPerfTime *reference = &item->times[MLUOP_PERF_REFERENCE];
  if (reference->samples) {
    add_mark(page, x, y, "var(--reference)", multiple(item, reference), "plain C reference");
  }
  for (size_t i = 0; i < item->n_rivals; ++i) {
    mluop_svg_colour(1 + name_index(names, item->rivals[i].name), MAX_NAMES + 1, colour,
                     sizeof(colour));
    add_mark(page, x, y, colour, multiple(item, &item->rivals[i].time), item->rivals[i].name);
  }
}

static void add_legend(mluopTestText *page, const Names *names) {
  double at = 2;
  mluop_svg_line(page, "roof", at, 6, at, 20);
  mluop_svg_text(page, "legend", "start", at + 8, 17, "copying as many bytes");
  at += 170;
  mluop_text_add(page, "<circle cx=\"%.1f\" cy=\"13\" r=\"5.5\" fill=\"var(--reference)\"/>\n", at);
  mluop_svg_text(page, "legend", "start", at + 10, 17, "plain C reference, all cores");
  at += 210;
  for (size_t i = 0; i < names->n; ++i) {
    char colour[64];
    mluop_svg_colour(1 + i, MAX_NAMES + 1, colour, sizeof(colour));
    mluop_text_add(page, "<circle cx=\"%.1f\" cy=\"13\" r=\"5.5\" fill=\"%s\"/>\n", at, colour);
    mluop_svg_text(page, "legend", "start", at + 10, 17, "%s", names->names[i]);
    at += 30 + 7.0 * (double)strlen(names->names[i]);
  }
}

void mluop_plot_rivals(const mluopPerfReport *report, mluopTestText *page) {
  double most = 2, least = 0.5;
  double height = 0;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!is_shown(item)) {
      continue;
    }
    height += ROW + (mluop_perf_starts_operator(report, i, is_shown) ? HEADING : 0);
    const mluopPerfTime *own[] = {&item->times[MLUOP_PERF_REFERENCE],
                                  &item->times[MLUOP_PERF_COPY]};
    for (size_t k = 0; k < item->n_rivals + 2; ++k) {
      const mluopPerfTime *time = k < 2 ? own[k] : &item->rivals[k - 2].time;
      if (time->samples || k >= 2) {
        most = fmax(most, multiple(item, time));
        least = fmin(least, multiple(item, time));
      }
    }
  }
  if (height <= 0) {
    return;
  }
  height += TOP + BOTTOM;
  const mluopSvgScale x = {.from = least * 0.9,
                           .to = most * 1.15,
                           .pixel = LEFT,
                           .pixel_end = MLUOP_PLOT_WIDTH - RIGHT,
                           .log = true};
  const mluopSvgScale y = {.from = 0, .to = 1e-9, .pixel = height - BOTTOM, .pixel_end = TOP - 16};
  mluop_svg_open(page, MLUOP_PLOT_WIDTH, height, "times of others as multiples of ours");
  char number[32];
  for (double v = mluop_svg_next_tick(&x, -INFINITY); v <= x.to; v = mluop_svg_next_tick(&x, v)) {
    mluop_svg_line(page, "grid", mluop_svg_at(&x, v), y.pixel, mluop_svg_at(&x, v), y.pixel_end);
    mluop_svg_short_number(v, number, sizeof(number));
    mluop_svg_text(page, "tick", "middle", mluop_svg_at(&x, v), y.pixel + 16, "%s", number);
  }
  mluop_svg_line(page, "axis", mluop_svg_at(&x, 1), y.pixel, mluop_svg_at(&x, 1), y.pixel_end);
  mluop_svg_text(page, "tick", "middle", mluop_svg_at(&x, 1), y.pixel_end - 5, "ours");
  mluop_svg_text(page, "label", "middle", (x.pixel + x.pixel_end) / 2, y.pixel + 34,
                 "time as a multiple of ours: to the right is slower");
  Names names = {.n = 0};
  double at = TOP - 6;
  for (size_t i = 0; i < report->n; ++i) {
    if (!is_shown(&report->cases[i])) {
      continue;
    }
    if (mluop_perf_starts_operator(report, i, is_shown)) {
      mluop_svg_text(page, "operator", "start", 0, at + HEADING - 8, "%s",
                     report->cases[i].op_name);
      at += HEADING;
    }
    add_row(page, &report->cases[i], &x, at + ROW / 2.0, &names);
    at += ROW;
  }
  add_legend(page, &names);
  mluop_svg_close(page);
}
