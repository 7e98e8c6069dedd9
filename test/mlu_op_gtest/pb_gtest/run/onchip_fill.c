/* SPDX-License-Identifier: MIT */
#include "run/onchip_fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/onchip_fill_kernel.h"

static const struct {
  const char *name;
  uint32_t word;
} fills[] = {{"NAN_HALF", 0x7E007E00u},
             {"INF_HALF", 0x7C007C00u},
             {"NAN_FLOAT", 0x7FC00000u},
             {"INF_FLOAT", 0x7F800000u}};
enum { N_FILLS = sizeof(fills) / sizeof(fills[0]) };

static int is_off(const mluopTestOptions *options) {
  return options->fill_ram && !strcmp(options->fill_ram, "OFF");
}

void mluop_onchip_fill_prepare(const mluopTestOptions *options) {
  if (!is_off(options) && options->perf_repeat == 1 && !options->mlu_only &&
      !options->perf_acceptance && !options->trace) {
    setenv("MLUOP_CPU_POISON", "1", 0);
  }
}

/* The embedded runtime gives each kernel file on-chip memory of its own, which another kernel
 * cannot reach, and fills it itself. */
static bool runtime_fills(int device) {
  cnrtDeviceProp_t properties;
  return cnrtGetDeviceProperties(&properties, device) == cnrtSuccess &&
         strstr(properties.name, "CPU") != NULL;
}

void mluop_onchip_fill(const mluopTestOptions *options, uint64_t seed, cnrtQueue_t queue) {
  int device = 0, clusters = 1, cores = 1;
  if (is_off(options) || options->mlu_only || cnrtGetDevice(&device) != cnrtSuccess ||
      (!options->fill_ram && runtime_fills(device))) {
    return;
  }
  uint32_t word = fills[seed % N_FILLS].word;
  for (size_t i = 0; options->fill_ram && i < N_FILLS; ++i) {
    if (!strcmp(fills[i].name, options->fill_ram)) {
      word = fills[i].word;
    }
  }
  if (cnrtDeviceGetAttribute(&clusters, cnrtAttrClusterCount, device) != cnrtSuccess ||
      cnrtDeviceGetAttribute(&cores, cnrtAttrMcorePerCluster, device) != cnrtSuccess) {
    return;
  }
  const cnrtDim3_t dim = {(unsigned)(clusters * cores), 1, 1};
  KernelOnchipFill(dim, cnrtFuncTypeBlock, queue, word);
  if (cnrtQueueSync(queue) != cnrtSuccess) {
    fprintf(stderr, "[WARNING] on-chip memory could not be filled\n");
  }
}
