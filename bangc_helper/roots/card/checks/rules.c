/* SPDX-License-Identifier: MIT
 *
 * Rules of the language's guide for operands, on architectures from 3xx on.
 */
#include <stdio.h>

#include "core.h"
#include "locate.h"
#include "parts.h"

void card_check_rule(uint32_t site, bool holds, const char *what) {
  struct card_core *core = card_recording();
  if (holds || core == NULL || core->watch == NULL || !card_checks(CARD_CHECK_RULES) ||
      (site & CARD_PART_OF_FUNCTION) != 0) {
    return;
  }
  const struct card_act act = {.name = "", .site = site};
  struct card_finding finding = {0};
  snprintf(finding.what, sizeof(finding.what), "%s", what);
  card_find(core, &act, CARD_CHECK_RULES, &finding, 0, 0);
}

enum card_memory card_check_memory_at(struct card_core *core, uintptr_t address) {
  if (card_shadow_has(&core->watch->own[BANG_SPACE_NRAM], address)) {
    return CARD_MEMORY_NRAM;
  }
  if (card_shadow_has(&core->watch->own[BANG_SPACE_WRAM], address)) {
    return CARD_MEMORY_WRAM;
  }
  if (card_shadow_has(&core->watch->own[BANG_SPACE_LDRAM], address)) {
    return CARD_MEMORY_LDRAM;
  }
  const struct card_spot spot = card_locate(core, address);
  return spot.where == CARD_ON_CHIP     ? CARD_MEMORY_SRAM
         : spot.where == CARD_ON_DEVICE ? CARD_MEMORY_GDRAM
                                        : CARD_MEMORY_NONE;
}
