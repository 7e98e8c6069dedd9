/* SPDX-License-Identifier: MIT */
#include "stack.h"

#include <stdlib.h>

static bool meets(const struct card_stack_object *one, uintptr_t start, uint64_t bytes) {
  return one->start < start + bytes && start < one->start + one->bytes;
}

bool card_stack_has_ended(const struct card_watch *watch, uintptr_t start, uint64_t bytes) {
  for (size_t i = 0; i < watch->stack_count; ++i) {
    const struct card_stack_object *one = &watch->stack[i];
    if (one->event != CARD_STACK_BEGINS && meets(one, start, bytes)) {
      return true;
    }
  }
  return false;
}

void card_stack_clear(struct card_watch *watch) {
  watch->stack_count = 0;
}

void card_stack_free(struct card_watch *watch) {
  free(watch->stack);
}

static void add(struct card_watch *watch, const struct card_stack_object *one) {
  if (watch->stack_count == watch->stack_room) {
    const size_t room = watch->stack_room != 0 ? 2 * watch->stack_room : 16;
    struct card_stack_object *list = realloc(watch->stack, room * sizeof(*list));
    if (list == NULL) {
      return; /* uses after its end are not found then */
    }
    watch->stack = list;
    watch->stack_room = room;
  }
  watch->stack[watch->stack_count++] = *one;
}

/* Removes variables that overlap these bytes: ended ones only, or all. */
static void forget(struct card_watch *watch, uintptr_t start, uint64_t bytes, bool all) {
  size_t kept = 0;
  for (size_t i = 0; i < watch->stack_count; ++i) {
    const struct card_stack_object *one = &watch->stack[i];
    if (!meets(one, start, bytes) || (one->event == CARD_STACK_BEGINS && !all)) {
      watch->stack[kept++] = *one;
    }
  }
  watch->stack_count = kept;
}

/* A variable may begin in every iteration of a loop and end only after the loop. */
static bool is_there(const struct card_watch *watch, const struct card_stack_object *object) {
  unsigned count = 0;
  for (size_t i = 0; i < watch->stack_count; ++i) {
    const struct card_stack_object *one = &watch->stack[i];
    count += one->event == CARD_STACK_BEGINS && one->start == object->start &&
             one->bytes == object->bytes;
  }
  return count > 1; /* another variable may share its place */
}

/* The compiler may give variables with disjoint uses the same place and mark one as begun before
 * the other has ended. Returns how many other live variables overlap. */
static size_t remove_one(struct card_watch *watch, uintptr_t start, uint64_t bytes) {
  size_t found = watch->stack_count;
  size_t others = 0;
  for (size_t i = 0; i < watch->stack_count; ++i) {
    const struct card_stack_object *one = &watch->stack[i];
    if (one->event != CARD_STACK_BEGINS || !meets(one, start, bytes)) {
      continue;
    }
    if (found == watch->stack_count && one->start == start && one->bytes == bytes) {
      found = i;
    } else {
      ++others;
    }
  }
  if (found < watch->stack_count) {
    watch->stack[found] = watch->stack[--watch->stack_count];
  }
  return others;
}

void card_check_stack(struct card_core *core, uintptr_t start, uint64_t bytes,
                      enum card_stack event) {
  struct card_watch *watch = core->watch;
  const struct card_stack_object object = {start, bytes, event};
  switch (event) {
    case CARD_STACK_BEGINS:
      forget(watch, start, bytes, false);
      if (!is_there(watch, &object)) {
        add(watch, &object);
      }
      break;
    case CARD_STACK_ENDS:
      if (remove_one(watch, start, bytes) == 0) {
        forget(watch, start, bytes, false);
        add(watch, &object);
      }
      break;
    case CARD_STACK_RETURNS:
      forget(watch, start, bytes, true);
      add(watch, &object);
      break;
  }
}

/* A new call reuses the stack memory of calls that have returned. */
void card_check_entered(struct card_core *core) {
  struct card_watch *watch = core->watch;
  size_t kept = 0;
  for (size_t i = 0; i < watch->stack_count; ++i) {
    if (watch->stack[i].event != CARD_STACK_RETURNS) {
      watch->stack[kept++] = watch->stack[i];
    }
  }
  watch->stack_count = kept;
}
