/* SPDX-License-Identifier: MIT
 *
 * Hooks of scalar code: memory accesses, memory functions of C, divisions by zero.
 */
#include "bang_runtime.h"
#include "checked.h"
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
      if (core->last != NULL) {
        const uint32_t place = card_module_site(core->last->module, site);
        (writes ? core->last->gdram_writes : core->last->gdram_reads)[place] += times;
      }
      break;
    default:
      break;
  }
}

/* ---- Checks ---- */

/* Code of the language's headers stands for work of the vector unit. */
static struct card_act act_at(uint32_t site) {
  const bool is_language = (site & CARD_PART_OF_FUNCTION) != 0;
  return (struct card_act){.name = is_language ? "a vector function" : "scalar code",
                           .site = site,
                           .pipe = is_language ? CARD_PIPE_VECTOR : CARD_PIPE_SCALAR,
                           .is_language = is_language};
}

static void check_access(struct card_core *core, uint32_t site, const void *address,
                         uint32_t what) {
  struct card_act act = act_at(site);
  const int64_t bytes = what & CARD_ACCESS_BYTES;
  const struct card_operand operand =
      (what & CARD_ACCESS_WRITES) != 0 ? card_writes(address, bytes) : card_reads(address, bytes);
  act.is_atomic = (what & CARD_ACCESS_ATOMIC) != 0;
  card_check_act(core, &act, &operand, 1);
}

/* ---- Hooks ---- */

CARD_HOOK void __bang_card_access(uint32_t site, const void *address, uint32_t what) {
  struct card_core *core = card_recording();
  if (core == NULL) {
    return;
  }
  if ((site & CARD_PART_OF_FUNCTION) == 0 && (what & CARD_ACCESS_COUNTED) == 0) {
    count_access(core, site, address, (what & CARD_ACCESS_WRITES) != 0, 1);
  }
  if (core->watch != NULL && (what & CARD_ACCESS_UNCHECKED) == 0) {
    check_access(core, site, address, what);
  }
}

static struct card_use_of_object use_of(const void *object, uint64_t bytes, const void *address,
                                        uint32_t what) {
  return (struct card_use_of_object){.start = (uintptr_t)object,
                                     .bytes = bytes,
                                     .address = (uintptr_t)address,
                                     .accessed = what & CARD_ACCESS_BYTES,
                                     .writes = (what & CARD_ACCESS_WRITES) != 0};
}

CARD_HOOK void __bang_card_indexed(uint32_t site, const void *array, uint64_t bytes,
                                   const void *address, uint32_t what) {
  struct card_core *core = card_checking();
  if (core != NULL) {
    const struct card_use_of_object use = use_of(array, bytes, address, what);
    card_check_object(core, site, &use);
  }
}

CARD_HOOK void __bang_card_derived(uint32_t site, uint32_t space, uint64_t at, uint64_t bytes,
                                   const void *address, uint32_t what) {
  struct card_core *core = card_checking();
  if (core != NULL && __bang_coreId != BANG_MPU_CORE_ID) { /* a memory core has no NRAM */
    struct card_use_of_object use =
        use_of(__bang_space_address((bangSpace)space, at), bytes, address, what);
    use.is_on_chip = true;
    card_check_object(core, site, &use);
  }
}

CARD_HOOK void __bang_card_stack(const void *start, uint64_t bytes, uint32_t event) {
  struct card_core *core = card_checking();
  if (core != NULL) {
    card_check_stack(core, (uintptr_t)start, bytes, (enum card_stack)event);
  }
}

CARD_HOOK void __bang_card_memory(uint32_t site, void *destination, const void *source,
                                  uint64_t bytes) {
  struct card_core *core = card_recording();
  if (core == NULL || bytes == 0) {
    return;
  }
  if (core->watch != NULL) {
    const struct card_act act = act_at(site);
    const int64_t length = (int64_t)bytes;
    card_check_act(core, &act,
                   CARD_OPERANDS(card_reads(source, source != NULL ? length : 0),
                                 card_writes(destination, length)));
  }
  if ((site & CARD_PART_OF_FUNCTION) != 0) {
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

/* x86-64 traps by itself. */
CARD_HOOK void __bang_card_divided_by_zero(uint32_t site) {
#if defined(__aarch64__)
  const struct card_core *core = card_recording();
  struct bangSourcePlace place = {"", 0, 0};
  if (core != NULL && core->last != NULL) {
    const struct card_module *module = core->last->module;
    const struct card_site *at = &module->sites[card_module_site(module, site)];
    place.file = at->file;
    place.line = at->line;
  }
  __bang_divided_by_zero(&place, 0, 0);
#else
  (void)site;
#endif
}
