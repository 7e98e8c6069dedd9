/* SPDX-License-Identifier: MIT
 *
 * Barriers between tasks. The four tasks of a cluster without a memory core are a hardware cluster
 * and use its barrier, and so does a union that is one. Other sets meet in memory: each core counts
 * its barriers in a word of its own, and one that has ended counts as having passed all.
 */
#ifndef BANG_BARRIER_H_
#define BANG_BARRIER_H_

#include "bang/engine.h"

namespace bang_impl {

enum { barrier_passed_all = 0xffffffff };

BANG_INLINE volatile unsigned long long *barrier_word(int which, unsigned block) {
  return control.frame.union_barrier + (size_t)which * gridDim.x + block;
}

/* The threads of a hardware cluster meet. */
BANG_INLINE void hardware_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

BANG_INLINE bool is_member(int which, unsigned block) {
  bool memory_core = block % control.frame.blocks_per_cluster == 4;
  if (which == BANG_BARRIER_CLUSTER_IPU || which == BANG_BARRIER_ALL_IPU) return !memory_core;
  return which == BANG_BARRIER_ALL_MPU ? memory_core : true;
}

BANG_CALLED void memory_barrier(int which) {
  const unsigned per_cluster = control.frame.blocks_per_cluster;
  bool in_cluster = which == BANG_BARRIER_CLUSTER || which == BANG_BARRIER_CLUSTER_IPU;
  const unsigned set = per_cluster * (in_cluster ? 1 : control.frame.union_clusters);
  const unsigned first = blockIdx.x / set * set;
  const unsigned generation = control.barrier_generation[which] + 1;
  const unsigned long long reached = control.frame.barrier_start + generation;
  __threadfence();
  __syncwarp();
  if (lane_id() == 0) {
    control.barrier_generation[which] = generation;
    *barrier_word(which, blockIdx.x) = reached;
  }
  for (unsigned block = first + lane_id(); block < first + set; block += warp_lanes) {
    if (!is_member(which, block)) continue;
    while (*barrier_word(which, block) < reached) __nanosleep(40);
  }
  __threadfence();
  __syncwarp();
}

BANG_INLINE void leave_barriers() {
  if (control.frame.union_clusters == 0 || !control.frame.union_barrier) return;
  __threadfence();
  __syncwarp();
  if (lane_id() < 5) {
    *barrier_word(lane_id(), blockIdx.x) = control.frame.barrier_start + barrier_passed_all;
  }
}

}  // namespace bang_impl

/* Completes this core's copies, then waits for the live cores of the set. */
BANG_INLINE void __bang_barrier(bangBarrier which, const char *, int) {
  bang_impl::sync_copies();
  if (bang_impl::control.frame.union_clusters == 0) return; /* alone */
  __threadfence();
  const bool is_whole = which == BANG_BARRIER_ALL || which == BANG_BARRIER_ALL_IPU;
  const bool is_hardware = is_whole && bang_impl::control.frame.is_hardware_union;
  if (bang_impl::control.frame.union_barrier && !is_hardware) {
    bang_impl::memory_barrier(which);
  } else {
    bang_impl::hardware_barrier();
  }
}

/* A place in this cluster's shared RAM, seen in the shared RAM of another cluster of the union. */
BANG_INLINE void *__bang_sram_of_cluster(void *address, int cluster) {
  if (cluster < 0 || cluster >= clusterDim) {
    bang_impl::fault(bang_impl::fault_illegal_operand,
                     "a copy to the shared RAM of a cluster that the task does not have");
  }
  return (char *)address +
         (cluster - clusterId) * (ptrdiff_t)bang_impl::control.frame.cluster_scratch_stride;
}

#endif /* BANG_BARRIER_H_ */
