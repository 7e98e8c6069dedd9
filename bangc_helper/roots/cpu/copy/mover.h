/* SPDX-License-Identifier: MIT
 *
 * Moving contiguous bytes, with the instructions of the CPU at hand. */
#ifndef BANGC_HELPER_CPU_COPY_MOVER_H_
#define BANGC_HELPER_CPU_COPY_MOVER_H_

#include <stddef.h>

#include "copy/operation.h"
#include "copy/row_gather.h"

#define MOVER_LINE 64
/* Lines that will be written are asked for this many bytes ahead, by movers that ask for them. */
#define OWNED_AHEAD 1024

typedef struct Mover {
  /* Memory to on-chip: ordinary stores, with the source prefetched. The ranges do not overlap. */
  void (*load)(char *dst, const char *src, size_t size);
  /* On-chip to memory: whole cache lines by streaming stores, which do not read them first, or
   * asked for ahead. The ranges do not overlap. */
  void (*store)(char *dst, const char *src, size_t size);
  /* Does the operations from `op` to the end: loads and stores of runs, none of which touches what
   * another writes. Lines of loads and stores alternate, so that reading and writing memory
   * overlap. Loads that follow each other are prefetched `beyond` bytes ahead. */
  void (*interleave)(const Operation *op, size_t beyond);
  /* Does a store and a gather together. The target of the gather overlaps neither its offsets nor
   * the store. */
  void (*gather_beside)(const RowGather *gather, char *dst, const char *src, size_t size);
  /* Makes streaming stores visible to other cores. */
  void (*fence)(void);
} Mover;

/* Prefetches a source that will be loaded soon into the L2 cache; the L1 cache has no room for so
 * many lines. Always inlined, since gcc drops calls of a function that only prefetches. */
static inline __attribute__((always_inline)) void mover_prefetch(const char *src, size_t size) {
  for (size_t i = 0; i < size; i += MOVER_LINE) __builtin_prefetch(src + i, 0, 2);
}

/* The best one for this CPU and for MLUOP_CPU_ISA and MLUOP_CPU_STORES; chosen once. */
const Mover *bang_mover(void);

#endif /* BANGC_HELPER_CPU_COPY_MOVER_H_ */
