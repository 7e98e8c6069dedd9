/* SPDX-License-Identifier: MIT
 *
 * Control messages on their way to other processes. For the engine's thread.
 */
#ifndef CNCL_MPI_WIRE_H_
#define CNCL_MPI_WIRE_H_

#include "mpi/engine.h"

enum wire_kind {
  WIRE_JOIN = 1, /* ranks a process has */
  WIRE_MAP,      /* process of every rank */
  WIRE_HEADER,   /* a rank's call */
  WIRE_FAIL,     /* why the clique is broken */
  WIRE_LEAVE,    /* a rank makes no more calls */
  WIRE_OFFER,    /* memory to try */
  WIRE_VERDICT,  /* whether the memory of all others could be mapped */
};

/* Start of every control message; what follows depends on the kind. */
struct wire {
  uint32_t kind;
  int32_t ranks;
  int32_t rank;
  uint32_t padding;
  struct cncl_key key;
};

/* Sends a message and the data after it to a process, maybe this one. */
void send_wire(int process, enum wire_kind kind, struct cncl_key key, int ranks, int rank,
               const void *payload, size_t bytes);
/* Sends to every other process that has ranks of the clique. */
void send_to_others(const struct link *link, enum wire_kind kind, int rank, const void *payload,
                    size_t bytes);

/* Sends the others what this process found out about their memory (reach.h). */
void control_send_offer(const struct link *link, const void *offer, size_t bytes);
void control_send_verdict(const struct link *link, bool worked);

/* Sends a process the places of all ranks, or the reason why there are none. */
void control_send_map(struct cncl_key key, int ranks, const int *process_of_rank, int process);
void control_send_failure(struct cncl_key key, const char *reason, int process);

#endif /* CNCL_MPI_WIRE_H_ */
