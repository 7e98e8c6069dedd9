/* SPDX-License-Identifier: MIT
 *
 * Start and end of tasks and launches for the checks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cn_api.h"
#include "locate.h"
#include "runtime/arena.h"
#include "runtime/launch.h"
#include "runtime/slot.h"
#include "stack.h"

/* ---- Cores ---- */

static struct card_watch *create_watch(void) {
  struct card_watch *watch = calloc(1, sizeof(*watch));
  if (watch != NULL) {
    watch->turn = 1;
  }
  return watch;
}

void card_check_core_free(struct card_core *core) {
  struct card_watch *watch = core->watch;
  if (watch == NULL) {
    return;
  }
  for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
    card_shadow_close(&watch->own[space]);
  }
  card_flights_free(&watch->flights);
  card_stack_free(watch);
  free(watch->objects);
  free(watch);
  core->watch = NULL;
}

/* ---- Variables ---- */

static void add_object(struct card_watch *watch, uintptr_t start, size_t bytes, const char *name) {
  if (watch->object_count == watch->object_room) {
    const size_t room = watch->object_room != 0 ? 2 * watch->object_room : 64;
    struct card_object *objects = realloc(watch->objects, room * sizeof(*objects));
    if (objects == NULL) {
      return; /* memory is short: reports lack its name */
    }
    watch->objects = objects;
    watch->object_room = room;
  }
  watch->objects[watch->object_count++] = (struct card_object){start, bytes, name};
}

/* The shadow of a core's own memory, or of its cluster's shared RAM. */
static struct card_shadow *shadow_of(struct card_watch *watch, bangSpace space) {
  const struct rt_core *self = rt_core_self();
  if (space == BANG_SPACE_SRAM && self->member != NULL) {
    const struct rt_slot *slot = self->member->group->slots[self->member->cluster];
    return slot != NULL ? card_shared_shadow(slot->sram) : NULL;
  }
  struct card_shadow *shadow = &watch->own[space];
  const char *base = __bang_space_open(space);
  if (shadow->base == 0 && base != NULL &&
      !card_shadow_open(shadow, base, rt_arena_bytes(space), space == BANG_SPACE_NRAM)) {
    return NULL;
  }
  return shadow;
}

static void allow(struct card_watch *watch, bangSpace space, size_t at, size_t bytes, bool is_set,
                  const char *name) {
  struct card_shadow *shadow = shadow_of(watch, space);
  if (shadow == NULL || bytes == 0) {
    return;
  }
  const uint8_t flags = (uint8_t)(CARD_SHADOW_OBJECT | (is_set ? CARD_SHADOW_WRITTEN : 0));
  if (space == BANG_SPACE_SRAM) {
    card_shared_allow(shadow, at, bytes, flags);
  } else {
    card_shadow_set(shadow, at, bytes, flags);
  }
  add_object(watch, shadow->base + at, bytes, name);
}

enum { WRAM_LANES = 64 };

static void allow_lanes(struct card_watch *watch, size_t at, size_t bytes, const char *name) {
  struct card_shadow *wram = shadow_of(watch, BANG_SPACE_WRAM);
  const size_t part = (bytes + WRAM_LANES - 1) / WRAM_LANES;
  for (size_t lane = 0; wram != NULL && lane < WRAM_LANES; ++lane) {
    const size_t start = lane * watch->lane_bytes + at;
    if (start + part <= wram->size) {
      card_shadow_set(wram, start, part, CARD_SHADOW_OBJECT);
      add_object(watch, wram->base + start, part, name);
    }
  }
}

void card_check_lanes(struct card_core *core, size_t lane_bytes) {
  struct card_watch *watch = core->watch;
  size_t count = 0;
  if (watch == NULL || watch->lane_bytes == lane_bytes || lane_bytes == 0) {
    return;
  }
  const bangVariable *variables = rt_arena_variables(&count);
  watch->lane_bytes = lane_bytes;
  for (size_t i = 0; i < count; ++i) {
    if (variables[i].space == BANG_SPACE_WRAM) {
      allow_lanes(watch, variables[i].at, variables[i].size, variables[i].name);
    }
  }
  if (watch->reserved_wram_end > watch->reserved_wram) {
    allow_lanes(watch, watch->reserved_wram,
                (watch->reserved_wram_end - watch->reserved_wram) * WRAM_LANES,
                "variables of functions");
  }
}

