/* SPDX-License-Identifier: MIT
 *
 * The charts of the HTML report, as SVG.
 */
#ifndef CARD_REPORT_CHARTS_H_
#define CARD_REPORT_CHARTS_H_

#include <stdio.h>

#include "report/collect.h"

const char *chart_spent_colour(enum card_spent spent);

/* One bar: what the cores' programs spent the launch on. */
void chart_spent(FILE *file, const struct report_kernel *kernel);
/* How busy each pipe is over time, and the rate of device memory. */
void chart_pipes(FILE *file, const struct card_board *board, const struct report_kernel *kernel);
/* When each core runs a task: one thin lane per core. */
void chart_tasks(FILE *file, const struct card_board *board, const struct report_kernel *kernel);
/* The pipes of one core in a part of the launch. */
void chart_window(FILE *file, const struct report_kernel *kernel);
/* For each pipe, the duration if it took no time. */
void chart_without(FILE *file, const struct report_kernel *kernel);

#endif /* CARD_REPORT_CHARTS_H_ */
