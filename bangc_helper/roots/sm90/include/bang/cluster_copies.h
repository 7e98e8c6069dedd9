/* SPDX-License-Identifier: MIT
 *
 * Copies between DRAM and shared RAM, or between shared RAMs, belong to the cluster: on a card its
 * memory core does them, however many cores issue them. Here the first core that issues a copy does
 * it. The nth time a core issues the same copy since the last barrier counts as the nth time for
 * all cores.
 *
 * Issued copies are recorded in barrier lines that the blocks of a cluster do not count in. These
 * are zero at the start of a launch and must be zero at its end.
 */
#ifndef BANG_CLUSTER_COPIES_H_
#define BANG_CLUSTER_COPIES_H_

#include "bang/task.h"

namespace bang_impl {

/* How many different copies between two barriers can be recorded. */
enum { known_copies = 20 };

struct ClusterCopy {
  uint64_t key;
  uint32_t epoch;
  uint16_t done;
  uint16_t issued[BANG_SM90_CORES_PER_CLUSTER + 1]; /* per core, the memory core last */
};
struct ClusterCopies {
  unsigned lock;
  unsigned count;
  ClusterCopy copies[known_copies];
};
static_assert(sizeof(ClusterCopies) <=
                  BANG_SM90_CORES_PER_CLUSTER * BANG_SM90_BARRIER_LINE_WORDS * sizeof(uint64_t),
              "the lines of all blocks of a cluster but the first");

enum CopyClaim {
  copy_alone,  /* no room to record it: treat as an ordinary copy */
  copy_mine,   /* the caller does the copy, then calls end_cluster_copy */
  copy_issued, /* another core has already done it */
};

/* Units with shared RAM have a block for the memory core, so their barriers count in memory. */
BANG_INLINE bool has_cluster_copies() {
  return control.frame.union_clusters != 0 &&
         control.frame.blocks_per_cluster > BANG_SM90_CORES_PER_CLUSTER;
}

BANG_INLINE ClusterCopies *cluster_copies() {
  const unsigned first = blockIdx.x - blockIdx.x % control.frame.blocks_per_cluster;
  const size_t line = (size_t)BANG_BARRIER_CLUSTER * gridDim.x + first + 1;
  return (ClusterCopies *)(control.frame.union_barrier + line * BANG_SM90_BARRIER_LINE_WORDS);
}

/* Changes with every barrier: the upper half counts barriers of all cores, the lower half those of
 * the compute cores, in which the memory core takes no part. */
BANG_INLINE uint32_t copy_epoch() {
  const unsigned *passed = control.barrier_generation;
  const unsigned all = passed[BANG_BARRIER_CLUSTER] + passed[BANG_BARRIER_ALL];
  const unsigned cores = passed[BANG_BARRIER_CLUSTER_IPU] + passed[BANG_BARRIER_ALL_IPU];
  return all << 16 | (__is_mpu() ? 0 : cores & 0xffffu);
}

/* True if no core can issue a copy in `epoch` any more. */
BANG_INLINE bool is_over(uint32_t epoch, uint32_t now) {
  const uint32_t cores = epoch & 0xffffu, cores_now = now & 0xffffu;
  return (epoch ^ now) >> 16 != 0 || (cores != 0 && cores_now != 0 && cores != cores_now);
}

BANG_INLINE uint64_t mix(uint64_t key, uint64_t word) {
  key = (key ^ word) * 0x9e3779b97f4a7c15u;
  return key ^ key >> 29;
}
BANG_INLINE uint64_t key_of_copy(const void *dst, const void *src, size_t size, int dir,
                                 const bangCopyShape *shape) {
  uint64_t key = mix(mix(mix(mix(1, (uint64_t)dst), (uint64_t)src), size), (uint64_t)dir);
  if (shape) {
    key = mix(mix(key, (uint64_t)shape->dst_stride0), (uint64_t)shape->dst_stride1);
    key = mix(mix(key, (uint64_t)shape->src_stride0), (uint64_t)shape->src_stride1);
    key = mix(mix(key, shape->dst_segnum1), shape->dst_segnum2);
    key = mix(mix(key, shape->src_segnum1), shape->src_segnum2);
  }
  return key;
}

/* NULL if there is no room. */
BANG_INLINE ClusterCopy *find_locked(ClusterCopies *known, uint64_t key, uint32_t epoch) {
  ClusterCopy *room = nullptr;
  for (unsigned i = 0; i < known->count; ++i) {
    ClusterCopy *copy = &known->copies[i];
    if (copy->key == key && copy->epoch == epoch) return copy;
    if (!room && is_over(copy->epoch, epoch)) room = copy;
  }
  if (!room && known->count < known_copies) room = &known->copies[known->count++];
  if (room) *room = ClusterCopy{key, epoch, 0, {}};
  return room;
}

/* Called by one lane. The core that does the copy keeps the lock until it is done. */
BANG_INLINE CopyClaim claim_locked(ClusterCopies *known, uint64_t key) {
  while (atomicCAS(&known->lock, 0u, 1u) != 0) {
  }
  __threadfence();
  ClusterCopy *copy = find_locked(known, key, copy_epoch());
  if (copy && ++copy->issued[__is_mpu() ? BANG_SM90_CORES_PER_CLUSTER : coreId] > copy->done) {
    ++copy->done;
    return copy_mine;
  }
  __threadfence();
  atomicExch(&known->lock, 0u);
  return copy ? copy_issued : copy_alone;
}

BANG_INLINE CopyClaim begin_cluster_copy(uint64_t key) {
  int claim = copy_alone;
  __syncwarp();
  if (lane_id() == 0) claim = claim_locked(cluster_copies(), key);
  claim = __shfl_sync(all_lanes, claim, 0);
  __threadfence(); /* acquire: the data copied by the other core is read next */
  return (CopyClaim)claim;
}

BANG_INLINE void end_cluster_copy() {
  __threadfence();
  __syncwarp();
  if (lane_id() == 0) atomicExch(&cluster_copies()->lock, 0u);
  __syncwarp();
}

/* Called by one lane after all cores of the cluster have ended. */
BANG_INLINE void forget_cluster_copies() {
  ClusterCopies *known = cluster_copies();
  __threadfence();
  const unsigned count = known->count;
  for (unsigned i = 0; i < count; ++i) known->copies[i] = ClusterCopy{};
  known->count = 0;
}

}  // namespace bang_impl

#endif /* BANG_CLUSTER_COPIES_H_ */
