/* SPDX-License-Identifier: MIT
 *
 * Messages about cliques and calls: who is where, which call a rank has reached, failures. All
 * functions are for the engine's thread.
 */
#ifndef CNCL_MPI_CONTROL_H_
#define CNCL_MPI_CONTROL_H_

#include "mpi/engine.h"

/* Ranks of this process join a clique. */
void control_join(struct cncl_clique *clique, const int *ranks, int count);
/* A rank of this process has reached a call. */
void control_announce(struct cncl_clique *clique, const struct cncl_header *header);
/* A clique is broken. */
void control_fail(struct cncl_clique *clique, bool tell, const char *reason);
/* A rank of this process makes no more calls. */
void control_leave(struct cncl_clique *clique, int rank);
/* The same for all ranks, at the end of the process; ends everything in flight. */
void control_leave_all(void);

/* Handles a control message from any process. */
void control_receive(const void *message, size_t bytes, int process);

#endif /* CNCL_MPI_CONTROL_H_ */
