/* SPDX-License-Identifier: MIT
 *
 * Finds out whether the processes of a clique can map each other's device memory. Hosts, users and
 * sandboxes restrict that in many ways, so it is tried: every process sends the others a handle of
 * some memory with its content, tries the handles it gets, and tells the others whether all of them
 * worked. When all results have arrived, all processes know the same.
 */
#include "mpi/reach.h"

#include <string.h>
#include <sys/random.h>

#include "cnrt_external.h"
#include "mpi/wire.h"

struct offer {
  uint64_t handle; /* 0: there is none */
  uint64_t token[2];
};

void reach_end(struct link *link) {
  if (link->reach.probe != NULL) {
    cnrtFree(link->reach.probe);
    link->reach.probe = NULL;
  }
}

/* The clique is complete once every process has tried the memory of all others. */
static void advance(struct link *link) {
  struct reach *reach = &link->reach;
  if (link->process == NULL || link->ready || reach->offers < link->other_count) {
    return;
  }
  if (!reach->told) {
    reach->told = true;
    control_send_verdict(link, !reach->failed);
  }
  if (reach->verdicts == link->other_count) {
    link->ready = true;
    reach_end(link);
    engine.core->clique_ready(link->clique,
                              reach->failed ? CNCL_PLACE_APART : CNCL_PLACE_REACHABLE);
  }
}

static bool make_offer(struct link *link, struct offer *offer) {
  cnrtIpcMemHandle handle = NULL;
  /* This thread must not wait for queues, since they may wait for it. */
  if (!cnrtxSharesMemory() ||
      getrandom(offer->token, sizeof(offer->token), 0) != (ssize_t)sizeof(offer->token) ||
      cnrtMalloc(&link->reach.probe, sizeof(offer->token)) != cnrtSuccess ||
      cnrtAcquireMemHandle(&handle, link->reach.probe) != cnrtSuccess) {
    return false;
  }
  cnrtxStream(link->reach.probe, offer->token, sizeof(offer->token));
  offer->handle = (uint64_t)(uintptr_t)handle;
  return true;
}

void reach_begin(struct link *link) {
  struct offer offer = {0};
  if (!make_offer(link, &offer)) {
    link->reach.failed = true;
  }
  control_send_offer(link, &offer, sizeof(offer));
  advance(link);
}

static bool try_offer(const struct offer *offer) {
  uint64_t token[2] = {0};
  void *memory = NULL;
  if (offer->handle == 0 ||
      cnrtMapMemHandle(&memory, (cnrtIpcMemHandle)(uintptr_t)offer->handle, 0) != cnrtSuccess) {
    return false;
  }
  /* A process on another host may have the same number, and memory of its own at that place. */
  cnrtxStream(token, memory, sizeof(token));
  cnrtUnMapMemHandle(memory);
  return memcmp(token, offer->token, sizeof(token)) == 0;
}

void reach_take_offer(struct link *link, const void *message, size_t bytes) {
  struct offer offer;
  bool worked = bytes == sizeof(offer);
  if (worked) {
    memcpy(&offer, message, sizeof(offer));
    worked = try_offer(&offer);
  }
  link->reach.failed |= !worked;
  ++link->reach.offers;
  advance(link);
}

void reach_take_verdict(struct link *link, bool worked) {
  link->reach.failed |= !worked;
  ++link->reach.verdicts;
  advance(link);
}
