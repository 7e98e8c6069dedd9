/* SPDX-License-Identifier: MIT
 *
 * Moving contiguous bytes, with the instructions of the CPU at hand. */
#ifndef BANGC_HELPER_CPU_COPY_MOVER_H_
#define BANGC_HELPER_CPU_COPY_MOVER_H_

#include <stddef.h>

#include "copy/operation.h"
#include "copy/row_gather.h"

#define MOVER_LINE 64

typedef struct Mover {
  const char *name;
  /* Memory to on-chip: ordinary stores, the source fetched ahead. No overlap. */
  void (*load)(char *dst, const char *src, size_t size);
  /* On-chip to memory: whole cache lines by streaming stores, so that they are not read first. No
   * overlap. */
  void (*store)(char *dst, const char *src, size_t size);
  /* The operations from op on up to one that is the end, all of them loads and stores of runs, of
   * which none touches what another writes: a line of the loads and a line of the stores in turn,
   * so that reading and writing memory overlap. Loads that follow each other are fetched `beyond`
   * bytes ahead. */
  void (*interleave)(const Operation *op, size_t beyond);
  /* Does a store and then a gather, side by side. The target of the gather overlaps neither its
   * offsets nor the store. */
  void (*gather_beside)(const RowGather *gather, char *dst, const char *src, size_t size);
  /* Makes streaming stores visible to other cores. */
  void (*fence)(void);
} Mover;

/* Starts fetching a source that will be loaded soon, into the second-level cache: the first one
 * would have to wait for room for so many lines. Inlined in any case: gcc takes a function that
 * only fetches ahead for one that does nothing. */
static inline __attribute__((always_inline)) void mover_prefetch(const char *src, size_t size) {
  for (size_t i = 0; i < size; i += MOVER_LINE) __builtin_prefetch(src + i, 0, 2);
}

/* The best one for this CPU and the settings MLUOP_CPU_ISA and MLUOP_CPU_STREAMING_STORES; chosen
 * once. */
const Mover *bang_mover(void);

#endif /* BANGC_HELPER_CPU_COPY_MOVER_H_ */
