/* SPDX-License-Identifier: MIT
 *
 * A communicator: one rank of a clique.
 */
#ifndef CNCL_COMM_H_
#define CNCL_COMM_H_

#include <stdatomic.h>

#include "common.h"

struct cncl_clique;

/* Calls made so far between this rank and a peer. */
struct cncl_pair_count {
  uint64_t sends;
  uint64_t recvs;
};

struct cnclComm {
  struct cnclComm *next; /* in the list of those the program holds */
  struct cncl_clique *clique;
  int rank;
  int device;
  _Atomic int priority;
  _Atomic int references; /* the program's, and one per call in flight */
  uint64_t collectives;   /* calls made so far */
  struct cncl_pair_count pairs[];
};

/* Finds and retains a communicator that the program holds; false when there is none. */
bool cncl_comm_acquire(struct cnclComm *comm);
void cncl_comm_retain(struct cnclComm *comm);
void cncl_comm_release(struct cnclComm *comm);
/* The program holds the communicator from now on; and ends its hold, false when it has none. */
void cncl_comm_hold(struct cnclComm *comm);
bool cncl_comm_unhold(struct cnclComm *comm);
/* Ends a program's hold on a communicator; false when it has none. */
bool cncl_comm_free(struct cnclComm *comm);

#endif /* CNCL_COMM_H_ */
