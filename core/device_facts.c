/* SPDX-License-Identifier: MIT */
#include "core/device_facts.h"

#include <stdio.h>
#include <string.h>

/* Pipeline buffers on a CPU stay in the first-level cache, of which Arm servers have more. */
#if defined(__aarch64__)
#define CPU_TILE_BYTES (8 * 1024)
#else
#define CPU_TILE_BYTES (4 * 1024)
#endif

/* The card comes last: it is what an unknown device counts as. */
static const struct {
  const char *name_part;
  mluopDeviceFacts facts;
} table[] = {
    {"-CPU",
     {.kind = "CPU",
      .scalar_nram_cycles = 1,
      .scalar_gdram_ns = 1,
      .tasks_per_core = 1,
      .copies_beside_compute = false,
      .copies_in_order = false,
      .tile_bytes = CPU_TILE_BYTES,
      .scattered_tile_bytes = 4 * CPU_TILE_BYTES,
      .summed_tile_bytes = 32 * 1024}},
    {"NVIDIA",
     {.kind = "GPU",
      .scalar_nram_cycles = 30,
      .scalar_gdram_ns = 500,
      .tasks_per_core = 4,
      .copies_beside_compute = true,
      .copies_in_order = true,
      .tile_bytes = 16 * 1024,
      .scattered_tile_bytes = 16 * 1024,
      .summed_tile_bytes = 16 * 1024}},
    {"",
     {.kind = "card",
      .scalar_nram_cycles = 30,
      .scalar_gdram_ns = 180,
      .tasks_per_core = 1,
      .copies_beside_compute = true,
      .copies_in_order = false,
      .tile_bytes = 32 * 1024,
      .scattered_tile_bytes = 32 * 1024,
      .summed_tile_bytes = 128 * 1024}},
};

const mluopDeviceFacts *mluop_device_facts_of(const char *device_name) {
  size_t row = 0;
  while (strstr(device_name, table[row].name_part) == NULL) ++row;
  return &table[row].facts;
}

const char *mluop_device_facts_text(const mluopDeviceFacts *facts, char *text, size_t size) {
  snprintf(text, size,
           "%s; scalar step over NRAM %d cycles, scalar read of GDRAM %d ns, %d small tasks per "
           "core, copies %s computing and are%s ordered, tiles of %d bytes, %d where rows are "
           "scattered, "
           "%d where such rows are added up",
           facts->kind, facts->scalar_nram_cycles, facts->scalar_gdram_ns, facts->tasks_per_core,
           facts->copies_beside_compute ? "run beside" : "stop",
           facts->copies_in_order ? "" : " not", facts->tile_bytes, facts->scattered_tile_bytes,
           facts->summed_tile_bytes);
  return text;
}
