/* SPDX-License-Identifier: MIT
 *
 * What each phase of a transfer sends, receives and computes.
 *
 * Reductions: rank r reduces slice r of the elements over the ranks in ascending order, so that the
 * result has the same bits wherever the ranks are; then the slices go to the ranks that want them.
 */
#include "mpi/phases.h"

#include <stdlib.h>

#include "local/work.h"
#include "mpi/apart.h"
#include "mpi/commands.h"
#include "mpi/requests.h"

/* The message from a party of the match to a rank; its tag was chosen by the sending process. */
static int data_tag(const struct cncl_match *match, int party, int target, int phase) {
  const uint32_t span = (uint32_t)(engine.largest_tag - FIRST_DATA_TAG) + 1;
  const uint32_t offset = match->pair ? 0 : (uint32_t)(phase * match->parties + target);
  return FIRST_DATA_TAG + (int)((match->headers[party]->tag + offset) % span);
}

static int rank_of(const struct cncl_match *match, int party) {
  return match->headers[party]->rank;
}

/* Sends or receives data, wherever it lies. */
static bool start_part(struct transfer *transfer, enum direction direction, struct cncl_part part,
                       int rank, int tag) {
  return engine.touches_devices ? start_data(transfer, direction, part, rank, tag)
                                : start_apart(transfer, direction, part, rank, tag);
}

static bool send_part(struct transfer *transfer, int party, int target, struct cncl_part part,
                      int phase) {
  return start_part(transfer, SEND, part, target, data_tag(transfer->match, party, target, phase));
}

static bool recv_part(struct transfer *transfer, int party, int target, struct cncl_part part,
                      int phase) {
  return start_part(transfer, RECEIVE, part, rank_of(transfer->match, party),
                    data_tag(transfer->match, party, target, phase));
}

/* ---- Local work ---- */

static void work_finished(void *command) {
  engine_post(command);
}

static struct cncl_work *open_work(struct transfer *transfer) {
  struct command *command = command_create(COMMAND_PROCEED, transfer->link->clique, 0);
  if (command == NULL) {
    return NULL;
  }
  command->transfer = transfer;
  struct cncl_work *work = cncl_work_create(work_finished, command);
  if (work == NULL) {
    command_discard(command);
  }
  return work;
}

/* Runs the list, or frees it when it is incomplete. */
static bool close_work(struct transfer *transfer, struct cncl_work *work, bool ok) {
  if (!ok) {
    cncl_work_discard(work);
    return false;
  }
  transfer->working = true;
  ++transfer->pending;
  cncl_work_run(work, true);
  return true;
}

/* ---- Moving ---- */

static bool move_remote(struct transfer *transfer) {
  const struct cncl_match *match = transfer->match;
  bool ok = true;
  /* Receives are posted first: a message that finds its receive needs no buffer. */
  for (int sends = 0; sends < 2 && ok; ++sends) {
    for (int step = 0; step < match->parties * match->parties && ok; ++step) {
      const int from = step / match->parties;
      const int to = (from + step) % match->parties; /* starts at a different peer in each rank */
      if ((match->calls[from] != NULL) == (match->calls[to] != NULL) ||
          match->headers[from]->eager != 0) {
        continue;
      }
      if (match->calls[from] != NULL && sends == 1) {
        ok = send_part(transfer, from, rank_of(match, to),
                       cncl_outgoing(match->calls[from], rank_of(match, to)), 0);
      } else if (match->calls[to] != NULL && sends == 0) {
        ok = recv_part(transfer, from, rank_of(match, to),
                       cncl_incoming(match->calls[to], rank_of(match, from)), 0);
      }
    }
  }
  return ok;
}

/* Data that is in this process already: of its own ranks, and sent along with headers. */
static bool move_local(struct transfer *transfer) {
  const struct cncl_match *match = transfer->match;
  struct cncl_work *work = open_work(transfer);
  bool ok = work != NULL;
  for (int from = 0; from < match->parties && ok; ++from) {
    for (int to = 0; to < match->parties && ok; ++to) {
      const struct cncl_header *header = match->headers[from];
      if (match->calls[to] != NULL && (match->calls[from] != NULL || header->eager != 0)) {
        const struct cncl_part arrived = {cncl_eager_data(header), header->eager};
        const struct cncl_part out = match->calls[from] != NULL
                                         ? cncl_outgoing(match->calls[from], rank_of(match, to))
                                         : arrived;
        const struct cncl_part in = cncl_incoming(match->calls[to], rank_of(match, from));
        ok = out.address == NULL || in.address == NULL ||
             cncl_work_add_copy(work, in.address, out.address, in.bytes);
      }
    }
  }
  return work != NULL && close_work(transfer, work, ok);
}

/* ---- Reductions ---- */

static size_t slice_bytes(const struct cncl_match *match, int owner) {
  const struct cncl_header *header = match->headers[owner];
  return cncl_slice(header, match->parties, owner).count * cncl_type_size(header->type);
}

