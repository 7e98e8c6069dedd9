/* SPDX-License-Identifier: MIT */
#include "mpi/control.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/links.h"
#include "mpi/meeting.h"
#include "mpi/reach.h"
#include "mpi/transfer.h"
#include "mpi/wire.h"

enum { MEETING_PROCESS = 0 };

/* ---- Commands of this process ---- */

void control_join(struct cncl_clique *clique, const int *ranks, int count) {
  if (engine.refusal != NULL) {
    engine.core->clique_fail(clique, CNCL_FAIL_QUIET, "%s", engine.refusal);
    return;
  }
  struct link *link = link_of(clique);
  if (link == NULL) {
    link = calloc(1, sizeof(*link));
    if (link == NULL) {
      engine.core->clique_fail(clique, CNCL_FAIL_QUIET, "no memory to join a clique");
      return;
    }
    engine.core->clique_retain(clique);
    link->clique = clique;
    link->next = engine.links;
    engine.links = link;
  }
  link->members += count;
  send_wire(MEETING_PROCESS, WIRE_JOIN, clique->key, clique->ranks, 0, ranks,
            (size_t)count * sizeof(*ranks));
}

void control_announce(struct cncl_clique *clique, const struct cncl_header *header) {
  struct link *link = link_of(clique);
  if (link == NULL || link->failed) {
    return;
  }
  ++link->waiting;
  const size_t bytes = cncl_header_bytes(header) + header->eager;
  if (!cncl_is_pair(header)) {
    send_to_others(link, WIRE_HEADER, header->rank, header, bytes);
  } else if (link->process[header->peer] != engine.self) {
    send_wire(link->process[header->peer], WIRE_HEADER, clique->key, clique->ranks, header->rank,
              header, bytes);
  }
}

void control_fail(struct cncl_clique *clique, bool tell, const char *reason) {
  struct link *link = link_of(clique);
  if (link == NULL) {
    return;
  }
  atomic_store(&engine.trouble, true);
  link->failed = true;
  link->waiting = 0;
  if (link->reason == NULL) {
    link->reason = strdup(reason);
  }
  if (tell) {
    send_to_others(link, WIRE_FAIL, 0, reason, strlen(reason) + 1);
  }
}

static void remove_link(struct link *link) {
  struct link **place = &engine.links;
  while (*place != link) {
    place = &(*place)->next;
  }
  *place = link->next;
  struct cncl_clique *clique = link->clique;
  transfers_forget(link);
  reach_end(link);
  free(link->process);
  free(link->others);
  free(link->reason);
  free(link);
  engine.core->clique_release(clique);
}

/* A process that leaves because of a failure says so first, since others may learn that it left
 * before they learn of the failure. */
static void send_leave(const struct link *link, int rank) {
  if (link->reason != NULL) {
    send_to_others(link, WIRE_FAIL, 0, link->reason, strlen(link->reason) + 1);
  }
  send_to_others(link, WIRE_LEAVE, rank, NULL, 0);
}

void control_leave(struct cncl_clique *clique, int rank) {
  struct link *link = link_of(clique);
  if (link != NULL) {
    send_leave(link, rank);
    if (--link->members == 0) {
      remove_link(link);
    }
  }
}

void control_leave_all(void) {
  while (engine.links != NULL) {
    struct link *link = engine.links;
    for (int rank = 0; link->process != NULL && rank < link->clique->ranks; ++rank) {
      if (link->process[rank] == engine.self) {
        send_leave(link, rank);
      }
    }
    if (link->waiting != 0) {
      engine.core->clique_fail(link->clique, CNCL_FAIL_QUIET, "MPI ends while calls wait");
    }
    remove_link(link);
  }
  meeting_end();
}

/* ---- Messages ---- */

