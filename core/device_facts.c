/* SPDX-License-Identifier: MIT */
#include "core/device_facts.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/logging.h"

/* On a CPU, pipeline buffers should fit the L1 cache, which is larger on Arm servers. Rows to be
 * summed are read one by one, so it is enough that they fit the L2 cache. */
#if defined(__aarch64__)
#define CPU_TILE_BYTES (8 * 1024)
#define CPU_SUMMED_TILE_BYTES (64 * 1024)
#define CPU_COPIES_DIRECTLY 1
#define CPU_LOOPS_CONVERT_HALF true
#else
#define CPU_TILE_BYTES (4 * 1024)
#define CPU_SUMMED_TILE_BYTES (32 * 1024)
#define CPU_COPIES_DIRECTLY 0
#define CPU_LOOPS_CONVERT_HALF false /* compilers have no vectors of half there */
#endif

/* The card is last, because it also stands for unknown devices. */
static const struct {
  const char *name_part;
  mluopDeviceFacts facts;
} table[] = {
    {"-CPU",
     {.kind = "CPU",
      .scalar_nram_cycles = 1,
      .scalar_gdram_ns = 1,
      .loops_convert_half = CPU_LOOPS_CONVERT_HALF,
      .tasks_per_core = 1,
      .copies_beside_compute = false,
      .copies_in_order = false,
      .copies_directly = CPU_COPIES_DIRECTLY,
      .tile_bytes = CPU_TILE_BYTES,
      .scattered_tile_bytes = 4 * CPU_TILE_BYTES,
      .summed_tile_bytes = CPU_SUMMED_TILE_BYTES}},
    {"NVIDIA",
     {.kind = "GPU",
      .scalar_nram_cycles = 30,
      .scalar_gdram_ns = 500,
      .loops_convert_half = false,
      .tasks_per_core = 4,
      .copies_beside_compute = true,
      .copies_in_order = true,
      .copies_directly = 0,
      .tile_bytes = 16 * 1024,
      .scattered_tile_bytes = 16 * 1024,
      .summed_tile_bytes = 16 * 1024}},
    {"",
     {.kind = "card",
      .scalar_nram_cycles = 30,
      .scalar_gdram_ns = 180,
      .loops_convert_half = false,
      .tasks_per_core = 1,
      .copies_beside_compute = true,
      .copies_in_order = false,
      .copies_directly = 0,
      .tile_bytes = 32 * 1024,
      .scattered_tile_bytes = 32 * 1024,
      .summed_tile_bytes = 128 * 1024}},
};

const mluopDeviceFacts *mluop_device_facts_of(const char *device_name) {
  size_t row = 0;
  while (strstr(device_name, table[row].name_part) == NULL) ++row;
  return &table[row].facts;
}

/* The member of that name, or NULL. */
static int *number_of(mluopDeviceFacts *facts, const char *name, size_t length) {
  const struct {
    const char *name;
    int *number;
  } numbers[] = {{"scalar_nram_cycles", &facts->scalar_nram_cycles},
                 {"scalar_gdram_ns", &facts->scalar_gdram_ns},
                 {"tasks_per_core", &facts->tasks_per_core},
                 {"copies_directly", &facts->copies_directly},
                 {"tile_bytes", &facts->tile_bytes},
                 {"scattered_tile_bytes", &facts->scattered_tile_bytes},
                 {"summed_tile_bytes", &facts->summed_tile_bytes}};
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
    if (strlen(numbers[i].name) == length && memcmp(numbers[i].name, name, length) == 0) {
      return numbers[i].number;
    }
  }
  return NULL;
}

void mluop_device_facts_change(mluopDeviceFacts *facts, const char *list) {
  static atomic_bool is_told;
  while (*list != '\0') {
    const size_t length = strcspn(list, ","), name = strcspn(list, "=,");
    int *number = number_of(facts, list, name);
    char *end = NULL;
    const long value = name < length ? strtol(list + name + 1, &end, 10) : 0;
    if (number != NULL && value > 0 && value <= INT_MAX && end == list + length) {
      *number = (int)value;
    } else if (!atomic_exchange(&is_told, true)) {
      LOG_WARNING(
          "environment variable MLUOP_DEVICE_FACTS: wanted name=number with a number above 0, got "
          "\"%.*s\".",
          (int)length, list);
    }
    list += length;
    list += *list != '\0';
  }
}

const char *mluop_device_facts_text(const mluopDeviceFacts *facts, char *text, size_t size) {
  snprintf(
      text, size,
      "%s; scalar step over NRAM %d cycles, scalar read of GDRAM %d ns, scalar loops convert half "
      "%s, %d small tasks per core, copies %s computing and are%s ordered%s, tiles of %d "
      "bytes, %d where rows are scattered, %d where such rows are added up",
      facts->kind, facts->scalar_nram_cycles, facts->scalar_gdram_ns,
      facts->loops_convert_half ? "quickly" : "slowly", facts->tasks_per_core,
      facts->copies_beside_compute ? "run beside" : "stop", facts->copies_in_order ? "" : " not",
      facts->copies_directly ? ", faster inside device memory" : "", facts->tile_bytes,
      facts->scattered_tile_bytes, facts->summed_tile_bytes);
  return text;
}
