/* SPDX-License-Identifier: MIT
 *
 * Groups: between cnclGroupStart and cnclGroupEnd a thread's calls are collected, then start
 * together.
 */
#ifndef CNCL_GROUP_H_
#define CNCL_GROUP_H_

#include "call.h"

struct cncl_clique;

/* Submits a call, or keeps it until the end of the thread's group. Takes it over. */
cnclResult_t cncl_group_call(struct cncl_call *call);
/* Records a refused call: the group will not be submitted. */
cnclResult_t cncl_group_refused(cnclResult_t result);
/* Waits for the other ranks of the clique of new communicators, in a group at its end. If they do
 * not come, the communicators are freed, and `places`, the program's variables, are set to NULL. */
cnclResult_t cncl_group_wait(struct cnclComm *const *comms, int count, cnclComm_t *places);

#endif /* CNCL_GROUP_H_ */
