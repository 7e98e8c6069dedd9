/* SPDX-License-Identifier: MIT
 *
 * Random numbers of the vector units: one sequence per program; every call takes the next part.
 * Included by bang/vector_api.h.
 */
#ifndef BANG_VECTOR_RANDOM_H_
#define BANG_VECTOR_RANDOM_H_

#include "bang/loops.h"

namespace bang_impl {

static __device__ unsigned long long random_taken;

/* The splitmix64 generator, which computes any number of the sequence directly. */
BANG_INLINE uint64_t random_at(uint64_t place) {
  uint64_t x = (place + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

BANG_CALLED void fill_random(int16_t *dst, int64_t n) {
  unsigned long long first = 0;
  __syncwarp();
  if (lane_id() == 0) first = atomicAdd(&random_taken, (unsigned long long)n);
  first = __shfl_sync(0xffffffffu, first, 0);
  generate(dst, n, [=](int64_t i) { return (int16_t)(random_at(first + (uint64_t)i) >> 48); });
}

}  // namespace bang_impl

BANG_INLINE void __bang_vec_random(void *dst, int64_t n) {
  if (n > 0) bang_impl::fill_random((int16_t *)dst, n);
}

#endif /* BANG_VECTOR_RANDOM_H_ */
