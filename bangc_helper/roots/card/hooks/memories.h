/* SPDX-License-Identifier: MIT
 *
 * Maps addresses to the card's memories.
 */
#ifndef CARD_HOOKS_MEMORIES_H_
#define CARD_HOOKS_MEMORIES_H_

#include "core.h"

/* The memory that holds an address. */
enum card_memory card_memory_of(struct card_core *core, const void *address);
/* A number for an address's granule that is the same in every run of a program. */
uint64_t card_place_of(struct card_core *core, const void *address);
/* True if an address in shared RAM belongs to another cluster. */
bool card_is_other_cluster(const void *address);

#endif /* CARD_HOOKS_MEMORIES_H_ */
