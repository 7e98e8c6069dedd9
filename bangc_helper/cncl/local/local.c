/* SPDX-License-Identifier: MIT
 *
 * Ranks of one process: once all have arrived, everything moves straight from buffer to buffer.
 */
#include <stdlib.h>

#include "cliques.h"
#include "local/work.h"
#include "match.h"
#include "parts.h"

static bool add_copies(struct cncl_work *work, const struct cncl_match *match) {
  bool ok = true;
  for (int target = 0; target < match->parties && ok; ++target) {
    for (int source = 0; source < match->parties && ok; ++source) {
      const struct cncl_call *from = match->calls[source];
      const struct cncl_call *to = match->calls[target];
      const struct cncl_part out = cncl_outgoing(from, to->header->rank);
      const struct cncl_part in = cncl_incoming(to, from->header->rank);
      if (out.address != NULL && in.address != NULL) {
        ok = cncl_work_add_copy(work, in.address, out.address, in.bytes);
      }
    }
  }
  return ok;
}

static bool add_reduction(struct cncl_work *work, const struct cncl_match *match,
                          const char **sources, char **targets) {
  const struct cncl_header *header = match->headers[0];
  const int ranks = match->parties;
  const size_t size = cncl_type_size(header->type);
  if (header->kind != CNCL_REDUCE_SCATTER) {
    for (int r = 0; r < ranks; ++r) {
      sources[r] = match->calls[r]->send;
      targets[r] = match->calls[r]->recv;
    }
    const bool everywhere = header->kind == CNCL_ALL_REDUCE;
    return cncl_work_add_reduction(work, everywhere ? targets : &targets[header->root],
                                   everywhere ? ranks : 1, sources, ranks, header->count,
                                   header->type, header->op);
  }
  bool ok = true;
  for (int owner = 0; owner < ranks && ok; ++owner) {
    const struct cncl_slice slice = cncl_slice(header, ranks, owner);
    for (int r = 0; r < ranks; ++r) {
      sources[r] = match->calls[r]->send + slice.offset * size;
    }
    ok = cncl_work_add_reduction(work, &match->calls[owner]->recv, 1, sources, ranks, slice.count,
                                 header->type, header->op);
  }
  return ok;
}

static bool add_match(struct cncl_work *work, const struct cncl_match *match) {
  if (!cncl_is_reduction(match->headers[0])) {
    return add_copies(work, match);
  }
  const size_t ranks = (size_t)match->parties;
  char **lists = malloc(2 * ranks * sizeof(*lists));
  const bool ok = lists != NULL && add_reduction(work, match, (const char **)lists, lists + ranks);
  free(lists);
  return ok;
}

static void finished(void *list) {
  cncl_matches_end(list, cnrtSuccess);
}

static void move(struct cncl_clique *clique, struct cncl_match *list) {
  struct cncl_work *work = cncl_work_create(finished, list);
  bool ok = work != NULL;
  for (struct cncl_match *match = list; match != NULL && ok; match = match->next) {
    ok = add_match(work, match);
  }
  if (ok) {
    cncl_work_run(work, false);
    return;
  }
  if (work != NULL) {
    cncl_work_discard(work);
  }
  cncl_clique_fail(clique, CNCL_FAIL_TELL, "no memory to plan a call");
  cncl_matches_end(list, cnrtErrorSysNoMem);
}

const struct cncl_transport cncl_local_transport = {.name = "local", .move = move};
