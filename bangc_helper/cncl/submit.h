/* SPDX-License-Identifier: MIT
 *
 * Calls on their way into queues.
 */
#ifndef CNCL_SUBMIT_H_
#define CNCL_SUBMIT_H_

#include "call.h"

/* A new call with room for `lanes` lanes; NULL when memory is short. Retains the communicator. */
struct cncl_call *cncl_call_create(struct cnclComm *comm, uint32_t lanes);
/* Frees a call that was never submitted. */
void cncl_call_discard(struct cncl_call *call);

/* Numbers the calls of a list and puts them into their queues; those of one queue start together.
 * Takes over the list. */
cnclResult_t cncl_submit(struct cncl_call *list);

#endif /* CNCL_SUBMIT_H_ */