/* The other processes, each once. */
static bool list_others(struct link *link) {
  const int ranks = link->clique->ranks;
  bool *seen = calloc((size_t)engine.processes, sizeof(*seen));
  link->others = malloc((size_t)ranks * sizeof(*link->others));
  if (seen != NULL && link->others != NULL) {
    seen[engine.self] = true;
    for (int rank = 0; rank < ranks; ++rank) {
      const int process = link->process[rank];
      if (!seen[process]) {
        seen[process] = true;
        link->others[link->other_count++] = process;
      }
    }
  }
  const bool ok = seen != NULL && link->others != NULL;
  free(seen);
  return ok;
}

static void take_map(struct link *link, const int *process_of_rank, size_t bytes) {
  struct cncl_clique *clique = link->clique;
  bool ok = bytes == (size_t)clique->ranks * sizeof(int) && link->process == NULL;
  for (int rank = 0; rank < clique->ranks && ok; ++rank) {
    ok = process_of_rank[rank] >= 0 && process_of_rank[rank] < engine.processes;
  }
  if (ok) {
    link->process = malloc(bytes);
    ok = link->process != NULL;
  }
  if (ok) {
    memcpy(link->process, process_of_rank, bytes);
    ok = list_others(link);
  }
  if (!ok) {
    engine.core->clique_fail(clique, CNCL_FAIL_TELL, "the places of the ranks cannot be used");
    return;
  }
  if (link->other_count != 0) {
    reach_begin(link);
    return;
  }
  engine.core->clique_ready(clique, CNCL_PLACE_HERE);
  remove_link(link);
}

/* Data that arrives with a header is all the data of the call. */
static bool is_eager_right(const struct cncl_header *header) {
  return header->eager == 0 ||
         (header->kind == CNCL_ALL_GATHER && header->eager <= CNCL_EAGER_BYTES &&
          header->count * cncl_type_size(header->type) == header->eager);
}

static void take_header(struct link *link, const struct cncl_header *header, size_t bytes) {
  const int ranks = link->clique->ranks;
  if (link->failed) {
    return;
  }
  if (bytes < sizeof(*header) || bytes != cncl_header_bytes(header) + header->eager ||
      !is_eager_right(header) || header->rank < 0 || header->rank >= ranks || header->peer < 0 ||
      header->peer >= ranks || header->kind >= CNCL_KIND_COUNT ||
      header->lanes != (header->kind == CNCL_ALL_TO_ALL_V ? (uint32_t)ranks : 0)) {
    engine.core->clique_fail(link->clique, CNCL_FAIL_TELL, "a message was damaged");
    return;
  }
  engine.core->deliver(link->clique, header);
}

void control_receive(const void *message, size_t bytes, int process) {
  struct wire wire;
  if (bytes < sizeof(wire)) {
    return;
  }
  memcpy(&wire, message, sizeof(wire));
  const void *payload = (const char *)message + sizeof(wire);
  bytes -= sizeof(wire);
  if (wire.kind == WIRE_JOIN) {
    meeting_join(wire.key, wire.ranks, payload, (int)(bytes / sizeof(int)), process);
    return;
  }
  struct link *link = link_of_key(wire.key);
  if (link == NULL) {
    return; /* this process has left the clique */
  }
  struct cncl_clique *clique = link->clique;
  engine.core->clique_retain(clique); /* the next step may end the last call */
  switch (wire.kind) {
    case WIRE_MAP:
      take_map(link, payload, bytes);
      break;
    case WIRE_HEADER:
      take_header(link, payload, bytes);
      break;
    case WIRE_OFFER:
      reach_take_offer(link, payload, bytes);
      break;
    case WIRE_VERDICT:
      reach_take_verdict(link, wire.rank == 1);
      break;
    case WIRE_FAIL:
      engine.core->clique_fail(clique, CNCL_FAIL_QUIET, "%.*s (says process %d)", (int)bytes,
                               (const char *)payload, process);
      break;
    case WIRE_LEAVE:
      if (wire.rank >= 0 && wire.rank < clique->ranks) {
        engine.core->clique_peer_left(clique, wire.rank);
      }
      break;
    default:
      engine.core->clique_fail(clique, CNCL_FAIL_TELL, "a message of unknown kind arrived");
      break;
  }
  engine.core->clique_release(clique);
}
