/* SPDX-License-Identifier: MIT
 *
 * For libraries that work on top of CNCL, not for programs: what they may know about a communicator
 * beyond cncl.h.
 */
#ifndef CNCL_EXTERNAL_H_
#define CNCL_EXTERNAL_H_

#include "cncl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many ranks of the communicator's clique live in this process; all of them when this equals
 * cnclGetCommCount. */
cnclResult_t cnclxGetLocalRankCount(int *count, const cnclComm_t comm);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* CNCL_EXTERNAL_H_ */
