/* SPDX-License-Identifier: MIT
 *
 * Helpers for hooks that report their operands to the checks.
 */
#ifndef CARD_HOOKS_CHECKED_H_
#define CARD_HOOKS_CHECKED_H_

#include "checks/check.h"
#include "core.h"

/* The calling core; NULL if its accesses are not checked. */
static inline struct card_core *card_checking(void) {
  struct card_core *core = card_recording();
  return core != NULL && core->watch != NULL ? core : NULL;
}

static inline void card_check_vector(uint32_t site, bool is_elementwise,
                                     const struct card_operand *operands, unsigned count) {
  struct card_core *core = card_checking();
  if (core != NULL) {
    const struct card_act act = {.name = "a vector function",
                                 .site = site,
                                 .pipe = CARD_PIPE_VECTOR,
                                 .is_elementwise = is_elementwise};
    card_check_act(core, &act, operands, count);
    for (unsigned i = 0; i < count; ++i) {
      const enum card_memory memory = operands[i].side.bytes == 0
                                          ? CARD_MEMORY_NONE
                                          : card_check_memory_at(core, operands[i].side.start);
      card_check_rule(site, memory != CARD_MEMORY_GDRAM, "a vector function on device memory");
      card_check_rule(site, memory != CARD_MEMORY_SRAM, "a vector function on shared RAM");
    }
  }
}

#define CARD_OPERANDS(...)                    \
  (const struct card_operand[]){__VA_ARGS__}, \
      (unsigned)(sizeof((struct card_operand[]){__VA_ARGS__}) / sizeof(struct card_operand))

#define CARD_CHECK_ELEMENTWISE(site, ...) card_check_vector(site, true, CARD_OPERANDS(__VA_ARGS__))
#define CARD_CHECK_VECTOR(site, ...) card_check_vector(site, false, CARD_OPERANDS(__VA_ARGS__))

#endif /* CARD_HOOKS_CHECKED_H_ */
