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

/* Tells cliques apart, in all processes. */
struct cncl_key {
  uint64_t high;
  uint64_t low;
};

static inline bool cncl_same_key(struct cncl_key a, struct cncl_key b) {
  return a.high == b.high && a.low == b.low;
}

struct cncl_member {
  bool local; /* belongs to this process */
  bool left;  /* makes no more calls */
};

struct cncl_clique {
  struct cncl_clique *next, *previous; /* of this process; guarded by the registry's lock */
  struct cncl_key key;
  int ranks;
  const struct cncl_transport *_Atomic transport;
  _Atomic int references;
  _Atomic bool reachable; /* processes can map each other's device memory; known when ready */
  _Atomic bool broken;    /* set under the lock; every call from now on fails */

  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t changed;
  bool ready; /* all ranks have joined */
  int local_ranks;
  struct cncl_match *collectives; /* not complete yet, oldest first */
  struct cncl_match **pairs;      /* per receiving rank */
  struct cncl_member member[];
};

enum {
  CNCL_FAIL_QUIET = 0, /* the others know already */
  CNCL_FAIL_TELL = 1,
};

/* Adds ranks of this process to the clique of a key, which the first one creates. The caller holds
 * a reference of the clique for each rank afterwards. `alone`: all ranks come with this call. */
cnclResult_t cncl_clique_join(struct cncl_key key, int ranks, const int *rank_list, int count,
                              bool alone, struct cncl_clique **joined);
/* Waits until all ranks have joined; gives up after the time limit. */
cnclResult_t cncl_clique_wait(struct cncl_clique *clique);

/* Ranks of this process. */
int cncl_clique_local_ranks(struct cncl_clique *clique);

void cncl_clique_retain(struct cncl_clique *clique);
void cncl_clique_release(struct cncl_clique *clique);

/* A local rank makes no more calls. */
void cncl_clique_leave(struct cncl_clique *clique, int rank);

/* Breaks a clique: logs the reason, ends everything that waits with an error. Only the first
 * failure counts. */
void cncl_clique_fail(struct cncl_clique *clique, int tell, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Breaks the cliques whose calls have waited too long. */
void cncl_cliques_check_time(void);

/* ---- For transports ---- */

/* Where the ranks of a clique turn out to be. */
enum cncl_place {
  CNCL_PLACE_HERE,      /* in this process: the transport that found them is no longer needed */
  CNCL_PLACE_REACHABLE, /* in processes that can map each other's device memory */
  CNCL_PLACE_APART,
};
/* All ranks of the clique have joined. */
void cncl_clique_ready(struct cncl_clique *clique, enum cncl_place place);
/* A rank of another process makes no more calls. */
void cncl_clique_peer_left(struct cncl_clique *clique, int rank);

#endif /* CNCL_CLIQUE_H_ */
