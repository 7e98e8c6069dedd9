/* SPDX-License-Identifier: MIT
 *
 * A clique: the ranks that call together, as this process sees them.
 */
#ifndef CNCL_CLIQUE_H_
#define CNCL_CLIQUE_H_

#include <pthread.h>
#include <stdatomic.h>

#include "common.h"
#include "transport.h"

struct cncl_match;

/* Identifies a clique in all processes. */
struct cncl_key {
  uint64_t high;
  uint64_t low;
};

static inline bool cncl_same_key(struct cncl_key a, struct cncl_key b) {
  return a.high == b.high && a.low == b.low;
}

struct cncl_member {
  bool local; /* rank of this process */
  bool left;  /* will make no more calls */
};

struct cncl_clique {
  struct cncl_clique *next, *previous; /* of this process; guarded by the registry's lock */
  struct cncl_key key;
  int ranks;
  const struct cncl_transport *_Atomic transport;
  _Atomic int references;
  _Atomic bool reachable; /* processes can map each other's device memory; known when ready */
  _Atomic bool broken;    /* set under the lock; every later call fails */

  pthread_mutex_t lock; /* guards the members below */
  pthread_cond_t changed;
  bool ready; /* all ranks have joined */
  int local_ranks;
  struct cncl_match *collectives; /* not complete yet, oldest first */
  struct cncl_match **pairs;      /* per receiving rank */
  struct cncl_member member[];
};

#endif /* CNCL_CLIQUE_H_ */
