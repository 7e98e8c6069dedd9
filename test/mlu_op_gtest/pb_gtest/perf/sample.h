/* SPDX-License-Identifier: MIT
 *
 * Repeated measurements of one thing. */
#ifndef MLUOP_TEST_PERF_SAMPLE_H_
#define MLUOP_TEST_PERF_SAMPLE_H_

#include <stdbool.h>

enum { MLUOP_PERF_SAMPLES_MAX = 256 };

typedef struct mluopPerfSamples {
  double values[MLUOP_PERF_SAMPLES_MAX];
  int n;
} mluopPerfSamples;

/* Later values of a full set are dropped. */
void mluop_perf_samples_add(mluopPerfSamples *samples, double value);

/* The value that `share` of the samples do not exceed; 0 without samples. */
double mluop_perf_quantile(const mluopPerfSamples *samples, double share);

/* The range that holds the true median with 95 % confidence, by order statistics: no assumption
 * about the noise. */
typedef struct mluopPerfRange {
  double low, high;
} mluopPerfRange;
mluopPerfRange mluop_perf_median_range(const mluopPerfSamples *samples);

#endif /* MLUOP_TEST_PERF_SAMPLE_H_ */
