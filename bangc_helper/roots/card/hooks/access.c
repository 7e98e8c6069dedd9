/* SPDX-License-Identifier: MIT
 *
 * Hooks of scalar code: accesses of memory, C's memory functions, divisions by zero.
 */
#include "bang_runtime.h"
#include "core.h"
#include "granules.h"
#include "hook.h"
#include "module.h"
#include "runtime/arena.h"
#include "runtime/core.h"
#include "runtime/group.h"
#include "runtime/slot.h"

#include "memory.h"

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

/* Device memory, known by the latest allocation or found anew. */
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

static void count_access(struct card_core *core, uint32_t site, const void *address, bool writes,
                         uint32_t times) {
  struct card_scalar *outside = &core->outside;
  switch (card_memory_of(core, address)) {
    case CARD_MEMORY_WRAM:
      outside->wram += times;
      break;
    case CARD_MEMORY_SRAM:
      outside->sram += times;
      break;
    case CARD_MEMORY_LDRAM:
      outside->ldram += times;
      break;
    case CARD_MEMORY_GDRAM:
      *(writes ? &outside->gdram_writes : &outside->gdram_reads) += times;
      if (core->last != NULL && site < core->last->module->site_count) {
        (writes ? core->last->gdram_writes : core->last->gdram_reads)[site] += times;
      }
      break;
    default:
      break;
  }
}

CARD_HOOK void __bang_card_access(uint32_t site, const void *address, uint32_t what) {
  struct card_core *core = card_recording();
  if (core != NULL) {
    count_access(core, site, address, (what & CARD_ACCESS_WRITES) != 0, 1);
  }
}

CARD_HOOK void __bang_card_memory(uint32_t site, void *destination, const void *source,
                                  uint64_t bytes) {
  struct card_core *core = card_recording();
  if (core == NULL || bytes == 0) {
    return;
  }
  const uint64_t words = (bytes + 7) / 8;
  const uint32_t times = words < UINT32_MAX ? (uint32_t)words : UINT32_MAX;
  count_access(core, site, destination, true, times);
  core->half_cycles += 2 * words;
  if (source != NULL) {
    count_access(core, site, source, false, times);
    core->half_cycles += 2 * words;
  }
}

/* Other processors trap by themselves. */
CARD_HOOK void __bang_card_divided_by_zero(uint32_t site) {
#if defined(__aarch64__)
  const struct card_core *core = card_recording();
  struct bangSourcePlace place = {"", 0, 0};
  if (core != NULL && core->last != NULL) {
    place.file = core->last->module->sites[site].file;
    place.line = core->last->module->sites[site].line;
  }
  __bang_divided_by_zero(&place, 0, 0);
#else
  (void)site;
#endif
}
