/* SPDX-License-Identifier: MIT */
#include "shadow.h"

#include <string.h>
#include <sys/mman.h>

/* mmap gives pages on first use only. */
static void *map(size_t bytes) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

static size_t blocks_of(const struct card_shadow *shadow) {
  return (shadow->size + CARD_SHADOW_BLOCK - 1) / CARD_SHADOW_BLOCK;
}

static size_t bytes_of(const struct card_shadow *shadow, bool has_turns) {
  const size_t sites = 2 * blocks_of(shadow) * sizeof(*shadow->sites_written);
  return has_turns ? 3 * shadow->size + sites : shadow->size;
}

bool card_shadow_open(struct card_shadow *shadow, const void *base, size_t size, bool has_turns) {
  *shadow = (struct card_shadow){.size = size};
  shadow->flags = map(bytes_of(shadow, has_turns));
  if (shadow->flags == NULL) {
    return false;
  }
  if (has_turns) {
    shadow->turn_written = shadow->flags + size;
    shadow->turn_read = shadow->flags + 2 * size;
    shadow->sites_written = (uint32_t *)(shadow->flags + 3 * size);
    shadow->sites_read = shadow->sites_written + blocks_of(shadow);
  }
  shadow->base = (uintptr_t)base;
  return true;
}

void card_shadow_close(struct card_shadow *shadow) {
  if (shadow->base != 0) {
    munmap(shadow->flags, bytes_of(shadow, shadow->turn_written != NULL));
    shadow->base = 0;
  }
}

void card_shadow_clear(struct card_shadow *shadow) {
  if (shadow->base != 0) {
    memset(shadow->flags, 0, shadow->reach);
    if (shadow->turn_written != NULL) {
      memset(shadow->turn_written, 0, shadow->reach);
      memset(shadow->turn_read, 0, shadow->reach);
    }
    shadow->reach = 0;
  }
}

size_t card_shadow_find_without(const struct card_shadow *shadow, size_t at, size_t bytes,
                                uint8_t flag) {
  const uint8_t *flags = shadow->flags + at;
  const uint64_t all = flag * 0x0101010101010101u;
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, flags + i, sizeof(word));
    if ((word & all) != all) {
      break;
    }
  }
  while (i < bytes && (flags[i] & flag) != 0) {
    ++i;
  }
  return i;
}

static void reach(struct card_shadow *shadow, size_t end) {
  if (shadow->reach < end) {
    shadow->reach = end;
  }
}

/* flags = (flags & keep) | add, eight at a time. */
static void change(uint8_t *flags, size_t bytes, uint8_t keep, uint8_t add) {
  const uint64_t ones = 0x0101010101010101u;
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, flags + i, sizeof(word));
    word = (word & keep * ones) | add * ones;
    memcpy(flags + i, &word, sizeof(word));
  }
  for (; i < bytes; ++i) {
    flags[i] = (uint8_t)((flags[i] & keep) | add);
  }
}

void card_shadow_set(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flag) {
  reach(shadow, at + bytes);
  change(shadow->flags + at, bytes, UINT8_MAX, flag);
}

void card_shadow_unset(struct card_shadow *shadow, size_t at, size_t bytes, uint8_t flag) {
  change(shadow->flags + at, bytes, (uint8_t)~flag, 0);
}

bool card_shadow_has_turn(const uint8_t *turns, size_t at, size_t bytes, uint8_t turn) {
  return memchr(turns + at, turn, bytes) != NULL;
}
