/* SPDX-License-Identifier: MIT */
#include "plot.h"

#include <math.h>

/* Decades of the axes, in us; size of the picture in pixels. */
enum { FIRST = 0, LAST = 7, LEFT = 90, TOP = 20, SIDE = 560 };

static double place(double us) {
  return SIDE * (log10(us) - FIRST) / (LAST - FIRST);
}

/* A line y = factor * x. */
static void line(FILE *file, double factor, const char *style) {
  const double shift = SIDE * log10(factor) / (LAST - FIRST);
  fprintf(file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" %s clip-path=\"url(#c)\"/>\n",
          LEFT, TOP + SIDE - shift, LEFT + SIDE, TOP - shift, style);
}

static void axes(FILE *file) {
  for (int decade = FIRST; decade <= LAST; ++decade) {
    const double at = place(pow(10, decade));
    fprintf(file,
            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n"
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
            LEFT + at, TOP, LEFT + at, TOP + SIDE, LEFT, TOP + SIDE - at, LEFT + SIDE,
            TOP + SIDE - at);
    fprintf(file,
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n"
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
            LEFT + at, TOP + SIDE + 18, pow(10, decade), LEFT - 8, TOP + SIDE - at + 4,
            pow(10, decade));
  }
  fprintf(file,
          "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">published, us</text>\n"
          "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">estimated, "
          "us</text>\n",
          LEFT + SIDE / 2, TOP + SIDE + 42, TOP + SIDE / 2);
}

void plot_scatter(FILE *file, const struct plot_point *points, size_t count) {
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" "
          "fill=\"#fff\"/>\n<clipPath id=\"c\"><rect x=\"%d\" y=\"%d\" width=\"%d\" "
          "height=\"%d\"/></clipPath>\n",
          LEFT + SIDE + 30, TOP + SIDE + 60, LEFT + SIDE + 30, LEFT, TOP, SIDE, SIDE);
  axes(file);
  line(file, 1, "stroke=\"#333\"");
  line(file, 1.4, "stroke=\"#999\" stroke-dasharray=\"5 4\"");
  line(file, 1 / 1.4, "stroke=\"#999\" stroke-dasharray=\"5 4\"");
  for (size_t i = 0; i < count; ++i) {
    fprintf(file,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\" stroke=\"#1f4e9c\" "
            "stroke-width=\"1.5\"/>\n",
            LEFT + place(points[i].x), TOP + SIDE - place(points[i].y),
            points[i].is_filled ? "#1f4e9c" : "#fff");
  }
  fprintf(file,
          "<text x=\"%d\" y=\"%d\">filled: fitted, open: predicted; dashed: 40 %% off</text>\n"
          "</svg>\n",
          LEFT + 12, TOP + 20);
}
