/* SPDX-License-Identifier: MIT
 *
 * Copies in flight: which accesses overlap with them, and until when.
 */
#include "checks/flights.h"

#include "check.h"

static struct card_side plain(uintptr_t start, uint64_t bytes) {
  return (struct card_side){start, bytes, 1, 1, 0, 0};
}

static void test_sides(void) {
  const struct card_side rows = {1000, 4, 3, 2, 100, 1000};
  const struct card_side between = plain(1004, 96);
  const struct card_side last = plain(2203, 1);
  const struct card_side after = plain(2204, 10);
  CHECK(!card_sides_meet(&rows, &between));
  CHECK(card_sides_meet(&rows, &last));
  CHECK(card_sides_meet(&last, &rows));
  CHECK(!card_sides_meet(&rows, &after));
  const struct card_side backwards = {1000, 4, 3, 1, -100, 0};
  const struct card_side low = plain(801, 2);
  CHECK(card_sides_meet(&backwards, &low));
  CHECK(card_side_box(&backwards).low == 800 && card_side_box(&backwards).high == 1004);
  const struct card_side comb = {1004, 4, 3, 1, 100, 0};
  CHECK(!card_sides_meet(&rows, &comb));
}

static void test_flights(void) {
  struct card_flights flights = {0};
  const unsigned io = 1u << CARD_PIPE_IO;
  const unsigned move = 1u << CARD_PIPE_MOVE;
  const struct card_flight load = {.pipe = CARD_PIPE_IO,
                                   .has_source = true,
                                   .has_destination = true,
                                   .site = 7,
                                   .source = plain(1 << 20, 64),
                                   .destination = plain(4096, 64)};
  bool meets_source = false;
  CHECK(card_flights_add(&flights, &load, false, true));
  const struct card_side inside = plain(4100, 4);
  const struct card_flight *met =
      card_flights_meet(&flights, &inside, false, io | move, true, &meets_source);
  CHECK(met != NULL && met->site == 7 && !meets_source);
  CHECK(card_flights_meet(&flights, &inside, false, move, true, &meets_source) == NULL);
  const struct card_side source = plain((1 << 20) + 60, 8);
  CHECK(card_flights_meet(&flights, &source, false, io, false, &meets_source) == NULL);
  CHECK(card_flights_meet(&flights, &source, true, io, false, &meets_source) != NULL);
  CHECK(meets_source);
  card_flights_end(&flights, move);
  CHECK(card_flights_meet(&flights, &inside, false, io, true, &meets_source) != NULL);
  card_flights_end(&flights, io);
  CHECK(card_flights_meet(&flights, &inside, true, io | move, true, &meets_source) == NULL);
  card_flights_free(&flights);
}

int main(void) {
  test_sides();
  test_flights();
  return check_result();
}
