/* SPDX-License-Identifier: MIT
 *
 * For libraries that work on top of CNCL, not for programs: what they may know about a communicator
 * beyond cncl.h, and the list of settings.
 */
#ifndef CNCL_EXTERNAL_H_
#define CNCL_EXTERNAL_H_

#include "cncl.h"
#include "cnrt_external.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many ranks of the communicator's clique live in this process; all of them when this equals
 * cnclGetCommCount. */
cnclResult_t cnclxGetLocalRankCount(int *count, const cnclComm_t comm);

/* How many ranks have device memory that this process can reach: those of this process, or all of
 * them when the processes of the clique can map each other's memory (cnrtAcquireMemHandle,
 * cnrtMapMemHandle). That was tried when the clique was created, and all ranks get to know whether
 * it worked everywhere. */
cnclResult_t cnclxGetReachableRankCount(int *count, const cnclComm_t comm);

/* How many groups the calling thread has open: what a library puts into queues between its calls of
 * CNCL would overtake them, as they wait for the end of the group. */
cnclResult_t cnclxGetGroupDepth(int *depth);

/* Number of settings that CNCL reads from the environment, and setting `index` or NULL. */
size_t cnclxSettingCount(void);
const cnrtxSetting *cnclxGetSetting(size_t index);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* CNCL_EXTERNAL_H_ */
