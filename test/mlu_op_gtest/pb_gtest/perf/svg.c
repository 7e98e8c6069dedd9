/* SPDX-License-Identifier: MIT */
#include "perf/svg.h"

#include <math.h>
#include <stdio.h>

void mluop_html_escape(mluopTestText *page, const char *text) {
  for (; *text; ++text) {
    switch (*text) {
      case '<':
        mluop_text_add(page, "&lt;");
        break;
      case '>':
        mluop_text_add(page, "&gt;");
        break;
      case '&':
        mluop_text_add(page, "&amp;");
        break;
      case '"':
        mluop_text_add(page, "&quot;");
        break;
      default:
        mluop_text_add_bytes(page, text, 1);
    }
  }
}

double mluop_svg_at(const mluopSvgScale *scale, double value) {
  const double share = scale->log ? log(value / scale->from) / log(scale->to / scale->from)
                                  : (value - scale->from) / (scale->to - scale->from);
  const double inside = share < 0 ? 0 : share > 1 ? 1 : share;
  return scale->pixel + inside * (scale->pixel_end - scale->pixel);
}

/* The round number above `value`: 1, 2 or 5 times a power of ten, only powers of ten where the
 * scale is long. */
static double next_round(double value, bool powers_only) {
  const double power = pow(10, floor(log10(value) + 1e-9));
  const double steps[] = {1, 2, 5, 10};
  for (int i = powers_only ? 3 : 0; i < 4; ++i) {
    if (steps[i] * power > value * (1 + 1e-9)) {
      return steps[i] * power;
    }
  }
  return 10 * power;
}

double mluop_svg_next_tick(const mluopSvgScale *scale, double value) {
  if (scale->log) {
    const bool long_scale = scale->to / scale->from > 2e3;
    if (value < scale->from) {
      value = scale->from * (1 - 1e-6);
    }
    return next_round(value, long_scale);
  }
  const double step = next_round((scale->to - scale->from) / 8, false);
  return value < scale->from ? ceil(scale->from / step - 1e-9) * step + 0.0 : value + step;
}

void mluop_svg_short_number(double value, char *text, size_t size) {
  static const char *const units[] = {"", " k", " M", " G", " T"};
  int unit = 0;
  while (fabs(value) >= 1000 && unit < 4) {
    value /= 1000;
    ++unit;
  }
  snprintf(text, size, "%.3g%s", value, units[unit]);
}

void mluop_svg_open(mluopTestText *page, double width, double height, const char *title) {
  mluop_text_add(page,
                 "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" "
                 "aria-label=\"",
                 width, height, width, height);
  mluop_html_escape(page, title);
  mluop_text_add(page, "\">\n");
}

void mluop_svg_close(mluopTestText *page) {
  mluop_text_add(page, "</svg>\n");
}

void mluop_svg_line(mluopTestText *page, const char *css, double x1, double y1, double x2,
                    double y2) {
  mluop_text_add(page, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                 css, x1, y1, x2, y2);
}

void mluop_svg_text(mluopTestText *page, const char *css, const char *anchor, double x, double y,
                    const char *format, ...) {
  mluopTestText text = {0};
  va_list args;
  va_start(args, format);
  mluop_text_add_v(&text, format, args);
  va_end(args);
  mluop_text_add(page, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", css, anchor,
                 x, y);
  mluop_html_escape(page, mluop_text_get(&text));
  mluop_text_add(page, "</text>\n");
  mluop_text_free(&text);
}

void mluop_svg_axes(mluopTestText *page, const mluopSvgScale *x, const mluopSvgScale *y,
                    const char *x_label, const char *y_label) {
  char number[32];
  for (double v = mluop_svg_next_tick(x, -INFINITY); v <= x->to * (1 + 1e-9);
       v = mluop_svg_next_tick(x, v)) {
    const double at = mluop_svg_at(x, v);
    mluop_svg_line(page, "grid", at, y->pixel, at, y->pixel_end);
    mluop_svg_short_number(v, number, sizeof(number));
    mluop_svg_text(page, "tick", "middle", at, y->pixel + 16, "%s", number);
  }
  for (double v = mluop_svg_next_tick(y, -INFINITY); v <= y->to * (1 + 1e-9);
       v = mluop_svg_next_tick(y, v)) {
    const double at = mluop_svg_at(y, v);
    mluop_svg_line(page, "grid", x->pixel, at, x->pixel_end, at);
    mluop_svg_short_number(v, number, sizeof(number));
    mluop_svg_text(page, "tick", "end", x->pixel - 6, at + 4, "%s", number);
  }
  mluop_svg_line(page, "axis", x->pixel, y->pixel, x->pixel_end, y->pixel);
  mluop_svg_text(page, "label", "middle", (x->pixel + x->pixel_end) / 2, y->pixel + 34, "%s",
                 x_label);
  mluop_svg_text(page, "label", "start", x->pixel - 44, y->pixel_end - 12, "%s", y_label);
}

void mluop_svg_colour(size_t index, size_t n, char *text, size_t size) {
  /* Hues spread around the colour circle. Neighbours differ in lightness too, for readers and
   * printers without colour.
   */
  const double hue = fmod(212 + 360.0 * (double)index / (double)(n ? n : 1), 360);
  snprintf(text, size, "hsl(%.0f 62%% %d%%)", hue, index % 2 ? 34 : 50);
}
