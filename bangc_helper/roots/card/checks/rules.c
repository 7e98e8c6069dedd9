/* SPDX-License-Identifier: MIT
 *
 * What the language's guide demands of operands on architectures from 3xx on.
 */
#include <stdio.h>

#include "core.h"
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
