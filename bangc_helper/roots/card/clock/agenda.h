/* SPDX-License-Identifier: MIT
 *
 * A priority queue: when each of a fixed number of actors acts next. At equal times the smaller
 * actor number comes first, so that the order is deterministic.
 */
#ifndef CARD_CLOCK_AGENDA_H_
#define CARD_CLOCK_AGENDA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CARD_NEVER INT64_MAX

struct card_agenda {
  int64_t *times;   /* by actor */
  uint32_t *heap;   /* actors, the next one first */
  uint32_t *places; /* positions in the heap, by actor */
  size_t count;
};

/* No actor has a time yet. False: out of memory. */
bool card_agenda_init(struct card_agenda *agenda, size_t actors);
void card_agenda_destroy(struct card_agenda *agenda);
/* CARD_NEVER: the actor does not act until it gets another time. */
void card_agenda_set(struct card_agenda *agenda, uint32_t actor, int64_t time);
uint32_t card_agenda_first(const struct card_agenda *agenda, int64_t *time);

#endif /* CARD_CLOCK_AGENDA_H_ */
