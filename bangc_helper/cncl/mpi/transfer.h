/* SPDX-License-Identifier: MIT
 *
 * The data of calls that met, between processes. All functions are for the engine's thread.
 */
#ifndef CNCL_MPI_TRANSFER_H_
#define CNCL_MPI_TRANSFER_H_

#include "mpi/engine.h"

enum transfer_phase {
  PHASE_EXCHANGE,   /* data goes to where it belongs, or to the rank that reduces it */
  PHASE_REDUCE,     /* this process reduces the slices of its ranks */
  PHASE_DISTRIBUTE, /* results go to where they belong */
  PHASE_END,
};

struct transfer {
  struct transfer *next;
  struct link *link;        /* NULL: given up, only MPI's requests are waited for */
  struct cncl_match *match; /* NULL as well then */
  enum transfer_phase phase;
  int pending;  /* requests, and one for local work */
  bool working; /* local work is under way */
  bool failed;
  uint64_t last_progress;
  char *staging; /* slices of other processes, before they are reduced */
};

/* Moves the data of a list of matches. */
void transfers_begin(struct cncl_clique *clique, struct cncl_match *matches);
/* The local work of a transfer is done. */
void transfer_proceed(struct transfer *transfer);
/* One of its requests is done. */
void transfer_request_done(struct transfer *transfer, bool ok, int rank);
/* Gives up transfers without progress. */
void transfers_check_time(void);
/* Gives up the transfers of a link that goes away. */
void transfers_forget(const struct link *link);

/* Phases (phases.c): start what is to be done; false when that fails. */
bool phase_exchange(struct transfer *transfer);
bool phase_reduce(struct transfer *transfer);
bool phase_distribute(struct transfer *transfer);

#endif /* CNCL_MPI_TRANSFER_H_ */
