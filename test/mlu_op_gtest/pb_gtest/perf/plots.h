/* SPDX-License-Identifier: MIT
 *
 * The pictures of a report, each an inline SVG. */
#ifndef MLUOP_TEST_PERF_PLOTS_H_
#define MLUOP_TEST_PERF_PLOTS_H_

#include "base/text.h"
#include "perf/model.h"

enum { MLUOP_PLOT_WIDTH = 1000 };

/* The name of an operator over a line, `height` high from y on; returns where its rows begin. */
double mluop_plot_operator(mluopTestText *page, const char *name, double y, double height);

/* Bars of the efficiency of every network shape, with the lines of the standard. */
void mluop_plot_efficiency(const mluopPerfReport *report, mluopTestText *page);
/* Bytes per second over operations per byte, below the roofs of this machine. */
void mluop_plot_roofline(const mluopPerfReport *report, mluopTestText *page);
/* Rates over size and over the number of tasks, one pair of plots per operator that has them. */
void mluop_plot_scaling(const mluopPerfReport *report, mluopTestText *page);
/* How much quicker each operator is with more cores, in one plot; nothing for a single core. */
void mluop_plot_cores(const mluopPerfReport *report, mluopTestText *page);
/* Efficiencies of earlier runs on this machine, a line per case; nothing without any. */
void mluop_plot_history(const mluopPerfReport *report, mluopTestText *page);
/* Times of the reference and of rivals as multiples of ours. */
void mluop_plot_rivals(const mluopPerfReport *report, mluopTestText *page);

#endif /* MLUOP_TEST_PERF_PLOTS_H_ */
