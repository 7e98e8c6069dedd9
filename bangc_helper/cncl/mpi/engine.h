/* SPDX-License-Identifier: MIT
 *
 * The thread that makes all MPI calls. Others hand it commands; it sends and receives messages and
 * watches transfers.
 */
#ifndef CNCL_MPI_ENGINE_H_
#define CNCL_MPI_ENGINE_H_

#include <mpi.h>
#include <stdatomic.h>

#include "mpi/module.h"
#include "parts.h"

enum command_kind {
  COMMAND_JOIN,     /* ranks of this process want to join */
  COMMAND_ANNOUNCE, /* a header for the other processes */
  COMMAND_MOVE,     /* matches whose data must move */
  COMMAND_PROCEED,  /* a transfer's local part is done */
  COMMAND_FAIL,     /* the clique is broken */
  COMMAND_LEAVE,    /* a rank of this process is gone */
};

struct transfer;

struct command {
  struct command *next;
  enum command_kind kind;
  bool tell;
  struct cncl_clique *clique; /* retained */
  struct cncl_match *matches;
  struct transfer *transfer;
  int rank;
  size_t bytes; /* of the payload: header, ranks or reason */
  uint64_t payload[];
};

/* What the processes of a clique know about mapping each other's memory (reach.c). */
struct reach {
  void *probe;  /* memory of this process that the others try to map */
  int offers;   /* probes of others that this process has tried */
  int verdicts; /* processes that have tried all */
  bool failed;  /* one could not be mapped, here or elsewhere */
  bool told;    /* the others have been told the result */
};

/* One clique as the engine knows it. */
struct link {
  struct link *next;
  struct cncl_clique *clique; /* retained */
  int members;                /* of this process */
  int *process;               /* per rank; NULL until all have joined */
  int *others;                /* the other processes with ranks, each once */
  int other_count;
  int waiting; /* announced calls whose data does not move yet */
  bool ready;
  bool failed;
  char *reason; /* why it failed, or NULL */
  struct reach reach;
};

enum transfer_phase {
  PHASE_EXCHANGE,   /* data goes to its destination, or to the rank that reduces it */
  PHASE_REDUCE,     /* this process reduces the slices of its ranks */
  PHASE_DISTRIBUTE, /* results go to their destinations */
  PHASE_END,
};

struct transfer {
  struct transfer *next;
  struct link *link;        /* NULL: given up, only MPI's requests are still pending */
  struct cncl_match *match; /* NULL together with it */
  enum transfer_phase phase;
  int pending;  /* pending requests, plus one for local work */
  bool working; /* local work is in progress */
  bool failed;
  uint64_t last_progress;
  char *staging; /* slices of other processes before they are reduced */
};

/* The step after a request: the first member of its data, which `done` frees. Returns false on
 * failure; requests that it starts belong to the same transfer. */
struct step {
  bool (*done)(struct step *step, bool ok);
};

/* The owner of an MPI request. */
struct owner {
  struct transfer *transfer; /* NULL: a control message */
  void *message;             /* buffer to free when it was sent */
  int rank;                  /* the rank at the other end */
  struct step *step;         /* or NULL */
};

struct engine {
  const struct cncl_core *core;
  const char *refusal; /* why MPI cannot be used; NULL: it can */
  MPI_Comm comm;
  MPI_Comm answers;     /* the same processes again, for data that MPI cannot access itself */
  bool touches_devices; /* MPI can read and write device memory */
  int self;
  int processes;
  int largest_tag;
  struct link *links;
  struct transfer *transfers;
  _Atomic bool trouble; /* a clique was broken: other processes may be stuck */

  MPI_Request *requests;
  struct owner *owners;
  int request_count, request_capacity;
};

extern struct engine engine; /* links.c */

/* Data up to this size is sent with the header of its call. */
enum { CNCL_EAGER_BYTES = 4096 };

/* Tags below this are for control messages. */
enum { CONTROL_TAG = 1, FIRST_DATA_TAG = 16 };

#endif /* CNCL_MPI_ENGINE_H_ */
