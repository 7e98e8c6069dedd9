/* SPDX-License-Identifier: MIT
 *
 * Which memory of the card an address stands for.
 */
#ifndef CARD_HOOKS_MEMORIES_H_
#define CARD_HOOKS_MEMORIES_H_

#include "core.h"

/* Which memory an address is in. */
enum card_memory card_memory_of(struct card_core *core, const void *address);
/* A number for the granule of an address, the same in every run of a program. */
uint64_t card_place_of(struct card_core *core, const void *address);
/* Whether an address in shared RAM is another cluster's. */
bool card_is_other_cluster(const void *address);

#endif /* CARD_HOOKS_MEMORIES_H_ */
