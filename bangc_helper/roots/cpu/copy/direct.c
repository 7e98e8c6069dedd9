/* SPDX-License-Identifier: MIT */
#include "copy/direct.h"

#include <string.h>

#if defined(__aarch64__)
#include <arm_neon.h>

static inline uint8x16x4_t load_line(const char *line) {
  const uint8x16x4_t loaded = vld1q_u8_x4((const uint8_t *)line);
  __asm__ volatile("" : : : "memory"); /* keeps the order of loads */
  return loaded;
}

static inline void store_line(char *line, uint8x16x4_t stored) {
  vst1q_u8_x4((uint8_t *)line, stored);
}

/* Cores of Arm that load a row forwards read on past its end (copy/row_gather.h). Whole lines,
 * apart from each other. */
static void move_backwards(char *dst, const char *src, size_t size) {
  enum { LINE = MOVER_LINE, BLOCK = 4 * LINE };
  for (; size >= BLOCK; size -= BLOCK) {
    const char *from = src + size;
    char *to = dst + size;
    const uint8x16x4_t fourth = load_line(from - LINE), third = load_line(from - 2 * LINE),
                       second = load_line(from - 3 * LINE), first = load_line(from - BLOCK);
    store_line(to - BLOCK, first);
    store_line(to - 3 * LINE, second);
    store_line(to - 2 * LINE, third);
    store_line(to - LINE, fourth);
  }
  for (; size > 0; size -= LINE) store_line(dst + size - LINE, load_line(src + size - LINE));
}

/* Moves a row if it is one that goes last line first; else returns 0. */
static int move_row(const Operation *op) {
  enum { MIN_BYTES = 1024, MAX_BYTES = 4096 };
  const uintptr_t distance = (uintptr_t)op->src - (uintptr_t)op->dst;
  if (op->size < MIN_BYTES || op->size > MAX_BYTES || op->size % MOVER_LINE != 0 ||
      (uintptr_t)op->src % MOVER_LINE != 0 || distance < op->size || -distance < op->size) {
    return 0;
  }
  move_backwards(op->dst, op->src, op->size);
  return 1;
}
#else
static int move_row(const Operation *op) {
  (void)op;
  return 0;
}
#endif

void direct_move(const Operation *op, const Operation *end) {
  enum { BYTES_AHEAD = 24 * 1024 };
  const Operation *ahead = op;
  size_t bytes = 0; /* that are fetched */
  while (ahead < end && bytes < DIRECT_BYTES_RECORDED) bytes += ahead++->size;
  for (; op < end; ++op) {
    if (!move_row(op)) memmove(op->dst, op->src, op->size);
    bytes -= op->size;
    for (; ahead < end && bytes < BYTES_AHEAD; ++ahead) {
      direct_fetch(ahead->src, ahead->size);
      bytes += ahead->size;
    }
  }
}
