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
  CARD_ON_CHIP, /* there is a shadow */
  CARD_ON_DEVICE,
  CARD_ON_STACK,
  CARD_UNCHECKED, /* constants, what the thread has for itself */
};

struct card_spot {
  enum card_where where;
  struct card_shadow *shadow;
  size_t at;      /* in the shadow */
  uintptr_t end;  /* of the allocation, or of the memory on chip */
  bool is_shared; /* other cores reach it: shared RAM or device memory */
  /* Bytes are known one by one: not so before the lanes of WRAM are known, nor in memory that
   * others fill. */
  bool is_known;
};

struct card_spot card_locate(struct card_core *core, uintptr_t address);

/* Fills in a finding's object: the variable or allocation that an access of some bytes lies in or
 * nearest to. */
void card_describe(struct card_core *core, uintptr_t address, uint64_t bytes,
                   struct card_finding *finding);

/* The same for an address that lies outside of the object that it was made of. */
void card_describe_in(struct card_core *core, const struct card_use_of_object *use,
                      struct card_finding *finding);

/* The shadow of a cluster's shared RAM, empty if another union used it before; NULL when memory is
 * short. */
struct card_shadow *card_shared_shadow(const char *sram);

/* A variable in it. Each core of a cluster says so when it begins; the first one is heard, as the
 * others would take back what it has written since. */
void card_shared_allow(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flags);

#endif /* CARD_CHECKS_LOCATE_H_ */
