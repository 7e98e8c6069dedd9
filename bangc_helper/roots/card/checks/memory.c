/* SPDX-License-Identifier: MIT
 *
 * Accesses outside of every object.
 */
#include <stdio.h>

#include "cn_api.h"
#include "locate.h"
#include "parts.h"
#include "segments.h"
#include "stack.h"

static void refuse(struct card_core *core, const struct card_act *act, bool writes, uintptr_t start,
                   uint64_t bytes, const char *why) {
  struct card_finding finding = {0};
  snprintf(finding.what, sizeof(finding.what), "%s %s %s", act->name, writes ? "writes" : "reads",
           why);
  if (card_find(core, act, CARD_CHECK_MEMORY, &finding, start, bytes)) {
    __bang_fault(CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS,
                 "cncheck: memory: %s at %s:%u, the access is refused", finding.what,
                 finding.site.file, (unsigned)finding.site.line);
  }
}

static bool is_freed(const struct card_finding *finding) {
  return finding->object[0] == 'f';
}

static void check_segment(struct card_core *core, const struct card_act *act, bool writes,
                          uintptr_t start, uint64_t bytes) {
  const struct card_spot spot = card_locate(core, start);
  switch (spot.where) {
    case CARD_ON_CHIP:
      if (spot.is_known &&
          (spot.at + bytes > spot.shadow->size ||
           card_shadow_find_without(spot.shadow, spot.at, bytes, CARD_SHADOW_OBJECT) < bytes)) {
        refuse(core, act, writes, start, bytes, "outside of every variable");
      }
      break;
    case CARD_ON_DEVICE:
      if (start + bytes > spot.end) {
        refuse(core, act, writes, start, bytes, "outside of every allocation");
      }
      break;
    case CARD_ON_STACK:
      if (act->pipe == CARD_PIPE_SCALAR && card_stack_has_ended(core->watch, start, bytes)) {
        refuse(core, act, writes, start, bytes, "a variable of a function after its end");
      }
      break;
    case CARD_NOWHERE:
      if (!act->is_language) {
        struct card_finding near = {0};
        card_describe(core, start, bytes, &near);
        refuse(core, act, writes, start, bytes,
               is_freed(&near) ? "memory that was freed" : "outside of every object");
      }
      break;
    default:
      break;
  }
}

void card_check_memory(struct card_core *core, const struct card_act *act,
                       const struct card_operand *operand) {
  struct card_segments segments = card_segments(&operand->side);
  uintptr_t start = 0;
  while (card_next_segment(&segments, &start)) {
    check_segment(core, act, operand->writes, start, segments.side.bytes);
  }
}

void card_check_object(struct card_core *core, uint32_t site,
                       const struct card_use_of_object *use) {
  if (core->watch == NULL || !card_checks(CARD_CHECK_MEMORY) ||
      (use->address >= use->start && use->address + use->accessed <= use->start + use->bytes)) {
    return;
  }
  struct card_finding finding = {.check = CARD_CHECK_MEMORY, .site = card_report_site(core, site)};
  card_report_callers(core, site, finding.callers);
  card_describe_in(core, use, &finding);
  const char *whole = use->is_on_chip ? "the variable that its address was made of" : "an array";
  snprintf(finding.what, sizeof(finding.what), "%s outside of %s",
           use->accessed == 0 ? "an operand lies"
           : use->writes      ? "scalar code writes"
                              : "scalar code reads",
           whole);
  if (card_report_add(core, &finding)) {
    __bang_fault(CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS,
                 "cncheck: memory: %s at %s:%u, the access is refused", finding.what,
                 finding.site.file, (unsigned)finding.site.line);
  }
}
