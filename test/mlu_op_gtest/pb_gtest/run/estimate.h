/* SPDX-License-Identifier: MIT
 *
 * Times of a device that are estimated by a model, not measured: how exact they are. */
#ifndef MLUOP_TEST_RUN_ESTIMATE_H_
#define MLUOP_TEST_RUN_ESTIMATE_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct mluopEstimate {
  double bandwidth_gbps; /* bandwidth that efficiencies are relative to */
  char time_class[96];   /* how exact the times of the launches since the last query are */
} mluopEstimate;

/* False: times are measured. */
bool mluop_estimate_ask(mluopEstimate *estimate);

#endif /* MLUOP_TEST_RUN_ESTIMATE_H_ */
