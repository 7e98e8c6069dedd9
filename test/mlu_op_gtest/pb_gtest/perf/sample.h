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

/* The part of the waiting that other processes caused. `waited`: each call's waiting, as a share of
 * its time `us`; `others`: how many CPUs others had meanwhile, on average. They kept threads
 * waiting for no longer than they ran; the rest is threads of our own that outnumber the CPUs. */
mluopPerfSamples mluop_perf_waited_for_others(const mluopPerfSamples *waited,
                                              const mluopPerfSamples *us, double others);

/* The samples a verdict may rest on: those during which nothing had to wait for a CPU; where there
 * are too few, the least disturbed third. */
typedef struct mluopPerfClean {
  int indices[MLUOP_PERF_SAMPLES_MAX];
  int n;
  double waited; /* median of the samples' waiting where too few are undisturbed, else 0 */
} mluopPerfClean;

/* `waited`: each sample's waiting, as a share of its time. `least`: how many undisturbed samples
 * are enough. */
mluopPerfClean mluop_perf_clean(const mluopPerfSamples *waited, int least);
mluopPerfSamples mluop_perf_pick(const mluopPerfSamples *samples, const mluopPerfClean *clean);

/* The value of something that hardly varies: one undisturbed sample is enough. */
typedef struct mluopPerfSteady {
  double median;
  double waited; /* as of mluopPerfClean */
} mluopPerfSteady;
mluopPerfSteady mluop_perf_steady(const mluopPerfSamples *samples, const mluopPerfSamples *waited);

#endif /* MLUOP_TEST_PERF_SAMPLE_H_ */
