/* SPDX-License-Identifier: MIT */
#include "locate.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>

#include "allocations.h"
#include "device.h"
#include "memory.h"
#include "runtime/arena.h"
#include "runtime/launch.h"
#include "runtime/slot.h"

/* ---- Shared RAM ---- */

static struct {
  pthread_mutex_t lock;
  struct shared_shadow {
    struct card_shadow shadow;
    struct shared_shadow *next;
  } * list;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A number that identifies the calling core's union. Its group's address does not, as groups are
 * reused. */
static uint64_t union_number(const struct rt_core *core) {
  return (uint64_t)(uintptr_t)core->member->group * 31 + core->launch->trace_number +
         ((uint64_t)(uint32_t)core->member->group->first.x << 40) +
         ((uint64_t)(uint32_t)core->member->group->first.y << 52);
}

struct card_shadow *card_shared_shadow(const char *sram) {
  const uint64_t owner = union_number(rt_core_self());
  pthread_mutex_lock(&shared.lock);
  struct shared_shadow *one = shared.list;
  while (one != NULL && one->shadow.base != (uintptr_t)sram) {
    one = one->next;
  }
  if (one == NULL && (one = calloc(1, sizeof(*one))) != NULL) {
    if (card_shadow_open(&one->shadow, sram, rt_arena_bytes(BANG_SPACE_SRAM), false)) {
      one->next = shared.list;
      shared.list = one;
    } else {
      free(one);
      one = NULL;
    }
  }
  if (one != NULL && one->shadow.owner != owner) {
    card_device_forget(one->shadow.base, one->shadow.reach);
    card_shadow_clear(&one->shadow);
    one->shadow.owner = owner;
  }
  pthread_mutex_unlock(&shared.lock);
  return one != NULL ? &one->shadow : NULL;
}

void card_shared_allow(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flags) {
  pthread_mutex_lock(&shared.lock);
  if (card_shadow_find_without(shadow, at, bytes, CARD_SHADOW_OBJECT) < bytes) {
    card_shadow_set(shadow, at, bytes, flags);
  }
  pthread_mutex_unlock(&shared.lock);
}

static struct card_spot in_shared(uintptr_t address) {
  const struct rt_core *core = rt_core_self();
  const struct rt_group *group = core->member != NULL ? core->member->group : NULL;
  for (unsigned c = 0; group != NULL && c < group->clusters; ++c) {
    if (group->slots[c] != NULL && rt_sram_has(group->slots[c]->sram, (const void *)address)) {
      struct card_shadow *shadow = card_shared_shadow(group->slots[c]->sram);
      if (shadow != NULL) {
        return (struct card_spot){
            CARD_ON_CHIP, shadow, address - shadow->base, shadow->base + shadow->size, true, true};
      }
    }
  }
  return (struct card_spot){.where = CARD_NOWHERE};
}

/* ---- Files ---- */

struct search {
  uintptr_t address, start, end;
};

static int look_in_file(struct dl_phdr_info *info, size_t size, void *argument) {
  struct search *search = argument;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && search->address - start < part->p_memsz) {
      search->start = start;
      search->end = start + part->p_memsz;
      return 1;
    }
  }
  return 0;
}

static bool is_in_file(struct card_watch *watch, uintptr_t address) {
  if (address >= watch->file_start && address < watch->file_end) {
    return true;
  }
  struct search search = {.address = address};
  if (dl_iterate_phdr(look_in_file, &search) == 0) {
    return false;
  }
  watch->file_start = search.start;
  watch->file_end = search.end;
  return true;
}

/* A task has its own copy of a launch's arguments; where it only reads them, the compiler leaves
 * the copy out. */
static bool is_in_arguments(uintptr_t address) {
  const struct rt_launch *launch = rt_core_self()->launch;
  return launch != NULL && address - (uintptr_t)launch->closure < launch->kernel->size;
}

/* ---- All memories ---- */

static struct card_spot in_allocation(const struct card_known_allocation *known) {
  return (struct card_spot){
      .where = CARD_ON_DEVICE, .end = known->end, .is_shared = true, .is_known = known->is_known};
}

