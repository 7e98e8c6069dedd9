/* SPDX-License-Identifier: MIT
 *
 * Cliques: who joins, who leaves, and how they break.
 */
#ifndef CNCL_CLIQUES_H_
#define CNCL_CLIQUES_H_

#include "clique.h"

enum {
  CNCL_FAIL_QUIET = 0, /* the others have been told */
  CNCL_FAIL_TELL = 1,
};

/* Chooses the transport of a new clique; `alone`: all its ranks are in this process. */
typedef cnclResult_t (*cncl_choose_t)(bool alone, const struct cncl_transport **transport);

/* Adds ranks of this process to the clique of a key, which the first call creates with the
 * transport from `choose`. Afterwards the caller holds one reference to the clique per rank.
 * `alone`: all ranks come with this call. */
cnclResult_t cncl_clique_join(struct cncl_key key, int ranks, const int *rank_list, int count,
                              bool alone, cncl_choose_t choose, struct cncl_clique **joined);
/* Waits until all ranks have joined; gives up after the time limit. */
cnclResult_t cncl_clique_wait(struct cncl_clique *clique);

/* Ranks of this process. */
int cncl_clique_local_ranks(struct cncl_clique *clique);

void cncl_clique_retain(struct cncl_clique *clique);
void cncl_clique_release(struct cncl_clique *clique);

/* A local rank makes no more calls. */
void cncl_clique_leave(struct cncl_clique *clique, int rank);

/* Breaks a clique: logs the reason and ends every waiting call with an error. Only the first
 * failure counts. */
void cncl_clique_fail(struct cncl_clique *clique, int tell, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- For transports ---- */

/* Where the ranks of a clique are. */
enum cncl_place {
  CNCL_PLACE_HERE,      /* in this process: the transport that found out is no longer needed */
  CNCL_PLACE_REACHABLE, /* in processes that can map each other's device memory */
  CNCL_PLACE_APART,
};
/* All ranks of the clique have joined. */
void cncl_clique_ready(struct cncl_clique *clique, enum cncl_place place);
/* A rank of another process makes no more calls. */
void cncl_clique_peer_left(struct cncl_clique *clique, int rank);

#endif /* CNCL_CLIQUES_H_ */
