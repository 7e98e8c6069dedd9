/* SPDX-License-Identifier: MIT
 *
 * Shared by the benchmarks of the moe_dispatch family: options and a routing. */
#ifndef TEST_BENCHMARK_BENCH_DISPATCH_H_
#define TEST_BENCHMARK_BENCH_DISPATCH_H_

#include <stdint.h>
#include <stdlib.h>

#include "bench.h"

typedef struct BenchDispatch {
  int samples, hidden, experts, capacity, rounds;
} BenchDispatch;

static inline BenchDispatch bench_dispatch_default(void) {
  return (BenchDispatch){18432, 512, 2, 11520, 41};
}

static inline int bench_dispatch_parse(int argc, char **argv, BenchDispatch *o, const char *note) {
  const BenchOption options[] = {{"samples", &o->samples, 1},
                                 {"hidden", &o->hidden, 1},
                                 {"experts", &o->experts, 1},
                                 {"capacity", &o->capacity, 1},
                                 {"rounds", &o->rounds, 1}};
  return bench_parse(argc, argv, options, sizeof options / sizeof options[0], note);
}

/* Sends every sample to a random expert with a free slot. If there are more samples than slots, the
 * rest go past the capacity, where they are dropped. */
static inline void bench_dispatch_route(int32_t *indices, int32_t *locations,
                                        const BenchDispatch *o) {
  uint64_t state = 20230220;
  int32_t *used = calloc((size_t)o->experts, sizeof *used);
  for (int i = 0; used && i < o->samples; ++i) {
    int e = (int)(bench_random(&state) % (uint64_t)o->experts);
    for (int tries = 0; used[e] >= o->capacity && tries < o->experts; ++tries)
      e = (e + 1) % o->experts;
    indices[i] = e;
    locations[i] = used[e]++;
  }
  free(used);
}

static inline void bench_dispatch_fill(float *data, size_t n, uint64_t seed) {
  for (size_t i = 0; i < n; ++i)
    data[i] = (float)((double)(bench_random(&seed) >> 11) * 0x1p-52 - 1.0);
}

#endif /* TEST_BENCHMARK_BENCH_DISPATCH_H_ */
