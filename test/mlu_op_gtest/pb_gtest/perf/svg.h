/* SPDX-License-Identifier: MIT
 *
 * The few pieces of SVG the plots need. Colours and fonts are classes of the page's style sheet. */
#ifndef MLUOP_TEST_PERF_SVG_H_
#define MLUOP_TEST_PERF_SVG_H_

#include <stdbool.h>

#include "base/text.h"

/* Text of a person or a file inside HTML. */
void mluop_html_escape(mluopTestText *page, const char *text);

/* From values to pixels. */
typedef struct mluopSvgScale {
  double from, to;         /* values */
  double pixel, pixel_end; /* of `from` and of `to` */
  bool log;
} mluopSvgScale;

double mluop_svg_at(const mluopSvgScale *scale, double value);
/* The next round value after `value` that deserves a tick (1, 2 and 5 times a power of ten); the
 * first one when it is below the scale. */
double mluop_svg_next_tick(const mluopSvgScale *scale, double value);

/* "1.5 M", "20 k": short enough for an axis. */
void mluop_svg_short_number(double value, char *text, size_t size);

void mluop_svg_open(mluopTestText *page, double width, double height, const char *title);
void mluop_svg_close(mluopTestText *page);
void mluop_svg_line(mluopTestText *page, const char *css, double x1, double y1, double x2,
                    double y2);
/* anchor: start, middle or end. */
void mluop_svg_text(mluopTestText *page, const char *css, const char *anchor, double x, double y,
                    const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Grid lines and labels of the two axes of a plot; `y` runs upwards. */
void mluop_svg_axes(mluopTestText *page, const mluopSvgScale *x, const mluopSvgScale *y,
                    const char *x_label, const char *y_label);

/* A colour of its own for each of n things. */
void mluop_svg_colour(size_t index, size_t n, char *text, size_t size);

#endif /* MLUOP_TEST_PERF_SVG_H_ */
