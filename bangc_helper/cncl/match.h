/* SPDX-License-Identifier: MIT
 *
 * Calls of several ranks that belong together.
 */
#ifndef CNCL_MATCH_H_
#define CNCL_MATCH_H_

#include "call.h"

struct cncl_clique;

struct cncl_match {
  struct cncl_match *next;
  uint64_t number;
  bool pair;
  int source; /* of a transfer; party 0 is the sender, party 1 the receiver */
  int target;
  int parties; /* the ranks, or 2 */
  int present;
  uint64_t since;                      /* limit clock at the first local call; 0: none yet */
  struct cncl_call **calls;            /* per party, NULL for those of other processes */
  const struct cncl_header *headers[]; /* per party */
};

/* Ends the local calls of a match and frees it. */
void cncl_match_end(struct cncl_match *match, cnrtRet_t result);
/* The same for a list. */
void cncl_matches_end(struct cncl_match *list, cnrtRet_t result);

/* ---- For cliques, with the lock held ---- */

enum cncl_entry {
  CNCL_ENTRY_WAITS,
  CNCL_ENTRY_COMPLETE, /* the match is complete and belongs to the caller */
  CNCL_ENTRY_REFUSED,
  CNCL_ENTRY_NO_MEMORY,
  CNCL_ENTRY_LOST, /* rank `lost` has left and will not call */
};
/* Puts a header, and the call if it is a local one, into its match. */
enum cncl_entry cncl_match_enter(struct cncl_clique *clique, const struct cncl_header *header,
                                 struct cncl_call *call, struct cncl_match **entered, int *lost);
/* True if the match has a local call and lacks the call of a rank that has left, which is stored.
 */
bool cncl_match_is_lost(const struct cncl_clique *clique, const struct cncl_match *match,
                        int *rank);
/* Who is missing: "rank 2", "ranks 1, 3". */
void cncl_match_absent(const struct cncl_match *match, char *text, size_t size);
/* Removes all incomplete matches from the clique. */
struct cncl_match *cncl_matches_detach(struct cncl_clique *clique);
/* The first incomplete match for which `wanted` returns true. */
struct cncl_match *cncl_match_find(struct cncl_clique *clique,
                                   bool (*wanted)(const struct cncl_match *match,
                                                  const void *argument),
                                   const void *argument);

#endif /* CNCL_MATCH_H_ */
