/* SPDX-License-Identifier: MIT
 *
 * The data of calls that met, between processes. All functions are for the engine's thread.
 */
#ifndef CNCL_MPI_TRANSFER_H_
#define CNCL_MPI_TRANSFER_H_

#include "mpi/engine.h"

/* Moves the data of a list of matches. */
void transfers_begin(struct cncl_clique *clique, struct cncl_match *matches);
/* The local work of a transfer is done. */
void transfer_proceed(struct transfer *transfer);
/* One of its requests is done. */
void transfer_request_done(struct transfer *transfer, bool ok, int rank);
/* Gives up transfers without progress. */
void transfers_check_time(void);
/* Gives up the transfers of a link that is being removed. */
void transfers_forget(const struct link *link);

#endif /* CNCL_MPI_TRANSFER_H_ */