static bool find_allocation(struct card_watch *watch, uintptr_t address, struct card_spot *spot) {
  for (int i = 0; i < CARD_KNOWN_ALLOCATIONS; ++i) {
    const struct card_known_allocation *known = &watch->allocations[i];
    if (address >= known->start && address < known->end) {
      *spot = in_allocation(known);
      return true;
    }
  }
  struct rt_memory_info info;
  if (!rt_memory_find((const void *)address, &info)) {
    return false;
  }
  if (info.kind == RT_MEMORY_HOST) {
    spot->where = CARD_UNCHECKED;
    return true;
  }
  struct card_known_allocation *place =
      &watch->allocations[watch->next_allocation++ % CARD_KNOWN_ALLOCATIONS];
  *place = (struct card_known_allocation){(uintptr_t)info.start, (uintptr_t)info.start + info.size,
                                          info.kind == RT_MEMORY_DEVICE};
  *spot = in_allocation(place);
  return true;
}

struct card_spot card_locate(struct card_core *core, uintptr_t address) {
  struct card_watch *watch = core->watch;
  for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
    struct card_shadow *shadow = &watch->own[space];
    if (card_shadow_has(shadow, address)) {
      const bool is_known = space != BANG_SPACE_WRAM || watch->lane_bytes != 0;
      return (struct card_spot){
          CARD_ON_CHIP, shadow,  address - shadow->base, shadow->base + shadow->size,
          false,        is_known};
    }
  }
  if (address >= core->stack_low && address < core->stack_high) {
    return (struct card_spot){.where = CARD_ON_STACK};
  }
  struct card_spot spot = {.where = CARD_NOWHERE};
  if (find_allocation(watch, address, &spot)) {
    return spot;
  }
  spot = in_shared(address);
  if (spot.where == CARD_NOWHERE && (is_in_arguments(address) || is_in_file(watch, address))) {
    spot.where = CARD_UNCHECKED;
  }
  return spot;
}

/* ---- Objects ---- */

static const struct card_object *nearest_object(const struct card_watch *watch, uintptr_t address) {
  const struct card_object *best = NULL;
  uintptr_t best_distance = UINTPTR_MAX;
  for (size_t i = 0; i < watch->object_count; ++i) {
    const struct card_object *object = &watch->objects[i];
    const uintptr_t end = object->start + object->bytes;
    const uintptr_t distance = address < object->start ? 2 * (object->start - address)
                               : address >= end        ? address - end + 1
                                                       : 0;
    if (distance < best_distance) {
      best_distance = distance;
      best = object;
    }
  }
  return best;
}

static void set_place(struct card_finding *finding, uintptr_t start, uint64_t size,
                      uintptr_t address, uint64_t bytes) {
  finding->offset = (int64_t)(address - start);
  finding->past = 0;
  if (address < start) {
    finding->past = -(int64_t)(start - address);
  } else if (address + bytes > start + size) {
    finding->past = (int64_t)(address + bytes - start - size);
  }
}

void card_describe(struct card_core *core, uintptr_t address, uint64_t bytes,
                   struct card_finding *finding) {
  const struct card_spot spot = card_locate(core, address);
  finding->has_address = true;
  finding->address = address;
  if (spot.where == CARD_ON_CHIP) {
    const struct card_object *object = nearest_object(core->watch, address);
    const uintptr_t start = object != NULL ? object->start : spot.shadow->base;
    snprintf(finding->object, sizeof(finding->object), "%s",
             object != NULL ? object->name : "memory on chip");
    set_place(finding, start, object != NULL ? object->bytes : 0, address, bytes);
    return;
  }
  if (spot.where == CARD_ON_STACK) {
    snprintf(finding->object, sizeof(finding->object), "the stack");
    set_place(finding, core->stack_low, core->stack_high - core->stack_low, address, bytes);
    return;
  }
  struct card_allocation allocation;
  if (card_allocations_near(address, &allocation)) {
    snprintf(finding->object, sizeof(finding->object), "%s of %zu bytes",
             allocation.is_freed ? "freed device memory" : "device memory", allocation.bytes);
    set_place(finding, allocation.start, allocation.bytes, address, bytes);
    return;
  }
  snprintf(finding->object, sizeof(finding->object), "no object");
  finding->offset = (int64_t)address;
}

void card_describe_in(struct card_core *core, const struct card_use_of_object *use,
                      struct card_finding *finding) {
  const struct card_object *object =
      use->is_on_chip ? nearest_object(core->watch, use->start) : NULL;
  if (object != NULL) {
    snprintf(finding->object, sizeof(finding->object), "%s", object->name);
  } else {
    snprintf(finding->object, sizeof(finding->object), "array of %llu bytes",
             (unsigned long long)use->bytes);
  }
  finding->has_address = true;
  finding->address = use->address;
  set_place(finding, use->start, use->bytes, use->address, use->accessed);
}
