/* SPDX-License-Identifier: MIT
 *
 * bang::pipeline: the copy and sync functions as members of one object.
 */
#ifndef BANG_PIPELINE_H_
#define BANG_PIPELINE_H_

#include "bang.h"

namespace bang {

class pipeline {
 public:
  uint32_t barrier_id;
  uint32_t barrier_count; /* the compute cores of a cluster and its memory core */

  BANG_MEMBER explicit pipeline(uint32_t id)
      : barrier_id(id), barrier_count(static_cast<uint32_t>(coreDim) + 1) {}
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;

  BANG_MEMBER void wait_compute() { __sync_compute(); }
  /* In a union, all cores of the cluster wait for each other's copies. */
  BANG_MEMBER void wait_memcpy() {
    if (clusterDim != 0) {
      __sync_cluster();
    } else {
      __sync_io_move();
    }
  }
  BANG_MEMBER void wait_copy_nram_to_nram() { __sync_copy_nram_to_nram(); }
  BANG_MEMBER void wait_copy_nram_to_dram() { __sync_copy_nram_to_dram(); }
  BANG_MEMBER void wait_copy_dram_to_nram() { __sync_copy_dram_to_nram(); }
  BANG_MEMBER void wait_copy_wram_to_dram() { __sync_copy_wram_to_dram(); }
  BANG_MEMBER void wait_copy_dram_to_wram() { __sync_copy_dram_to_wram(); }
  BANG_MEMBER void wait_copy_sram_to_dram() { __sync_copy_sram_to_dram(); }
  BANG_MEMBER void wait_copy_dram_to_sram() { __sync_copy_dram_to_sram(); }
  BANG_MEMBER void wait_copy_nram_to_sram() { __sync_copy_nram_to_sram(); }
  BANG_MEMBER void wait_copy_sram_to_nram() { __sync_copy_sram_to_nram(); }
  BANG_MEMBER void wait_copy_wram_to_sram() { __sync_copy_wram_to_sram(); }
  BANG_MEMBER void wait_copy_sram_to_wram() { __sync_copy_sram_to_wram(); }
  BANG_MEMBER void wait_copy_sram_to_sram() { __sync_copy_sram_to_sram(); }
};

/* The target may be a pointer to const: some kernels pass one. */
template <class Target, class Source>
BANG_INLINE void memcpy_async(pipeline &, const Target *dst, const Source *src, int64_t size,
                              mluMemcpyDirection_t dir) {
  __memcpy_async(const_cast<Target *>(dst), src, size, dir);
}

namespace vector {

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> add(pipeline &, T *dst, T *a, T *b, int64_t n) {
  __bang_add(dst, a, b, n);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> sub(pipeline &, T *dst, T *a, T *b, int64_t n) {
  __bang_sub(dst, a, b, n);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> mul(pipeline &, T *dst, T *a, T *b, int64_t n) {
  __bang_mul(dst, a, b, n);
}

}  // namespace vector
}  // namespace bang

#endif /* BANG_PIPELINE_H_ */
