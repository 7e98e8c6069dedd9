/* SPDX-License-Identifier: MIT
 *
 * A byte of state for every byte of a memory on chip, and for NRAM when the compute pipe has last
 * used it.
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
  uintptr_t base; /* 0: the memory was not used so far */
  size_t size;
  size_t reach; /* bytes from the beginning that may have state */
  uint8_t *flags;
  /* The compute pipe's turn in which a byte was written or read, NULL where it does not count. */
  uint8_t *turn_written, *turn_read;
  uint32_t *sites_written, *sites_read; /* of the latest of these, by blocks */
  uint64_t owner;                       /* the union that uses it */
};

/* Gives a memory its shadow; false when memory is short. */
bool card_shadow_open(struct card_shadow *shadow, const void *base, size_t size, bool has_turns);
void card_shadow_close(struct card_shadow *shadow);
/* Forgets everything. */
void card_shadow_clear(struct card_shadow *shadow);

static inline bool card_shadow_has(const struct card_shadow *shadow, uintptr_t address) {
  return shadow->base != 0 && address - shadow->base < shadow->size;
}

/* The first of these bytes without the flag; `bytes` when all have it. */
size_t card_shadow_find_without(const struct card_shadow *shadow, size_t at, size_t bytes,
                                uint8_t flag);
void card_shadow_set(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flag);
void card_shadow_unset(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flag);

/* Whether the compute pipe used one of these bytes in this turn. */
bool card_shadow_has_turn(const uint8_t *turns, size_t at, size_t bytes, uint8_t turn);

#endif /* CARD_CHECKS_SHADOW_H_ */
