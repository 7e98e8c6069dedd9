/* SPDX-License-Identifier: MIT
 *
 * Hooks of scalar code: accesses of memory, C's memory functions, divisions by zero.
 */
#include "bang_runtime.h"
#include "core.h"
#include "hook.h"
#include "memories.h"
#include "module.h"

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
