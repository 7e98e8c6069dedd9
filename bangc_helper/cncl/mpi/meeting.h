/* SPDX-License-Identifier: MIT
 *
 * One process collects who has which ranks. For the engine's thread.
 */
#ifndef CNCL_MPI_MEETING_H_
#define CNCL_MPI_MEETING_H_

#include "mpi/engine.h"

/* A process has these ranks of a clique. */
void meeting_join(struct cncl_key key, int ranks, const int *list, int count, int process);
/* True if ranks are missing; and true if they have been missing for too long. */
bool meeting_is_open(void);
void meeting_check_time(void);
/* Drops all meetings. */
void meeting_end(void);

#endif /* CNCL_MPI_MEETING_H_ */