void card_check_unit(struct card_core *core, const bangUnit *unit) {
  struct card_watch *watch = core->watch;
  size_t count = 0;
  if (watch == NULL) {
    return;
  }
  const bangVariable *variables = rt_arena_variables(&count);
  for (size_t i = 0; i < count; ++i) {
    if (variables[i].space != BANG_SPACE_WRAM) {
      allow(watch, variables[i].space, variables[i].at, variables[i].size, variables[i].is_set,
            variables[i].name);
    }
  }
  for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
    if (space != BANG_SPACE_WRAM && unit->used[space] > unit->counted[space]) {
      allow(watch, space, unit->counted[space], unit->used[space] - unit->counted[space], false,
            "variables of functions");
    }
  }
  watch->lane_bytes = 0;
  watch->reserved_wram = unit->counted[BANG_SPACE_WRAM];
  watch->reserved_wram_end = unit->used[BANG_SPACE_WRAM];
  if (unit->used[BANG_SPACE_WRAM] != 0) {
    shadow_of(watch, BANG_SPACE_WRAM);
  }
}

void card_check_variable(struct card_core *core, const void *address, size_t size,
                         const char *name) {
  if (core->watch == NULL) {
    return;
  }
  const bangSpace space = __bang_space_of(address);
  if (space == BANG_SPACE_NRAM || space == BANG_SPACE_LDRAM) {
    allow(core->watch, space, (size_t)((const char *)address - __bang_space_base[space]), size,
          false, name);
  }
}

/* ---- Tasks ---- */

void card_check_task_begin(struct card_core *core) {
  if (card_checks_on == 0) {
    return;
  }
  if (core->watch == NULL) {
    core->watch = create_watch();
  }
  struct card_watch *watch = core->watch;
  if (watch == NULL) {
    return;
  }
  for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
    card_shadow_clear(&watch->own[space]);
  }
  if (rt_core_self()->member != NULL) {
    /* The core uses its cluster's shared RAM now, whose shadow all its cores share. */
    card_shadow_close(&watch->own[BANG_SPACE_SRAM]);
  }
  watch->object_count = 0;
  card_stack_clear(watch);
  watch->findings = 0;
  watch->barrier_site = 0;
  watch->file_start = watch->file_end = 0;
  for (int i = 0; i < CARD_KNOWN_ALLOCATIONS; ++i) {
    watch->allocations[i] = (struct card_known_allocation){0};
  }
  card_check_sync(core, BANG_PIPE_ALL);
  card_race_task_begin(&watch->races, core->run);
}

/* A launch with findings fails, even though its accesses were done. */
static void fail_launch(void) {
  int expected = 0;
  atomic_compare_exchange_strong(&rt_core_self()->launch->fault, &expected, CN_INVOKE_ERROR);
}

void card_check_task_end(struct card_core *core) {
  struct card_watch *watch = core->watch;
  if (watch == NULL) {
    return;
  }
  card_check_task_left(core);
  card_race_task_end(core->run);
  if (watch->findings != 0 || atomic_load(&core->run->host_found)) {
    fail_launch();
  }
}

/* ---- Launches ---- */

void card_check_launch(struct card_run *run) {
  if (card_checks_on != 0) {
    card_race_launch(run);
  }
}

void card_check_launch_over(struct card_run *run, const char *kernel, uint32_t tasks, int fault) {
  if (card_checks_on == 0) {
    return;
  }
  const uint32_t stuck = atomic_load(&run->stuck_sites[0]);
  const uint32_t other = atomic_load(&run->stuck_sites[1]);
  if (fault == CN_INVOKE_ERROR_EXECUTED_TIMEOUT && stuck != 0) {
    struct card_finding finding = {.check = CARD_CHECK_BARRIER,
                                   .site = card_report_launch_site(run, stuck),
                                   .task_count = tasks};
    snprintf(finding.what, sizeof(finding.what),
             "dead-lock: cores wait at barriers that not all reach");
    snprintf(finding.kernel, sizeof(finding.kernel), "%s", kernel);
    if (other != 0) {
      finding.other = card_report_launch_site(run, other);
      snprintf(finding.other_what, sizeof(finding.other_what), "others wait here");
    }
    card_report_add_to(run, &finding);
  }
  card_report_print(run, kernel, tasks);
  card_report_free(run);
}
