/* SPDX-License-Identifier: MIT
 *
 * How ranks reach each other. The common part (match.h, clique.h) matches calls, checks them and
 * gives up on absent ranks; a transport carries headers and data.
 */
#ifndef CNCL_TRANSPORT_H_
#define CNCL_TRANSPORT_H_

#include "common.h"

struct cncl_call;
struct cncl_clique;
struct cncl_match;

struct cncl_transport {
  const char *name;

  /* Starts to move the data of matches that fit together, a list through `next`. Each ends with
   * cncl_match_end. Does not block. */
  void (*move)(struct cncl_clique *clique, struct cncl_match *list);

  /* The rest is NULL unless ranks live in other processes. None of them blocks. */

  /* Ranks of this process join; cncl_clique_ready or cncl_clique_fail follows. The transport holds
   * a reference to the clique until all of them have left. False if the transport cannot be used.
   */
  bool (*join)(struct cncl_clique *clique, const int *ranks, int count);
  /* A rank's queue reached its call: sends its header to the others. */
  void (*announce)(struct cncl_clique *clique, const struct cncl_call *call);
  /* The clique is broken: soon ends what is in flight and, if `tell`, tells the others why. */
  void (*fail)(struct cncl_clique *clique, bool tell, const char *reason);
  /* A rank of this process makes no more calls. */
  void (*leave)(struct cncl_clique *clique, int rank);
};

/* Ranks of this process. */
extern const struct cncl_transport cncl_local_transport;

#endif /* CNCL_TRANSPORT_H_ */
