/* SPDX-License-Identifier: MIT
 *
 * A custom kernel that gathers rows of a paged cache into NRAM; the result is compared with plain
 * C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pooled_rows.h"

enum { BLOCK = 16, BLOCKS = 64, ENTRIES = 40, QUERIES = 9, K = 300 };

static float cache[BLOCKS * BLOCK][POOLED_COLUMNS];
static int32_t table[ENTRIES];
static int32_t indices[QUERIES][K];
static float got[QUERIES][POOLED_COLUMNS], wanted[QUERIES][POOLED_COLUMNS];

static void *on_device(const void *data, size_t bytes) {
  void *memory = NULL;
  if (cnrtMalloc(&memory, bytes) != cnrtSuccess ||
      cnrtMemcpy(memory, (void *)data, bytes, cnrtMemcpyHostToDev) != cnrtSuccess) {
    fprintf(stderr, "FAIL: no device memory\n");
    exit(1);
  }
  return memory;
}

/* Includes ids past the end of the table, and missing blocks, on purpose: they add nothing. */
static void make_data(void) {
  for (int row = 0; row < BLOCKS * BLOCK; ++row) {
    for (int i = 0; i < POOLED_COLUMNS; ++i) {
      cache[row][i] = (float)((row * 7 + i * 3) % 101) / 8;
    }
  }
  for (int i = 0; i < ENTRIES; ++i) {
    table[i] = i % 11 == 5 ? -1 : (i * 37) % BLOCKS;
  }
  for (int q = 0; q < QUERIES; ++q) {
    for (int i = 0; i < K; ++i) {
      indices[q][i] = (q * 131 + i * 17) % (ENTRIES * BLOCK + 3) - 1;
    }
  }
}

static void sum_on_host(void) {
  for (int q = 0; q < QUERIES; ++q) {
    for (int i = 0; i < K; ++i) {
      const int32_t id = indices[q][i];
      if (id < 0 || id >= ENTRIES * BLOCK || table[id / BLOCK] < 0) {
        continue;
      }
      const float *row = cache[table[id / BLOCK] * BLOCK + id % BLOCK];
      for (int column = 0; column < POOLED_COLUMNS; ++column) {
        wanted[q][column] += row[column];
      }
    }
  }
}

int main(void) {
  make_data();
  sum_on_host();
  cnrtQueue_t queue = NULL;
  cnrtSetDevice(0);
  cnrtQueueCreate(&queue);
  float *device_cache = on_device(cache, sizeof(cache));
  int32_t *device_table = on_device(table, sizeof(table));
  int32_t *device_indices = on_device(indices, sizeof(indices));
  float *output = on_device(got, sizeof(got));
  const cnrtDim3_t dim = {4, 1, 1};
  sum_selected_rows(dim, queue, device_cache, BLOCKS * BLOCK, BLOCK, device_table, ENTRIES,
                    device_indices, QUERIES, K, output);
  const bool ran = cnrtQueueSync(queue) == cnrtSuccess;
  cnrtMemcpy(got, output, sizeof(got), cnrtMemcpyDevToHost);
  cnrtFree(device_cache);
  cnrtFree(device_table);
  cnrtFree(device_indices);
  cnrtFree(output);
  cnrtQueueDestroy(queue);
  const bool equal = ran && memcmp(got, wanted, sizeof(got)) == 0;
  puts(equal ? "PASS" : "FAIL: the sums differ");
  return equal ? 0 : 1;
}
