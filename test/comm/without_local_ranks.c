/* SPDX-License-Identifier: MIT
 *
 * Takes the place of CNCL's answer: every rank seems to live in a process of its own, so operators
 * send messages. */
#include "cncl.h"

cnclResult_t cnclxGetLocalRankCount(int *count, const cnclComm_t comm);

__attribute__((visibility("default"))) cnclResult_t cnclxGetLocalRankCount(int *count,
                                                                           const cnclComm_t comm) {
  (void)comm;
  *count = 1;
  return CNCL_RET_SUCCESS;
}
