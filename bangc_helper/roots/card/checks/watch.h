/* SPDX-License-Identifier: MIT
 *
 * What the checks keep per core: shadows of its memories, its variables, copies in flight, and the
 * barriers it has passed.
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

/* A local variable whose address is taken, and whether it is alive or what ended it. */
struct card_stack_object {
  uintptr_t start;
  uint64_t bytes;
  enum card_stack event;
};

/* Cache of the allocations that were looked up last. */
enum { CARD_KNOWN_ALLOCATIONS = 8 };
struct card_known_allocation {
  uintptr_t start, end;
  bool is_known; /* written bytes are tracked */
};

struct card_watch {
  struct card_shadow own[BANG_SPACE_COUNT]; /* shared RAM of a task that is in no union */
  size_t lane_bytes;                        /* distance between lanes of WRAM; 0: not known yet */
  size_t reserved_wram, reserved_wram_end;  /* bytes of a lane that local variables may use */
  struct card_object *objects;
  size_t object_count, object_room;
  struct card_stack_object *stack;
  size_t stack_count, stack_room;
  struct card_flights flights;
  struct card_clock_of_races races;
  uint8_t turn;          /* turn of the compute pipe, incremented by each wait for it */
  bool has_computed;     /* the compute pipe was used in this turn */
  uint32_t barrier_site; /* site of the barrier at which the core waits; 0: none */
  struct card_known_allocation allocations[CARD_KNOWN_ALLOCATIONS];
  unsigned next_allocation;
  unsigned findings; /* of the running task, without suppressed ones */
  /* Cache: the segment of a loaded file that was accessed last. */
  uintptr_t file_start, file_end;
};

/* The calling core's watch; NULL if nothing is checked. */
static inline struct card_watch *card_watch(const struct card_core *core) {
  return core->watch;
}

#endif /* CARD_CHECKS_WATCH_H_ */
