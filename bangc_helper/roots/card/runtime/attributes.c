/* SPDX-License-Identifier: MIT
 *
 * The device is the board that MLUOP_CARD names.
 */
#include <limits.h>
#include <stdio.h>

#include "board.h"
#include "runtime/device.h"

static const struct card_board *board(void) {
  const struct card_board *chosen = card_board_chosen();
  return chosen != NULL ? chosen : card_board_at(0);
}

static int bytes_of(int64_t kib) {
  return kib < INT_MAX / 1024 ? (int)(kib * 1024) : INT_MAX;
}

static struct rt_device_facts facts;

static void find_facts(void) {
  const struct card_board *b = board();
  facts = (struct rt_device_facts){.architecture = (int)b->architecture,
                                   .clusters = (int)b->clusters,
                                   .cores = (int)b->cores_per_cluster,
                                   .largest_union = (int)b->largest_union,
                                   .largest_dim = (int)b->largest_task_dim,
                                   .nram_bytes = bytes_of(b->nram_kib),
                                   .wram_bytes = bytes_of(b->wram_kib),
                                   .sram_bytes = bytes_of(b->sram_kib),
                                   .l2_bytes = bytes_of(b->l2_kib),
                                   .clock_khz = (int)b->core_clock_khz,
                                   .memory_clock_khz = (int)b->memory_clock_khz,
                                   .bus_bits = (int)b->bus_bits,
                                   .vector_bytes = (int)b->vector_bytes_per_cycle};
}

const struct rt_device_facts *rt_device_facts(const struct rt_device *device) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)device;
  pthread_once(&once, find_facts);
  return &facts;
}

const char *rt_device_name(const struct rt_device *device) {
  (void)device;
  return board()->name;
}

void rt_device_uuid(const struct rt_device *device, cnrtUUID_t *uuid) {
  snprintf(uuid->uuid, sizeof(uuid->uuid), "%s-%04d", board()->name, device->ordinal);
}
