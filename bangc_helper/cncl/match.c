/* SPDX-License-Identifier: MIT */
#include "match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clique.h"
#include "limit_clock.h"

/* ---- Lists of incomplete matches; the clique's lock is held ---- */

static struct cncl_match **list_of(struct cncl_clique *clique, const struct cncl_header *header) {
  if (!cncl_is_pair(header)) {
    return &clique->collectives;
  }
  return &clique->pairs[header->kind == CNCL_RECV ? header->rank : header->peer];
}

static int source_of(const struct cncl_header *header) {
  return header->kind == CNCL_RECV ? header->peer : header->rank;
}

static struct cncl_match *create(const struct cncl_clique *clique,
                                 const struct cncl_header *header) {
  const bool pair = cncl_is_pair(header);
  const int parties = pair ? 2 : clique->ranks;
  struct cncl_match *match =
      calloc(1, sizeof(*match) + (size_t)parties * (sizeof(void *) + sizeof(void *)));
  if (match != NULL) {
    match->number = header->number;
    match->pair = pair;
    match->source = source_of(header);
    match->target = header->kind == CNCL_RECV ? header->rank : header->peer;
    match->parties = parties;
    match->calls = (struct cncl_call **)(match->headers + parties);
  }
  return match;
}

/* Where the match of a header is in the list, or where it belongs. */
static struct cncl_match **find(struct cncl_match **list, const struct cncl_header *header) {
  const bool pair = cncl_is_pair(header);
  while (*list != NULL &&
         ((*list)->number != header->number || (pair && (*list)->source != source_of(header)))) {
    list = &(*list)->next;
  }
  return list;
}

enum cncl_entry cncl_match_enter(struct cncl_clique *clique, const struct cncl_header *header,
                                 struct cncl_call *call, struct cncl_match **entered, int *lost) {
  if (atomic_load(&clique->broken)) {
    return CNCL_ENTRY_REFUSED;
  }
  struct cncl_match **place = find(list_of(clique, header), header);
  struct cncl_match *match = *place;
  if (match == NULL) {
    match = create(clique, header);
    if (match == NULL) {
      return CNCL_ENTRY_NO_MEMORY;
    }
    *place = match;
  }
  const int party = !match->pair ? header->rank : header->kind == CNCL_RECV;
  if (match->headers[party] != NULL) {
    return CNCL_ENTRY_REFUSED; /* a call arrives twice only in a damaged message */
  }
  match->headers[party] = header;
  match->calls[party] = call;
  ++match->present;
  if (call != NULL && match->since == 0) {
    match->since = cncl_limit_clock_ns();
  }
  *entered = match;
  if (match->present == match->parties) {
    *place = match->next;
    match->next = NULL;
    return CNCL_ENTRY_COMPLETE;
  }
  return cncl_match_is_lost(clique, match, lost) ? CNCL_ENTRY_LOST : CNCL_ENTRY_WAITS;
}

struct cncl_match *cncl_match_find(struct cncl_clique *clique,
                                   bool (*wanted)(const struct cncl_match *match,
                                                  const void *argument),
                                   const void *argument) {
  for (int list = -1; list < clique->ranks; ++list) {
    struct cncl_match *match = list < 0 ? clique->collectives : clique->pairs[list];
    for (; match != NULL; match = match->next) {
      if (wanted(match, argument)) {
        return match;
      }
    }
  }
  return NULL;
}

struct cncl_match *cncl_matches_detach(struct cncl_clique *clique) {
  struct cncl_match *detached = NULL;
  for (int list = -1; list < clique->ranks; ++list) {
    struct cncl_match **head = list < 0 ? &clique->collectives : &clique->pairs[list];
    while (*head != NULL) {
      struct cncl_match *match = *head;
      *head = match->next;
      match->next = detached;
      detached = match;
    }
  }
  return detached;
}

static int rank_of_party(const struct cncl_match *match, int party) {
  return !match->pair ? party : party == 0 ? match->source : match->target;
}

bool cncl_match_is_lost(const struct cncl_clique *clique, const struct cncl_match *match,
                        int *rank) {
  for (int party = 0; party < match->parties && match->since != 0; ++party) {
    *rank = rank_of_party(match, party);
    if (match->headers[party] == NULL && clique->member[*rank].left) {
      return true;
    }
  }
  return false;
}

void cncl_match_absent(const struct cncl_match *match, char *text, size_t size) {
  size_t used = 0;
  const int missing = match->parties - match->present;
  used += (size_t)snprintf(text, size, missing == 1 ? "rank" : "ranks");
  const char *separator = " ";
  for (int party = 0; party < match->parties && used < size; ++party) {
    if (match->headers[party] == NULL) {
      used += (size_t)snprintf(text + used, size - used, "%s%d", separator,
                               rank_of_party(match, party));
      separator = ", ";
    }
  }
}

/* ---- What follows from it ---- */

void cncl_match_end(struct cncl_match *match, cnrtRet_t result) {
  for (int party = 0; party < match->parties; ++party) {
    if (match->calls[party] != NULL) {
      match->calls[party]->done(match->calls[party], result);
    } else {
      free((void *)match->headers[party]); /* a copy of what arrived */
    }
  }
  free(match);
}

void cncl_matches_end(struct cncl_match *list, cnrtRet_t result) {
  while (list != NULL) {
    struct cncl_match *next = list->next;
    cncl_match_end(list, result);
    list = next;
  }
}
