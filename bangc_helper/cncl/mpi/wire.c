/* SPDX-License-Identifier: MIT */
#include "mpi/wire.h"

#include <string.h>

#include "mpi/requests.h"

void send_wire(int process, enum wire_kind kind, struct cncl_key key, int ranks, int rank,
               const void *payload, size_t bytes) {
  const struct wire wire = {.kind = kind, .ranks = ranks, .rank = rank, .key = key};
  send_control(process, &wire, sizeof(wire), payload, bytes);
}

void send_to_others(const struct link *link, enum wire_kind kind, int rank, const void *payload,
                    size_t bytes) {
  for (int i = 0; i < link->other_count; ++i) {
    send_wire(link->others[i], kind, link->clique->key, link->clique->ranks, rank, payload, bytes);
  }
}

void control_send_map(struct cncl_key key, int ranks, const int *process_of_rank, int process) {
  send_wire(process, WIRE_MAP, key, ranks, 0, process_of_rank,
            (size_t)ranks * sizeof(*process_of_rank));
}

void control_send_failure(struct cncl_key key, const char *reason, int process) {
  send_wire(process, WIRE_FAIL, key, 0, 0, reason, strlen(reason) + 1);
}

void control_send_offer(const struct link *link, const void *offer, size_t bytes) {
  send_to_others(link, WIRE_OFFER, 0, offer, bytes);
}

void control_send_verdict(const struct link *link, bool worked) {
  send_to_others(link, WIRE_VERDICT, worked ? 1 : 0, NULL, 0);
}
