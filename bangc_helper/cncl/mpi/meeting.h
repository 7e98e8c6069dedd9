/* SPDX-License-Identifier: MIT
 *
 * One process collects who has which ranks. For the engine's thread.
 */
#ifndef CNCL_MPI_MEETING_H_
#define CNCL_MPI_MEETING_H_

#include "mpi/engine.h"

/* A process has these ranks of a clique. */
void meeting_join(struct cncl_key key, int ranks, const int *list, int count, int process);
/* Whether ranks are being waited for, and whether for too long. */
bool meeting_is_open(void);
void meeting_check_time(void);
/* Forgets all of it. */
void meeting_end(void);

#endif /* CNCL_MPI_MEETING_H_ */
