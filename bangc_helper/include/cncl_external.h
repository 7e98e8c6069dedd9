/* SPDX-License-Identifier: MIT
 *
 * For libraries built on CNCL, not for programs: facts about a communicator beyond cncl.h, and the
 * list of settings.
 */
#ifndef CNCL_EXTERNAL_H_
#define CNCL_EXTERNAL_H_

#include "cncl.h"
#include "cnrt_external.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many ranks of the communicator's clique are in this process; equal to cnclGetCommCount if all
 * are. */
cnclResult_t cnclxGetLocalRankCount(int *count, const cnclComm_t comm);

/* How many ranks have device memory that this process can access: its own ranks, or all of them if
 * the clique's processes can map each other's memory (cnrtAcquireMemHandle, cnrtMapMemHandle). The
 * mapping is tried when the clique is created, and every rank learns whether it worked everywhere.
 */
cnclResult_t cnclxGetReachableRankCount(int *count, const cnclComm_t comm);

/* How many groups the calling thread has open. Calls of CNCL wait for the end of the group, so work
 * that a library submits between them would overtake them. */
cnclResult_t cnclxGetGroupDepth(int *depth);

/* Number of settings that CNCL reads from the environment, and setting `index` or NULL. */
size_t cnclxSettingCount(void);
const cnrtxSetting *cnclxGetSetting(size_t index);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* CNCL_EXTERNAL_H_ */
