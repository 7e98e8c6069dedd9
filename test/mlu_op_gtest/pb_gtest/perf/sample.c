/* SPDX-License-Identifier: MIT */
#include "perf/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mluop_perf_samples_add(mluopPerfSamples *samples, double value) {
  if (samples->n < MLUOP_PERF_SAMPLES_MAX) {
    samples->values[samples->n++] = value;
  }
}

static int compare_values(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void sort_values(const mluopPerfSamples *samples, double *sorted) {
  memcpy(sorted, samples->values, (size_t)samples->n * sizeof(double));
  qsort(sorted, (size_t)samples->n, sizeof(double), compare_values);
}

double mluop_perf_quantile(const mluopPerfSamples *samples, double share) {
  double sorted[MLUOP_PERF_SAMPLES_MAX];
  if (!samples->n) {
    return 0;
  }
  sort_values(samples, sorted);
  const double place = share * (samples->n - 1);
  const int below = (int)floor(place), above = (int)ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

mluopPerfRange mluop_perf_median_range(const mluopPerfSamples *samples) {
  double sorted[MLUOP_PERF_SAMPLES_MAX];
  if (!samples->n) {
    return (mluopPerfRange){0, 0};
  }
  sort_values(samples, sorted);
  /* The number of samples below the median is binomial; its normal approximation is good enough
   * from five samples on, and fewer give the whole range. */
  const double half_width = 0.98 * sqrt(samples->n);
  int low = (int)floor((samples->n - 1) / 2.0 - half_width);
  int high = (int)ceil((samples->n - 1) / 2.0 + half_width);
  low = low < 0 ? 0 : low;
  high = high > samples->n - 1 ? samples->n - 1 : high;
  return (mluopPerfRange){sorted[low], sorted[high]};
}

mluopPerfSamples mluop_perf_waited_for_others(const mluopPerfSamples *waited,
                                              const mluopPerfSamples *us, double others) {
  double waited_us = 0, all_us = 0;
  for (int i = 0; i < waited->n; ++i) {
    waited_us += waited->values[i] * us->values[i];
    all_us += us->values[i];
  }
  const double part = others * all_us < waited_us ? others * all_us / waited_us : 1;
  mluopPerfSamples for_others = *waited;
  for (int i = 0; i < for_others.n; ++i) {
    for_others.values[i] *= part;
  }
  return for_others;
}

mluopPerfClean mluop_perf_clean(const mluopPerfSamples *waited, int least) {
  static const double disturbed = 0.1;
  mluopPerfClean clean = {.n = 0};
  int undisturbed = 0;
  for (int i = 0; i < waited->n; ++i) {
    undisturbed += waited->values[i] < disturbed;
  }
  const bool enough = undisturbed >= least;
  const double most = enough ? disturbed : mluop_perf_quantile(waited, 0.34);
  clean.waited = enough ? 0 : mluop_perf_quantile(waited, 0.5);
  for (int i = 0; i < waited->n; ++i) {
    if (waited->values[i] <= most) {
      clean.indices[clean.n++] = i;
    }
  }
  return clean;
}

mluopPerfSamples mluop_perf_pick(const mluopPerfSamples *samples, const mluopPerfClean *clean) {
  mluopPerfSamples picked = {.n = 0};
  for (int i = 0; i < clean->n; ++i) {
    mluop_perf_samples_add(&picked, samples->values[clean->indices[i]]);
  }
  return picked;
}

mluopPerfSteady mluop_perf_steady(const mluopPerfSamples *samples, const mluopPerfSamples *waited) {
  const mluopPerfClean clean = mluop_perf_clean(waited, 1);
  const mluopPerfSamples picked = mluop_perf_pick(samples, &clean);
  return (mluopPerfSteady){mluop_perf_quantile(&picked, 0.5), clean.waited};
}
