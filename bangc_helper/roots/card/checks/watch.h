/* SPDX-License-Identifier: MIT
 *
 * What the checks keep of a core: shadows of its memories, its variables, copies in flight, and
 * where it stands among the barriers.
 */
#ifndef CARD_CHECKS_WATCH_H_
#define CARD_CHECKS_WATCH_H_

#include "check.h"
#include "core.h"
#include "flights.h"
#include "race.h"
#include "shadow.h"

/* A variable, for reports. */
struct card_object {
  uintptr_t start;
  size_t bytes;
  const char *name;
};

/* A variable of a function that can be reached by an address: is it there, or what ended it? */
struct card_stack_object {
  uintptr_t start;
  uint64_t bytes;
  enum card_stack event;
};

/* Allocations of device memory that were found before. */
enum { CARD_KNOWN_ALLOCATIONS = 8 };
struct card_known_allocation {
  uintptr_t start, end;
  bool is_known; /* which bytes were written */
};

struct card_watch {
  struct card_shadow own[BANG_SPACE_COUNT]; /* shared RAM: of a task without a group */
  size_t lane_bytes;                        /* of WRAM; 0: not known so far */
  size_t reserved_wram, reserved_wram_end;  /* of a lane, for variables of functions */
  struct card_object *objects;
  size_t object_count, object_room;
  struct card_stack_object *stack;
  size_t stack_count, stack_room;
  struct card_flights flights;
  struct card_clock_of_races races;
  uint8_t turn;          /* of the compute pipe: grows when it is waited for */
  bool has_computed;     /* in this turn */
  uint32_t barrier_site; /* where it waits; 0: nowhere */
  struct card_known_allocation allocations[CARD_KNOWN_ALLOCATIONS];
  unsigned next_allocation;
  unsigned findings; /* of the running task, those that are not suppressed */
  /* The latest segment of a loaded file that was accessed. */
  uintptr_t file_start, file_end;
};

/* The calling core's; NULL when nothing is checked. */
static inline struct card_watch *card_watch(const struct card_core *core) {
  return core->watch;
}

#endif /* CARD_CHECKS_WATCH_H_ */
