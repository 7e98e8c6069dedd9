/* SPDX-License-Identifier: MIT
 *
 * Calls that queues have reached, here and in other processes, meet.
 */
#ifndef CNCL_ARRIVE_H_
#define CNCL_ARRIVE_H_

#include "call.h"

struct cncl_clique;

/* A queue has reached these calls, a list through `next`. */
void cncl_arrive(struct cncl_call *calls);
/* The header of a rank in another process has arrived. */
void cncl_deliver(struct cncl_clique *clique, const struct cncl_header *header);

#endif /* CNCL_ARRIVE_H_ */
