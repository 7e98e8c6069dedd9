/* SPDX-License-Identifier: MIT
 *
 * Where the device's times are estimated by a model of it, not measured: what they are good for. */
#ifndef MLUOP_TEST_RUN_ESTIMATE_H_
#define MLUOP_TEST_RUN_ESTIMATE_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct mluopEstimate {
  double bandwidth_gbps; /* that efficiencies are given by */
  char time_class[96];   /* of the launches since the last question */
} mluopEstimate;

/* False: times are measured. */
bool mluop_estimate_ask(mluopEstimate *estimate);

#endif /* MLUOP_TEST_RUN_ESTIMATE_H_ */
