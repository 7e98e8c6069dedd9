/* SPDX-License-Identifier: MIT
 *
 * One state byte per byte of on-chip memory. NRAM also has the turn in which the compute pipe last
 * used each byte.
 */
#ifndef CARD_CHECKS_SHADOW_H_
#define CARD_CHECKS_SHADOW_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  CARD_SHADOW_OBJECT = 1,  /* part of a variable */
  CARD_SHADOW_WRITTEN = 2, /* since the task or the union began */
};

enum { CARD_SHADOW_BLOCK = 16 };

struct card_shadow {
  uintptr_t base; /* 0 until the memory is first used */
  size_t size;
  size_t reach; /* bytes from the start that may have a state */
  uint8_t *flags;
  /* The turn in which the compute pipe wrote or read each byte; NULL for memories it does not use.
   */
  uint8_t *turn_written, *turn_read;
  uint32_t *sites_written, *sites_read; /* places of the latest of these accesses, one per block */
  uint64_t owner;                       /* number of the union that uses it */
};

/* Allocates the shadow; false if memory is short. */
bool card_shadow_open(struct card_shadow *shadow, const void *base, size_t size, bool has_turns);
void card_shadow_close(struct card_shadow *shadow);
/* Clears all state. */
void card_shadow_clear(struct card_shadow *shadow);

static inline bool card_shadow_has(const struct card_shadow *shadow, uintptr_t address) {
  return shadow->base != 0 && address - shadow->base < shadow->size;
}

/* Offset of the first byte without the flag; `bytes` if all have it. */
size_t card_shadow_find_without(const struct card_shadow *shadow, size_t at, size_t bytes,
                                uint8_t flag);
void card_shadow_set(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flag);
void card_shadow_unset(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flag);

/* True if the compute pipe used any of these bytes in this turn. */
bool card_shadow_has_turn(const uint8_t *turns, size_t at, size_t bytes, uint8_t turn);

#endif /* CARD_CHECKS_SHADOW_H_ */
