/* SPDX-License-Identifier: MIT
 *
 * --perf_compare: whether runs of the same thing agree. */
#ifndef MLUOP_TEST_PERF_COMPARE_H_
#define MLUOP_TEST_PERF_COMPARE_H_

#include "perf/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopPerfAgreement {
  size_t cases;                       /* judged in both */
  size_t same;                        /* the same verdict */
  size_t undecided;                   /* one of the two could not be decided */
  size_t contradicted;                /* one passes and the other fails */
  double median_shift, largest_shift; /* of the efficiencies, as a share */
} mluopPerfAgreement;

mluopPerfAgreement mluop_perf_agreement(const mluopPerfReport *a, const mluopPerfReport *b);

/* `list`: report.json files, with commas between them; each is compared with the first. Prints what
 * differs. Returns the exit code: 0 no verdicts contradict each other, 1 some do, 2 a file cannot
 * be used. */
int mluop_perf_compare(const char *list);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_PERF_COMPARE_H_ */
