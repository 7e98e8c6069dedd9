/* SPDX-License-Identifier: MIT */
#include "memories.h"

#include "granules.h"
#include "memory.h"
#include "runtime/arena.h"
#include "runtime/core.h"
#include "runtime/group.h"
#include "runtime/slot.h"

static bool is_in_group(const struct rt_group *group, const void *address, unsigned *cluster) {
  for (unsigned c = 0; c < group->clusters; ++c) {
    if (group->slots[c] != NULL && rt_sram_has(group->slots[c]->sram, address)) {
      *cluster = c;
      return true;
    }
  }
  return false;
}

bool card_is_other_cluster(const void *address) {
  const struct rt_core *core = rt_core_self();
  unsigned cluster = 0;
  return core != NULL && core->member != NULL &&
         is_in_group(core->member->group, address, &cluster) && cluster != core->member->cluster;
}

static bool is_in_sram(const void *address) {
  const struct rt_core *core = rt_core_self();
  unsigned cluster = 0;
  if (core != NULL && core->member != NULL) {
    return is_in_group(core->member->group, address, &cluster);
  }
  return rt_arena_has(BANG_SPACE_SRAM, address);
}

/* Looks up device memory, first in the cached allocation. */
static bool is_in_gdram(struct card_core *core, const void *address) {
  const uintptr_t place = (uintptr_t)address;
  if (place >= core->device_start && place < core->device_end) {
    return true;
  }
  struct rt_memory_info info;
  if (!rt_memory_find(address, &info) || info.kind == RT_MEMORY_HOST) {
    return false;
  }
  core->device_start = (uintptr_t)info.start;
  core->device_end = core->device_start + info.size;
  return true;
}

enum card_memory card_memory_of(struct card_core *core, const void *address) {
  const uintptr_t place = (uintptr_t)address;
  if (place >= core->stack_low && place < core->stack_high) {
    return CARD_MEMORY_STACK;
  }
  if (rt_arena_has(BANG_SPACE_WRAM, address)) {
    return CARD_MEMORY_WRAM;
  }
  if (is_in_gdram(core, address)) {
    return CARD_MEMORY_GDRAM;
  }
  return is_in_sram(address) ? CARD_MEMORY_SRAM : CARD_MEMORY_NRAM;
}

uint64_t card_place_of(struct card_core *core, const void *address) {
  if (!is_in_gdram(core, address)) {
    return (uintptr_t)address % (1 << 20) / CARD_GRANULE; /* a place in shared RAM */
  }
  const uint64_t size = core->device_end - core->device_start;
  return ((uintptr_t)address - core->device_start) / CARD_GRANULE + (size << 24);
}
