/* SPDX-License-Identifier: MIT
 *
 * Whether processes can map each other's memory. For the engine's thread.
 */
#ifndef CNCL_MPI_REACH_H_
#define CNCL_MPI_REACH_H_

#include "mpi/engine.h"

/* The places of all ranks are known: sends the others memory to try. */
void reach_begin(struct link *link);
/* Memory that another process offers, and its result with ours. */
void reach_take_offer(struct link *link, const void *offer, size_t bytes);
void reach_take_verdict(struct link *link, bool worked);
/* Ends an attempt in progress. */
void reach_end(struct link *link);

#endif /* CNCL_MPI_REACH_H_ */
