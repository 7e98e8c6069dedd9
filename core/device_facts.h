/* SPDX-License-Identifier: MIT
 *
 * Facts about a device that decide which form of a kernel is fast there, in addition to the sizes
 * in the handle. mluOpCreate looks them up by the device's name; kernels get sizes as arguments.
 *
 * A device whose name is not in the table (device_facts.c) is treated as an MLU card.
 * MLUOP_DEVICE_FACTS=tile_bytes=8192,tasks_per_core=2 changes facts for a measurement.
 * tools/sweep_facts.sh does this and prints the times; the table was made from them.
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
  bool loops_convert_half;    /* scalar loops convert half as fast as other numbers */
  int tasks_per_core;         /* tasks with little on-chip memory that a core runs at a time */
  bool copies_beside_compute; /* false: the core itself does the copies, at the next sync */
  bool copies_in_order;       /* asynchronous copies of the same memory are done in order */
  int copies_directly;        /* 1: copies inside device memory are faster than through tiles */
  int tile_bytes;             /* of one buffer of a copy pipeline with one copy per tile */
  int scattered_tile_bytes;   /* of one buffer whose rows are scattered in memory */
  int summed_tile_bytes;      /* of one buffer whose scattered rows are summed */
} mluopDeviceFacts;

/* Never NULL. */
const mluopDeviceFacts *mluop_device_facts_of(const char *device_name);

/* Applies the value of MLUOP_DEVICE_FACTS; a part that cannot be parsed is reported once and
 * ignored. */
void mluop_device_facts_change(mluopDeviceFacts *facts, const char *list);

/* True if a scalar loop over on-chip memory is faster than vector instructions that do more work in
 * total. */
static inline bool mluop_scalar_is_fast(const mluopDeviceFacts *facts) {
  return facts->scalar_nram_cycles <= 4;
}

/* The same for loops over device memory. */
static inline bool mluop_scalar_gdram_is_fast(const mluopDeviceFacts *facts) {
  return facts->scalar_gdram_ns <= 4;
}

/* True if a core runs several small tasks at a time, so that one computes while another waits. */
static inline bool mluop_small_tasks_overlap(const mluopDeviceFacts *facts) {
  return facts->tasks_per_core > 1;
}

/* Writes the facts as one line; returns text. */
const char *mluop_device_facts_text(const mluopDeviceFacts *facts, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif /* CORE_DEVICE_FACTS_H_ */
