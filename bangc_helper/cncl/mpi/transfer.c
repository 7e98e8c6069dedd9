/* SPDX-License-Identifier: MIT */
#include "mpi/transfer.h"

#include <stdlib.h>

#include "mpi/links.h"
#include "mpi/phases.h"

enum {
  /* After a clique breaks, transfers in flight have this long to end by themselves. */
  GRACE_MS = 1000,
};

static void destroy(struct transfer *transfer) {
  struct transfer **place = &engine.transfers;
  while (*place != transfer) {
    place = &(*place)->next;
  }
  *place = transfer->next;
  free(transfer->staging);
  free(transfer);
}

/* Ends the calls; the transfer stays until MPI has returned its requests. */
static void end_calls(struct transfer *transfer, cnrtRet_t result) {
  struct cncl_match *match = transfer->match;
  transfer->match = NULL;
  transfer->link = NULL;
  engine.core->match_end(match, result);
}

static void start_phase(struct transfer *transfer) {
  const struct cncl_header *header = transfer->match->headers[0];
  const bool reduces = cncl_is_reduction(header);
  bool ok = true;
  switch (transfer->phase) {
    case PHASE_EXCHANGE:
      ok = phase_exchange(transfer);
      transfer->phase = reduces ? PHASE_REDUCE : PHASE_END;
      break;
    case PHASE_REDUCE:
      ok = phase_reduce(transfer);
      transfer->phase = header->kind == CNCL_REDUCE_SCATTER ? PHASE_END : PHASE_DISTRIBUTE;
      break;
    default:
      ok = phase_distribute(transfer);
      transfer->phase = PHASE_END;
      break;
  }
  if (!ok) {
    transfer->failed = true;
    engine.core->clique_fail(transfer->link->clique, CNCL_FAIL_TELL,
                             "data could not be sent or received");
  }
}

/* Continues as far as possible without waiting. */
static void advance(struct transfer *transfer) {
  while (transfer->pending == 0) {
    if (transfer->match != NULL && !transfer->failed && transfer->phase != PHASE_END) {
      start_phase(transfer);
      continue;
    }
    if (transfer->match != NULL) {
      end_calls(transfer, transfer->failed ? cnrtErrorSys : cnrtSuccess);
    }
    destroy(transfer);
    return;
  }
}

void transfers_begin(struct cncl_clique *clique, struct cncl_match *matches) {
  struct link *link = link_of(clique);
  while (matches != NULL) {
    struct cncl_match *match = matches;
    matches = match->next;
    for (int party = 0; link != NULL && party < match->parties && link->waiting > 0; ++party) {
      link->waiting -= match->calls[party] != NULL;
    }
    struct transfer *transfer = link != NULL ? calloc(1, sizeof(*transfer)) : NULL;
    if (transfer == NULL) {
      engine.core->clique_fail(clique, CNCL_FAIL_TELL, "data cannot be moved");
      engine.core->match_end(match, cnrtErrorSys);
      continue;
    }
    transfer->link = link;
    transfer->match = match;
    transfer->last_progress = engine.core->limit_clock_ns();
    transfer->next = engine.transfers;
    engine.transfers = transfer;
    advance(transfer);
  }
}

void transfer_proceed(struct transfer *transfer) {
  transfer->working = false;
  --transfer->pending;
  transfer->last_progress = engine.core->limit_clock_ns();
  advance(transfer);
}

void transfer_request_done(struct transfer *transfer, bool ok, int rank) {
  --transfer->pending;
  transfer->last_progress = engine.core->limit_clock_ns();
  if (!ok && transfer->match != NULL && !transfer->failed) {
    transfer->failed = true;
    engine.core->clique_fail(transfer->link->clique, CNCL_FAIL_TELL,
                             "data of rank %d was lost on the way", rank);
  }
  advance(transfer);
}

/* Cancels the requests that can be cancelled. The transfer is freed when MPI has returned the
 * others. */
static void give_up(struct transfer *transfer) {
  for (int i = 0; i < engine.request_count; ++i) {
    if (engine.owners[i].transfer == transfer) {
      MPI_Cancel(&engine.requests[i]);
    }
  }
  end_calls(transfer, cnrtErrorSys);
}

static int rank_waited_for(const struct transfer *transfer) {
  for (int i = 0; i < engine.request_count; ++i) {
    if (engine.owners[i].transfer == transfer) {
      return engine.owners[i].rank;
    }
  }
  return -1;
}

void transfers_check_time(void) {
  const uint64_t now = engine.transfers != NULL ? engine.core->limit_clock_ns() : 0;
  struct transfer *next = NULL;
  for (struct transfer *transfer = engine.transfers; transfer != NULL; transfer = next) {
    next = transfer->next;
    if (transfer->match == NULL || transfer->working) {
      continue;
    }
    const bool failed = transfer->link->failed;
    const uint64_t limit = failed ? (uint64_t)GRACE_MS * 1000000u : engine.core->timeout_ns;
    if (now < transfer->last_progress + limit) {
      continue;
    }
    if (!failed) {
      engine.core->clique_fail(transfer->link->clique, CNCL_FAIL_TELL,
                               "a call gave up: no data to or from rank %d for %llu ms",
                               rank_waited_for(transfer), (unsigned long long)(limit / 1000000u));
    }
    give_up(transfer);
  }
}

void transfers_forget(const struct link *link) {
  for (struct transfer *transfer = engine.transfers; transfer != NULL; transfer = transfer->next) {
    if (transfer->link == link) {
      give_up(transfer);
    }
  }
}
