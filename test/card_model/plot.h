/* SPDX-License-Identifier: MIT
 *
 * A scatter plot as SVG: published against estimated times, both axes logarithmic.
 */
#ifndef TEST_CARD_MODEL_PLOT_H_
#define TEST_CARD_MODEL_PLOT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct plot_point {
  double x, y; /* us */
  bool is_filled;
};

void plot_scatter(FILE *file, const struct plot_point *points, size_t count);

#endif /* TEST_CARD_MODEL_PLOT_H_ */
