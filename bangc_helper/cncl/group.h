/* SPDX-License-Identifier: MIT
 *
 * Groups: between cnclGroupStart and cnclGroupEnd a thread's calls are collected, then start
 * together.
 */
#ifndef CNCL_GROUP_H_
#define CNCL_GROUP_H_

#include "call.h"

struct cncl_clique;

/* Submits a call, or keeps it for the end of the thread's group. Takes it over. */
cnclResult_t cncl_group_call(struct cncl_call *call);
/* Remembers a refused call: the group will not be submitted. */
cnclResult_t cncl_group_refused(cnclResult_t result);
/* Waits for the other ranks of a new communicator, in a group at its end. */
cnclResult_t cncl_group_wait(struct cnclComm *comm);

#endif /* CNCL_GROUP_H_ */
