/* SPDX-License-Identifier: MIT
 *
 * Random numbers of the vector units: one sequence per process; every call takes the next part.
 */
#include <stdatomic.h>
#include <string.h>

#include "vector/vector.h"

/* The splitmix64 generator, which computes any number of the sequence directly. */
static uint64_t number_at(uint64_t place) {
  uint64_t x = (place + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

BANG_API void __bang_vec_random(void *dst, int64_t n) {
  static _Atomic uint64_t taken;
  if (n <= 0) {
    return;
  }
  const uint64_t first = atomic_fetch_add_explicit(&taken, (uint64_t)n, memory_order_relaxed);
  for (int64_t i = 0; i < n; i++) {
    const int16_t number = (int16_t)(number_at(first + (uint64_t)i) >> 48);
    memcpy((char *)dst + i * (int64_t)sizeof number, &number, sizeof number);
  }
}
