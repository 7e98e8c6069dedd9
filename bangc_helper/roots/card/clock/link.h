/* SPDX-License-Identifier: MIT
 *
 * A link that transfers share, such as the bus of device memory: each gets an equal share of the
 * capacity, up to its own limit. All arithmetic is in integers, so that times do not depend on the
 * host.
 */
#ifndef CARD_CLOCK_LINK_H_
#define CARD_CLOCK_LINK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest single transfer of a link; longer ones are split. */
enum { CARD_LINK_MAX_BYTES = 1 << 30 };

struct card_flow {
  uint32_t owner;
  int64_t remaining; /* 1e-9 bytes */
  int64_t limit;     /* bytes per ms that the core allows */
  int64_t rate;      /* current bytes per ms */
};

struct card_link {
  int64_t capacity; /* bytes per ms */
  int64_t updated;  /* ps at which the flows' `remaining` is valid */
  int64_t total;    /* current bytes per ms of all flows */
  struct card_flow *flows;
  size_t count, size;
};

/* `size`: the maximum number of transfers at a time. False: out of memory. */
bool card_link_init(struct card_link *link, int64_t mb_per_s, size_t size);
void card_link_destroy(struct card_link *link);

/* Begins a transfer at `now` (ps), at a rate of at most `limit` bytes per ms. */
void card_link_begin(struct card_link *link, int64_t now, uint32_t owner, int64_t bytes,
                     int64_t limit);
/* When the next transfer ends, if none begins before that; INT64_MAX: there is none. */
int64_t card_link_next(const struct card_link *link);
/* Removes a transfer that has ended by `now`; false: none has. */
bool card_link_end(struct card_link *link, int64_t now, uint32_t *owner);

#endif /* CARD_CLOCK_LINK_H_ */
