/* SPDX-License-Identifier: MIT */
#include "clock/agenda.h"

#include <stdlib.h>

bool card_agenda_init(struct card_agenda *agenda, size_t actors) {
  *agenda = (struct card_agenda){.times = malloc(actors * sizeof *agenda->times),
                                 .heap = malloc(actors * sizeof *agenda->heap),
                                 .places = malloc(actors * sizeof *agenda->places),
                                 .count = actors};
  if (agenda->times == NULL || agenda->heap == NULL || agenda->places == NULL) {
    card_agenda_destroy(agenda);
    return false;
  }
  for (size_t i = 0; i < actors; ++i) {
    agenda->times[i] = CARD_NEVER;
    agenda->heap[i] = agenda->places[i] = (uint32_t)i;
  }
  return true;
}

void card_agenda_destroy(struct card_agenda *agenda) {
  free(agenda->times);
  free(agenda->heap);
  free(agenda->places);
  *agenda = (struct card_agenda){0};
}

static bool comes_before(const struct card_agenda *agenda, uint32_t a, uint32_t b) {
  return agenda->times[a] != agenda->times[b] ? agenda->times[a] < agenda->times[b] : a < b;
}

static void place(struct card_agenda *agenda, size_t where, uint32_t actor) {
  agenda->heap[where] = actor;
  agenda->places[actor] = (uint32_t)where;
}

void card_agenda_set(struct card_agenda *agenda, uint32_t actor, int64_t time) {
  agenda->times[actor] = time;
  size_t where = agenda->places[actor];
  while (where > 0 && comes_before(agenda, actor, agenda->heap[(where - 1) / 2])) {
    place(agenda, where, agenda->heap[(where - 1) / 2]);
    where = (where - 1) / 2;
  }
  for (;;) {
    size_t child = 2 * where + 1;
    if (child >= agenda->count) break;
    if (child + 1 < agenda->count &&
        comes_before(agenda, agenda->heap[child + 1], agenda->heap[child])) {
      ++child;
    }
    if (!comes_before(agenda, agenda->heap[child], actor)) break;
    place(agenda, where, agenda->heap[child]);
    where = child;
  }
  place(agenda, where, actor);
}

uint32_t card_agenda_first(const struct card_agenda *agenda, int64_t *time) {
  *time = agenda->times[agenda->heap[0]];
  return agenda->heap[0];
}
