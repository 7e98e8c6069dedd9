/* SPDX-License-Identifier: MIT
 *
 * Moving contiguous bytes, with the instructions of the CPU at hand. */
#ifndef BANGC_HELPER_CPU_COPY_MOVER_H_
#define BANGC_HELPER_CPU_COPY_MOVER_H_

#include <stddef.h>

#define MOVER_LINE 64

typedef struct Mover {
  const char *name;
  /* Memory to on-chip: ordinary stores, the source fetched ahead. No overlap. */
  void (*load)(char *dst, const char *src, size_t size);
  /* On-chip to memory: whole cache lines by streaming stores, so that they are not read first. No
   * overlap. */
  void (*store)(char *dst, const char *src, size_t size);
  /* A load and a store of the same size side by side, so that reading and writing memory overlap:
   * size is a multiple of a cache line, store_dst starts one. `ahead` is where the next load will
   * read. */
  void (*exchange)(char *load_dst, const char *load_src, char *store_dst, const char *store_src,
                   size_t size, const char *ahead);
  /* Starts fetching a source that will be loaded soon. */
  void (*prefetch)(const char *src, size_t size);
  /* Makes streaming stores visible to other cores. */
  void (*fence)(void);
} Mover;

/* The best one for this CPU and the settings MLUOP_CPU_ISA and MLUOP_CPU_STREAMING_STORES; chosen
 * once. */
const Mover *bang_mover(void);

#endif /* BANGC_HELPER_CPU_COPY_MOVER_H_ */
