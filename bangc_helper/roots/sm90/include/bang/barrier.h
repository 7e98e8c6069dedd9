/* SPDX-License-Identifier: MIT
 *
 * Barriers between tasks. The four tasks of a cluster without a memory core are a hardware cluster
 * and use its barrier, and so does a union that is one hardware cluster. Other sets count arrivals
 * in memory.
 *
 * A barrier word holds the arrivals of live members in its lower part and the number of ended
 * members in its upper part. A task that ends subtracts its own arrivals, so that nobody waits for
 * it. The task that is first in number also removes the count of all members from the upper part;
 * so after the last task has ended the word is zero again, as the next launch requires.
 *
 * Many tasks polling one word are slow. A large set is divided into groups: whoever completes the
 * arrivals of a group publishes that to all groups, and everyone polls the word of its own group.
 */
#ifndef BANG_BARRIER_H_
#define BANG_BARRIER_H_

#include "bang/engine.h"

namespace bang_impl {

typedef unsigned long long BarrierWord;
enum { one_group = 64, max_groups = warp_lanes, ended_shift = 40 };

/* Barrier of all threads of a hardware cluster. */
BANG_INLINE void hardware_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

/* ---- a word ---- */

/* Makes earlier writes visible to whoever sees the next one. */
BANG_INLINE void release_fence() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
BANG_INLINE void add_to(BarrierWord *word, BarrierWord value) {
  asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
BANG_INLINE BarrierWord add_and_see(BarrierWord *word, BarrierWord value) {
  BarrierWord before;
  asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
               : "=l"(before)
               : "l"(word), "l"(value)
               : "memory");
  return before + value;
}
BANG_INLINE BarrierWord look_at(const BarrierWord *word) {
  BarrierWord value;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

/* Arrivals in excess of the live members at this barrier: negative until all have arrived, zero
 * when the last one has just arrived. */
BANG_INLINE long long surplus(BarrierWord word, unsigned members, unsigned generation) {
  int ended = (int)((long long)word >> ended_shift);
  if (ended < 0) ended += (int)members;
  const BarrierWord arrivals = word & (((BarrierWord)1 << ended_shift) - 1);
  return (long long)(arrivals - (BarrierWord)generation * (members - (unsigned)ended));
}

/* What a member adds to the word when it ends. */
BANG_INLINE BarrierWord leaving(bool is_first, unsigned members, unsigned arrivals) {
  const long long ended = is_first ? 1 - (long long)members : 1;
  return ((BarrierWord)ended << ended_shift) - arrivals;
}

BANG_INLINE void wait_at(const BarrierWord *word, unsigned members, unsigned generation) {
  while (surplus(look_at(word), members, generation) < 0) {
  }
}

/* ---- sets ---- */

/* The tasks that meet, and this task's position among them. */
struct BarrierSet {
  BarrierWord *words; /* words of the set, one per cache line */
  unsigned members, member;
  bool is_member;

  BANG_MEMBER unsigned group_size() const { return (members + max_groups - 1) / max_groups; }
};

/* Words that tasks poll have cache lines of their own. */
enum { words_per_line = BANG_SM90_BARRIER_LINE_WORDS };

BANG_INLINE BarrierSet barrier_set(int which) {
  const unsigned per_cluster = control.frame.blocks_per_cluster;
  const bool in_cluster = which == BANG_BARRIER_CLUSTER || which == BANG_BARRIER_CLUSTER_IPU;
  const bool is_cores_only = which == BANG_BARRIER_CLUSTER_IPU || which == BANG_BARRIER_ALL_IPU;
  const unsigned clusters = in_cluster ? 1 : control.frame.union_clusters;
  const unsigned blocks = per_cluster * clusters;
  const unsigned block = blockIdx.x % blocks;
  BarrierSet set;
  set.words = control.frame.union_barrier +
              ((size_t)which * gridDim.x + (blockIdx.x - block)) * words_per_line;
  set.members = blocks;
  set.member = block;
  set.is_member = which != BANG_BARRIER_ALL_MPU;
  if (per_cluster != BANG_SM90_CORES_PER_CLUSTER) { /* the last block is a memory core */
    const unsigned cluster = block / per_cluster, core = block % per_cluster;
    const bool is_memory_core = core == BANG_SM90_CORES_PER_CLUSTER;
    if (is_cores_only) {
      set.members = BANG_SM90_CORES_PER_CLUSTER * clusters;
      set.member = BANG_SM90_CORES_PER_CLUSTER * cluster + core;
      set.is_member = !is_memory_core;
    } else if (which == BANG_BARRIER_ALL_MPU) {
      set.members = clusters;
      set.member = cluster;
      set.is_member = is_memory_core;
    }
  }
  return set;
}

/* A group of a large set: its members count arrivals in one word and poll another. */
struct BarrierGroup {
  unsigned number, count; /* index of this group, number of groups */
  unsigned members, member;
  BarrierWord *counted, *published; /* group i's words are i lines after group 0's */

  BANG_MEMBER explicit BarrierGroup(const BarrierSet &set) {
    const unsigned size = set.group_size();
    number = set.member / size;
    count = (set.members + size - 1) / size;
    member = set.member % size;
    members = number + 1 == count ? set.members - number * size : size;
    counted = set.words + number * words_per_line;
    published = set.words + max_groups * words_per_line;
  }
};

BANG_INLINE void memory_barrier(const BarrierSet &set, unsigned generation) {
  release_fence();
  if (set.members <= one_group) {
    if (lane_id() == 0) add_to(set.words, 1);
    wait_at(set.words, set.members, generation);
    return;
  }
  const BarrierGroup group(set);
  bool is_last = false;
  if (lane_id() == 0) {
    is_last = surplus(add_and_see(group.counted, 1), group.members, generation) == 0;
  }
  if (__any_sync(all_lanes, is_last)) {
    release_fence();
    if (lane_id() < group.count) add_to(group.published + lane_id() * words_per_line, 1);
  }
  wait_at(group.published + group.number * words_per_line, group.count, generation);
}

BANG_CALLED void meet_in_memory(int which) {
  const BarrierSet set = barrier_set(which);
  const unsigned generation = control.barrier_generation[which] + 1;
  __syncwarp();
  if (lane_id() == 0) control.barrier_generation[which] = generation;
  if (set.is_member) memory_barrier(set, generation);
  __syncwarp();
}

/* Removes this task from the barriers of one kind. */
BANG_INLINE void leave_set(int which, const BarrierSet &set, unsigned arrivals) {
  if (set.members <= one_group) {
    const BarrierWord change = leaving(set.member == 0, set.members, arrivals);
    if (which != BANG_BARRIER_CLUSTER || !has_cluster_copies()) {
      add_to(set.words, change);
    } else if (add_and_see(set.words, change) == 0) {
      forget_cluster_copies();
    }
    return;
  }
  const BarrierGroup group(set);
  const BarrierWord left =
      add_and_see(group.counted, leaving(group.member == 0, group.members, arrivals));
  BarrierWord change;
  if (left == 0) { /* the whole group has ended */
    change = leaving(group.number == 0, group.count, arrivals);
  } else if (surplus(left, group.members, arrivals + 1) == 0) { /* only this task was missing */
    change = 1;
  } else {
    return;
  }
  release_fence();
  for (unsigned i = 0; i < group.count; ++i) add_to(group.published + i * words_per_line, change);
}

BANG_INLINE void leave_barriers() {
  if (control.frame.union_clusters == 0 || !control.frame.union_barrier) return;
  release_fence();
  __syncwarp();
  if (lane_id() < BANG_SM90_BARRIER_KINDS) {
    const BarrierSet set = barrier_set(lane_id());
    if (set.is_member) leave_set(lane_id(), set, control.barrier_generation[lane_id()]);
  }
}

}  // namespace bang_impl

/* Completes this core's copies, then waits for the live cores of the set. */
BANG_INLINE void __bang_barrier(bangBarrier which, const char *, int) {
  bang_impl::sync_copies();
  if (bang_impl::control.frame.union_clusters == 0) return; /* a set of one */
  const bool is_whole = which == BANG_BARRIER_ALL || which == BANG_BARRIER_ALL_IPU;
  const bool is_hardware = is_whole && bang_impl::control.frame.is_hardware_union;
  if (bang_impl::control.frame.union_barrier && !is_hardware) {
    bang_impl::meet_in_memory(which);
  } else {
    __threadfence();
    bang_impl::hardware_barrier();
  }
}

/* Translates an address in this cluster's shared RAM to the same place in another cluster of the
 * union. */
BANG_INLINE void *__bang_sram_of_cluster(void *address, int cluster) {
  if (cluster < 0 || cluster >= clusterDim) {
    bang_impl::fault(bang_impl::fault_illegal_operand,
                     "a copy to the shared RAM of a cluster that the task does not have");
  }
  return (char *)address +
         (cluster - clusterId) * (ptrdiff_t)bang_impl::control.frame.cluster_scratch_stride;
}

#endif /* BANG_BARRIER_H_ */
