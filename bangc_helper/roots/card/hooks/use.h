/* SPDX-License-Identifier: MIT
 *
 * A core's counts of a module's code.
 */
#ifndef CARD_HOOKS_USE_H_
#define CARD_HOOKS_USE_H_

#include "module.h"

/* A module's counters on one core. */
struct card_use {
  struct card_counters counters; /* must be first: its address is what the code gets */
  struct card_module *module;
  uint64_t *gdram_reads, *gdram_writes; /* by site */
  uint32_t first_site;                  /* number of the module's first site in the launch */
  struct card_use *next;
};

#endif /* CARD_HOOKS_USE_H_ */
