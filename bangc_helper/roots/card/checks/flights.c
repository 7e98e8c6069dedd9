/* SPDX-License-Identifier: MIT */
#include "flights.h"

#include <stdlib.h>
#include <string.h>

struct card_box card_side_box(const struct card_side *side) {
  struct card_box box = {side->start, side->start + side->bytes};
  if (side->bytes == 0 || side->inner == 0 || side->outer == 0) {
    return (struct card_box){0, 0};
  }
  const int64_t spans[] = {(int64_t)(side->inner - 1) * side->stride,
                           (int64_t)(side->outer - 1) * side->outer_stride};
  for (int i = 0; i < 2; ++i) {
    if (spans[i] > 0) {
      box.high += (uint64_t)spans[i];
    } else {
      box.low += (uint64_t)spans[i];
    }
  }
  return box;
}

static bool boxes_meet(struct card_box a, struct card_box b) {
  return a.low < b.high && b.low < a.high;
}

static void add_box(struct card_box *box, struct card_box more) {
  if (box->high == 0) {
    *box = more;
  } else if (more.high != 0) {
    box->low = more.low < box->low ? more.low : box->low;
    box->high = more.high > box->high ? more.high : box->high;
  }
}

/* ---- Strided sides ---- */

static bool row_meets(const struct card_side *side, uintptr_t row, struct card_box piece) {
  if (side->stride == 0 || side->inner == 1) {
    return boxes_meet((struct card_box){row, row + side->bytes}, piece);
  }
  for (uint64_t i = 0; i < side->inner; ++i) {
    const uintptr_t start = row + i * (uint64_t)side->stride;
    if (boxes_meet((struct card_box){start, start + side->bytes}, piece)) {
      return true;
    }
    if (side->stride > 0 && start >= piece.high) { /* later segments are farther away */
      return false;
    }
  }
  return false;
}

static bool piece_meets(const struct card_side *side, struct card_box piece) {
  if (!boxes_meet(card_side_box(side), piece)) {
    return false;
  }
  for (uint64_t j = 0; j < side->outer; ++j) {
    if (row_meets(side, side->start + j * (uint64_t)side->outer_stride, piece)) {
      return true;
    }
  }
  return false;
}

bool card_sides_meet(const struct card_side *a, const struct card_side *b) {
  if (!boxes_meet(card_side_box(a), card_side_box(b))) {
    return false;
  }
  for (uint64_t j = 0; j < a->outer; ++j) {
    for (uint64_t i = 0; i < a->inner; ++i) {
      const uintptr_t start = a->start + j * (uint64_t)a->outer_stride + i * (uint64_t)a->stride;
      if (piece_meets(b, (struct card_box){start, start + a->bytes})) {
        return true;
      }
    }
  }
  return false;
}

/* ---- Copies in flight ---- */

static void count_in(struct card_flights *flights, const struct card_flight *flight,
                     bool source_on_chip, bool destination_on_chip) {
  if (flight->has_source) {
    add_box(&flights->sources[flight->pipe][!source_on_chip], card_side_box(&flight->source));
  }
  if (flight->has_destination) {
    add_box(&flights->destinations[flight->pipe][!destination_on_chip],
            card_side_box(&flight->destination));
  }
}

bool card_flights_add(struct card_flights *flights, const struct card_flight *flight,
                      bool source_on_chip, bool destination_on_chip) {
  if (flights->count == flights->room) {
    const size_t room = flights->room != 0 ? 2 * flights->room : 64;
    struct card_flight *list = realloc(flights->list, room * sizeof(*list));
    if (list == NULL) {
      return false;
    }
    flights->list = list;
    flights->room = room;
  }
  flights->list[flights->count++] = *flight;
  count_in(flights, flight, source_on_chip, destination_on_chip);
  return true;
}

void card_flights_end(struct card_flights *flights, unsigned pipes) {
  size_t kept = 0;
  for (size_t i = 0; i < flights->count; ++i) {
    if ((pipes >> flights->list[i].pipe & 1) == 0) {
      flights->list[kept++] = flights->list[i];
    }
  }
  flights->count = kept;
  for (unsigned pipe = 0; pipe < CARD_PIPE_COUNT; ++pipe) {
    if ((pipes >> pipe & 1) != 0) {
      memset(flights->sources[pipe], 0, sizeof(flights->sources[pipe]));
      memset(flights->destinations[pipe], 0, sizeof(flights->destinations[pipe]));
    }
  }
}

void card_flights_free(struct card_flights *flights) {
  free(flights->list);
  *flights = (struct card_flights){0};
}

static bool may_meet(const struct card_flights *flights, struct card_box box, bool writes,
                     unsigned pipes, bool on_chip) {
  for (unsigned pipe = 0; pipe < CARD_PIPE_COUNT; ++pipe) {
    if ((pipes >> pipe & 1) != 0 &&
        (boxes_meet(flights->destinations[pipe][!on_chip], box) ||
         (writes && boxes_meet(flights->sources[pipe][!on_chip], box)))) {
      return true;
    }
  }
  return false;
}

const struct card_flight *card_flights_meet(const struct card_flights *flights,
                                            const struct card_side *side, bool writes,
                                            unsigned pipes, bool on_chip, bool *meets_source) {
  if (flights->count == 0 || !may_meet(flights, card_side_box(side), writes, pipes, on_chip)) {
    return NULL;
  }
  for (size_t i = flights->count; i-- > 0;) {
    const struct card_flight *flight = &flights->list[i];
    if ((pipes >> flight->pipe & 1) == 0) {
      continue;
    }
    if (flight->has_destination && card_sides_meet(&flight->destination, side)) {
      *meets_source = false;
      return flight;
    }
    if (writes && flight->has_source && card_sides_meet(&flight->source, side)) {
      *meets_source = true;
      return flight;
    }
  }
  return NULL;
}
