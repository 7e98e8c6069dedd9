/* SPDX-License-Identifier: MIT
 *
 * Whether processes can map each other's memory. For the engine's thread.
 */
#ifndef CNCL_MPI_REACH_H_
#define CNCL_MPI_REACH_H_

#include "mpi/engine.h"

/* The places of all ranks are known: the others get something to try. */
void reach_begin(struct link *link);
/* What another process offers, and how it went there. */
void reach_take_offer(struct link *link, const void *offer, size_t bytes);
void reach_take_verdict(struct link *link, bool worked);
/* Ends an attempt that is under way. */
void reach_end(struct link *link);

#endif /* CNCL_MPI_REACH_H_ */
