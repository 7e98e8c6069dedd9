/* SPDX-License-Identifier: MIT
 *
 * What decides which form of a kernel is fast on a device, beside the sizes a handle holds.
 * mluOpCreate fills it once from the device's name; kernels get sizes from it as arguments.
 *
 * A device whose name is not in the table (device_facts.c) counts as an MLU card.
 * MLUOP_DEVICE_FACTS=tile_bytes=8192,tasks_per_core=2 changes numbers for a measurement;
 * tools/sweep_facts.sh does so and prints the times, from which the table was made.
 */
#ifndef CORE_DEVICE_FACTS_H_
#define CORE_DEVICE_FACTS_H_

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopDeviceFacts {
  const char *kind;           /* of the device, for messages */
  int scalar_nram_cycles;     /* one step of a scalar loop over on-chip memory */
  int scalar_gdram_ns;        /* one scalar read of device memory */
  int tasks_per_core;         /* tasks with little on-chip memory that a core runs at a time */
  bool copies_beside_compute; /* false: the core does its own copies, at the next sync */
  bool copies_in_order;     /* asynchronous copies that touch the same memory wait for each other */
  int tile_bytes;           /* of one buffer of a copy pipeline with one copy per tile */
  int scattered_tile_bytes; /* of one buffer whose rows come from or go to scattered places */
  int summed_tile_bytes;    /* of one buffer whose scattered rows are added up */
} mluopDeviceFacts;

/* Never NULL. */
const mluopDeviceFacts *mluop_device_facts_of(const char *device_name);

/* Changes numbers as MLUOP_DEVICE_FACTS says; a part that cannot be read is reported once and
 * ignored. */
void mluop_device_facts_change(mluopDeviceFacts *facts, const char *list);

/* True where a scalar loop over on-chip memory is faster than vector instructions that do more work
 * in total. */
static inline bool mluop_scalar_is_fast(const mluopDeviceFacts *facts) {
  return facts->scalar_nram_cycles <= 4;
}

/* A core hides the waits of one small task by running others. */
static inline bool mluop_small_tasks_overlap(const mluopDeviceFacts *facts) {
  return facts->tasks_per_core > 1;
}

/* Writes the facts as one line; returns text. */
const char *mluop_device_facts_text(const mluopDeviceFacts *facts, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif /* CORE_DEVICE_FACTS_H_ */
