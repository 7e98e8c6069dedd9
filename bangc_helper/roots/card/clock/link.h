/* SPDX-License-Identifier: MIT
 *
 * A link that transfers share, such as the bus of device memory: each gets an equal part of the
 * capacity, up to a rate of its own. All arithmetic is in integers, so that times do not depend on
 * the host.
 */
#ifndef CARD_CLOCK_LINK_H_
#define CARD_CLOCK_LINK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest transfer a link takes at once; longer ones come in pieces. */
enum { CARD_LINK_MAX_BYTES = 1 << 30 };

struct card_flow {
  uint32_t owner;
  int64_t remaining; /* 1e-9 bytes */
  int64_t limit;     /* bytes per ms that its own side can take */
  int64_t rate;      /* bytes per ms, now */
};

struct card_link {
  int64_t capacity; /* bytes per ms */
  int64_t updated;  /* ps: what remains of the flows holds for this time */
  int64_t total;    /* bytes per ms of all flows now */
  struct card_flow *flows;
  size_t count, size;
};

/* False: out of memory. At most `size` transfers at a time. */
bool card_link_init(struct card_link *link, int64_t mb_per_s, size_t size);
void card_link_destroy(struct card_link *link);

/* Begins a transfer at the time `now`, in ps, that is at most `limit` bytes per ms fast. */
void card_link_begin(struct card_link *link, int64_t now, uint32_t owner, int64_t bytes,
                     int64_t limit);
/* When the next transfer ends if none begins before; INT64_MAX: none. */
int64_t card_link_next(const struct card_link *link);
/* Takes out a transfer that has ended by `now`; false: none has. */
bool card_link_end(struct card_link *link, int64_t now, uint32_t *owner);

#endif /* CARD_CLOCK_LINK_H_ */
