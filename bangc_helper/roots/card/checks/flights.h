/* SPDX-License-Identifier: MIT
 *
 * Copies that a core has begun and not waited for. A pipe works in order, so only the work of
 * different pipes can meet.
 */
#ifndef CARD_CHECKS_FLIGHTS_H_
#define CARD_CHECKS_FLIGHTS_H_

#include <stdbool.h>
#include <stddef.h>

#include "events.h"
#include "granules.h"

struct card_flight {
  uint8_t pipe; /* enum card_pipe */
  bool has_source, has_destination;
  uint32_t site; /* in the launch */
  struct card_side source, destination;
};

/* Bounds of the addresses that accesses in flight touch. */
struct card_box {
  uintptr_t low, high; /* high 0: nothing */
};

struct card_flights {
  struct card_flight *list;
  size_t count, room;
  /* Of the memory on chip, and of the device's. */
  struct card_box sources[CARD_PIPE_COUNT][2], destinations[CARD_PIPE_COUNT][2];
};

/* False when memory is short: the copy is not known then. */
bool card_flights_add(struct card_flights *flights, const struct card_flight *flight,
                      bool source_on_chip, bool destination_on_chip);
/* The pipes of the mask (1 << enum card_pipe) are done. */
void card_flights_end(struct card_flights *flights, unsigned pipes);
void card_flights_free(struct card_flights *flights);

/* A copy of another pipe whose destination, or if `writes` whose source, meets this side; NULL:
 * none. `pipes`: those to look at. *meets_source says which. */
const struct card_flight *card_flights_meet(const struct card_flights *flights,
                                            const struct card_side *side, bool writes,
                                            unsigned pipes, bool on_chip, bool *meets_source);

/* Lowest address, and the first after the highest. */
struct card_box card_side_box(const struct card_side *side);
bool card_sides_meet(const struct card_side *a, const struct card_side *b);

#endif /* CARD_CHECKS_FLIGHTS_H_ */
