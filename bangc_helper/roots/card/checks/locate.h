/* SPDX-License-Identifier: MIT
 *
 * Which memory an address lies in, and what the checks know of it.
 */
#ifndef CARD_CHECKS_LOCATE_H_
#define CARD_CHECKS_LOCATE_H_

#include "report.h"
#include "watch.h"

enum card_where {
  CARD_NOWHERE,
  CARD_ON_CHIP, /* has a shadow */
  CARD_ON_DEVICE,
  CARD_ON_STACK,
  CARD_UNCHECKED, /* arguments, constants and the thread's own memory */
};

struct card_spot {
  enum card_where where;
  struct card_shadow *shadow;
  size_t at;      /* offset in the shadow */
  uintptr_t end;  /* end address of the allocation or of the on-chip memory */
  bool is_shared; /* shared RAM or device memory, which other cores access */
  /* True if each byte's state is tracked. False in WRAM until its lanes are known, and in memory
   * that something else than kernels fills. */
  bool is_known;
};

struct card_spot card_locate(struct card_core *core, uintptr_t address);

/* Fills in a finding's object: the variable or allocation that contains the access or is nearest to
 * it. */
void card_describe(struct card_core *core, uintptr_t address, uint64_t bytes,
                   struct card_finding *finding);

/* The same for an address that left the object it was computed from. */
void card_describe_in(struct card_core *core, const struct card_use_of_object *use,
                      struct card_finding *finding);

/* The shadow of a cluster's shared RAM, cleared when another union starts to use it; NULL if memory
 * is short. */
struct card_shadow *card_shared_shadow(const char *sram);

/* Adds a variable in shared RAM. Every core of a cluster does so when it starts; only the first
 * call counts, because later ones would clear what was written since. */
void card_shared_allow(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flags);

#endif /* CARD_CHECKS_LOCATE_H_ */
