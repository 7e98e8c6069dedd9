/* SPDX-License-Identifier: MIT
 *
 * Asynchronous copies in flight on a core. A pipe works in order, so only operations of different
 * pipes can conflict.
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
  uint32_t site; /* number of the place in the launch */
  struct card_side source, destination;
};

/* Bounds of the addresses that copies in flight access. */
struct card_box {
  uintptr_t low, high; /* high is 0 if there are none */
};

struct card_flights {
  struct card_flight *list;
  size_t count, room;
  /* Bounds of sources and destinations, on chip and in device memory. */
  struct card_box sources[CARD_PIPE_COUNT][2], destinations[CARD_PIPE_COUNT][2];
};

/* False if memory is short; the copy is not tracked then. */
bool card_flights_add(struct card_flights *flights, const struct card_flight *flight,
                      bool source_on_chip, bool destination_on_chip);
/* Removes the copies of all pipes in the mask (1 << enum card_pipe). */
void card_flights_end(struct card_flights *flights, unsigned pipes);
void card_flights_free(struct card_flights *flights);

/* Finds a copy on the given pipes that overlaps `side` with its destination or, if `writes`, with
 * its source; NULL if none does. *meets_source is set if it is the source. */
const struct card_flight *card_flights_meet(const struct card_flights *flights,
                                            const struct card_side *side, bool writes,
                                            unsigned pipes, bool on_chip, bool *meets_source);

/* Lowest address of a side, and the first one past its end. */
struct card_box card_side_box(const struct card_side *side);
bool card_sides_meet(const struct card_side *a, const struct card_side *b);

#endif /* CARD_CHECKS_FLIGHTS_H_ */
