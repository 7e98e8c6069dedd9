/* SPDX-License-Identifier: MIT */
#include "arrive.h"

#include <stdlib.h>
#include <string.h>

#include "agreement.h"
#include "cliques.h"
#include "comm.h"
#include "match.h"

/* Starts complete matches, if all of them fit. */
static void launch(struct cncl_clique *clique, struct cncl_match *list) {
  for (const struct cncl_match *match = list; match != NULL; match = match->next) {
    char text[512];
    if (!cncl_agree(match->headers, match->parties, text, sizeof(text))) {
      cncl_clique_fail(clique, CNCL_FAIL_TELL, "the calls of the ranks do not fit: %s", text);
      cncl_matches_end(list, cnrtErrorArgsInvalid);
      return;
    }
  }
  if (list != NULL) {
    const struct cncl_transport *transport = clique->transport;
    transport->move(clique, list);
  }
}

/* Handles a header that no match takes. */
static void fail_entry(struct cncl_clique *clique, enum cncl_entry outcome, int lost) {
  if (outcome == CNCL_ENTRY_LOST) {
    cncl_clique_fail(clique, CNCL_FAIL_TELL,
                     "a call waits for rank %d, which has freed its communicator", lost);
  } else if (outcome == CNCL_ENTRY_NO_MEMORY) {
    cncl_clique_fail(clique, CNCL_FAIL_TELL, "no memory for a call");
  }
}

void cncl_arrive(struct cncl_call *calls) {
  /* Complete matches of one clique are started together, so that their copies share threads. */
  struct cncl_clique *clique = NULL;
  struct cncl_match *ready = NULL;
  struct cncl_match **end = &ready;
  while (calls != NULL) {
    struct cncl_call *call = calls;
    calls = call->next; /* once entered, the call belongs to the thread that completes the match */
    if (clique == NULL || clique != call->comm->clique) {
      if (clique != NULL) {
        launch(clique, ready);
        cncl_clique_release(clique);
      }
      clique = call->comm->clique;
      cncl_clique_retain(clique);
      ready = NULL;
      end = &ready;
    }
    const struct cncl_transport *transport = clique->transport;
    if (transport->announce != NULL && !atomic_load(&clique->broken)) {
      transport->announce(clique, call);
    }
    struct cncl_match *match = NULL;
    int lost = -1;
    pthread_mutex_lock(&clique->lock);
    const enum cncl_entry outcome = cncl_match_enter(clique, call->header, call, &match, &lost);
    pthread_mutex_unlock(&clique->lock);
    if (outcome == CNCL_ENTRY_COMPLETE) {
      *end = match;
      end = &match->next;
    } else {
      fail_entry(clique, outcome, lost);
      if (outcome == CNCL_ENTRY_REFUSED || outcome == CNCL_ENTRY_NO_MEMORY) {
        call->done(call, cnrtErrorSys);
      }
    }
  }
  if (clique != NULL) {
    launch(clique, ready);
    cncl_clique_release(clique);
  }
}

void cncl_deliver(struct cncl_clique *clique, const struct cncl_header *header) {
  const size_t bytes = cncl_header_bytes(header) + header->eager;
  struct cncl_header *copy = malloc(bytes);
  struct cncl_match *match = NULL;
  int lost = -1;
  enum cncl_entry outcome = CNCL_ENTRY_NO_MEMORY;
  if (copy != NULL) {
    memcpy(copy, header, bytes);
    pthread_mutex_lock(&clique->lock);
    outcome = cncl_match_enter(clique, copy, NULL, &match, &lost);
    pthread_mutex_unlock(&clique->lock);
  }
  if (outcome == CNCL_ENTRY_COMPLETE) {
    launch(clique, match);
    return;
  }
  fail_entry(clique, outcome, lost);
  if (outcome == CNCL_ENTRY_REFUSED || outcome == CNCL_ENTRY_NO_MEMORY) {
    free(copy);
  }
}