static struct cncl_part slice_part(const struct cncl_match *match, int owner, const char *buffer) {
  const struct cncl_header *header = match->headers[owner];
  const size_t offset = cncl_slice(header, match->parties, owner).offset;
  const struct cncl_part part = {(char *)buffer + offset * cncl_type_size(header->type),
                                 slice_bytes(match, owner)};
  return part;
}

/* Where the contribution of a rank of another process to a slice is stored; if contributor equals
 * owner, the slice's result, when another process wants it. */
static char *staged(const struct transfer *transfer, int owner, int contributor) {
  size_t offset = 0;
  for (int rank = 0; rank < owner; ++rank) {
    if (transfer->match->calls[rank] != NULL) {
      offset += slice_bytes(transfer->match, rank) * (size_t)transfer->match->parties;
    }
  }
  return transfer->staging + offset + slice_bytes(transfer->match, owner) * (size_t)contributor;
}

static bool exchange_slices(struct transfer *transfer) {
  const struct cncl_match *match = transfer->match;
  size_t bytes = 1;
  for (int owner = 0; owner < match->parties; ++owner) {
    if (match->calls[owner] != NULL) {
      bytes += slice_bytes(match, owner) * (size_t)match->parties;
    }
  }
  transfer->staging = malloc(bytes);
  bool ok = transfer->staging != NULL;
  for (int step = 0; step < match->parties * match->parties && ok; ++step) {
    const int owner = step / match->parties;
    const int other = (owner + step) % match->parties;
    if (match->calls[owner] != NULL && match->calls[other] == NULL) {
      const struct cncl_part in = {staged(transfer, owner, other), slice_bytes(match, owner)};
      ok =
          recv_part(transfer, other, owner, in, 0) &&
          send_part(transfer, owner, other, slice_part(match, other, match->calls[owner]->send), 0);
    }
  }
  return ok;
}

bool phase_exchange(struct transfer *transfer) {
  const struct cncl_match *match = transfer->match;
  if (cncl_is_reduction(match->headers[0])) {
    return exchange_slices(transfer);
  }
  return move_remote(transfer) && move_local(transfer);
}

/* The buffers that receive the result of a slice; at most one per rank. */
static int result_targets(const struct transfer *transfer, int owner, char **targets) {
  const struct cncl_match *match = transfer->match;
  const struct cncl_header *header = match->headers[owner];
  if (header->kind == CNCL_REDUCE_SCATTER) {
    targets[0] = match->calls[owner]->recv;
    return 1;
  }
  if (header->kind == CNCL_REDUCE) {
    const struct cncl_call *root = match->calls[header->root];
    targets[0] = root != NULL ? slice_part(match, owner, root->recv).address
                              : staged(transfer, owner, owner);
    return 1;
  }
  int count = 0;
  for (int rank = 0; rank < match->parties; ++rank) {
    if (match->calls[rank] != NULL) {
      targets[count++] = slice_part(match, owner, match->calls[rank]->recv).address;
    }
  }
  return count;
}

bool phase_reduce(struct transfer *transfer) {
  const struct cncl_match *match = transfer->match;
  const int ranks = match->parties;
  char **lists = malloc(2 * (size_t)ranks * sizeof(*lists));
  struct cncl_work *work = lists != NULL ? open_work(transfer) : NULL;
  bool ok = work != NULL;
  for (int owner = 0; owner < ranks && ok; ++owner) {
    if (match->calls[owner] == NULL) {
      continue;
    }
    for (int rank = 0; rank < ranks; ++rank) {
      lists[rank] = match->calls[rank] != NULL
                        ? slice_part(match, owner, match->calls[rank]->send).address
                        : staged(transfer, owner, rank);
    }
    const struct cncl_header *header = match->headers[owner];
    const int targets = result_targets(transfer, owner, lists + ranks);
    ok = cncl_work_add_reduction(work, lists + ranks, targets, (const char *const *)lists, ranks,
                                 cncl_slice(header, ranks, owner).count, header->type, header->op);
  }
  free(lists);
  return work != NULL && close_work(transfer, work, ok);
}

static bool distribute_slice(struct transfer *transfer, int owner, int target) {
  const struct cncl_match *match = transfer->match;
  const struct cncl_header *header = match->headers[owner];
  if (match->calls[owner] == NULL) {
    return recv_part(transfer, owner, target, slice_part(match, owner, match->calls[target]->recv),
                     1);
  }
  const struct cncl_part result = {staged(transfer, owner, owner), slice_bytes(match, owner)};
  return send_part(
      transfer, owner, target,
      header->kind == CNCL_REDUCE ? result : slice_part(match, owner, match->calls[owner]->recv),
      1);
}

bool phase_distribute(struct transfer *transfer) {
  const struct cncl_match *match = transfer->match;
  bool ok = true;
  for (int step = 0; step < match->parties * match->parties && ok; ++step) {
    const int owner = step / match->parties;
    const int target = (owner + step) % match->parties;
    const bool remote = (match->calls[owner] != NULL) != (match->calls[target] != NULL);
    const struct cncl_header *header = match->headers[owner];
    if (remote && (header->kind == CNCL_ALL_REDUCE || target == header->root)) {
      ok = distribute_slice(transfer, owner, target);
    }
  }
  return ok;
}
