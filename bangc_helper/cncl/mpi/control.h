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
/* The same for all ranks, at the end of the process; ends everything that is under way. */
void control_leave_all(void);

/* ---- Meeting: one process collects who has which ranks (meeting.c) ---- */

/* A process has these ranks of a clique. */
void meeting_join(struct cncl_key key, int ranks, const int *list, int count, int process);
/* Whether ranks are being waited for, and whether for too long. */
bool meeting_is_open(void);
void meeting_check_time(void);
/* Forgets all of it. */
void meeting_end(void);

/* ---- Reach: whether processes can map each other's memory (reach.c) ---- */

/* The places of all ranks are known: the others get something to try. */
void reach_begin(struct link *link);
/* What another process offers, and how it went there. */
void reach_take_offer(struct link *link, const void *offer, size_t bytes);
void reach_take_verdict(struct link *link, bool worked);
/* Ends an attempt that is under way. */
void reach_end(struct link *link);

/* Sends this process's part of it to the others. */
void control_tell_offer(const struct link *link, const void *offer, size_t bytes);
void control_tell_verdict(const struct link *link, bool worked);

/* Sends the places of all ranks, or the reason why there are none, to a process. */
void control_send_map(struct cncl_key key, int ranks, const int *process_of_rank, int process);
void control_send_failure(struct cncl_key key, const char *reason, int process);

#endif /* CNCL_MPI_CONTROL_H_ */
