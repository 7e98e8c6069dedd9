// SPDX-License-Identifier: MIT
#include "kernels.h"

namespace {

__device__ unsigned clusterBlocks() {
  unsigned x;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(x));
  return x;
}

__device__ unsigned taskOf(const bangSm90Frame &frame) {
  return frame.first_block + blockIdx.x;
}

__device__ BlockRecord see(const bangSm90Frame &frame) {
  return {taskOf(frame), clusterBlocks(), blockDim.x, frame.union_clusters, 0, 0};
}

__global__ void record(bangSm90Frame frame, BlockRecord *records) {
  if (threadIdx.x == 0) records[taskOf(frame)] = see(frame);
}

__global__ void onchip(bangSm90Frame frame, BlockRecord *records) {
  extern __shared__ unsigned words[];
  for (unsigned i = threadIdx.x; i < ONCHIP_WORDS; i += blockDim.x) words[i] = i ^ blockIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  BlockRecord result = see(frame);
  for (unsigned i = 0; i < ONCHIP_WORDS; ++i) result.sum += words[i];
  records[taskOf(frame)] = result;
}

// Every block and every cluster fills its memory with its number; overlapping memory would show
// another number.
__global__ void scratch(bangSm90Frame frame, BlockRecord *records) {
  unsigned *own = (unsigned *)(frame.task_scratch + blockIdx.x * frame.task_scratch_stride);
  const unsigned cluster = blockIdx.x / frame.blocks_per_cluster;
  unsigned *shared = (unsigned *)(frame.cluster_scratch + cluster * frame.cluster_scratch_stride);
  const unsigned words = TASK_SCRATCH_BYTES / 4, shared_words = CLUSTER_SCRATCH_BYTES / 4;
  for (unsigned i = threadIdx.x; i < words; i += 1024 * blockDim.x) own[i] = taskOf(frame);
  if (threadIdx.x == 0) own[words - 1] = taskOf(frame);
  if (frame.union_clusters != 0) shared[shared_words - 1] = cluster;
  __syncthreads();
  if (threadIdx.x != 0) return;
  BlockRecord result = see(frame);
  result.sum = own[0] == taskOf(frame) && own[words - 1] == taskOf(frame) &&
               (frame.union_clusters == 0 || shared[shared_words - 1] == cluster);
  records[taskOf(frame)] = result;
}

__global__ void meet(bangSm90Frame frame, BlockRecord *records) {
  if (threadIdx.x != 0) return;
  const unsigned blocks = frame.union_clusters * frame.blocks_per_cluster;
  BlockRecord result = see(frame);
  if (frame.union_barrier != nullptr) {
    // The first word of the union's first block counts arrivals, the next one counts blocks that
    // have seen all of them. Both must be zero again at the end.
    unsigned long long *counter = frame.union_barrier + blockIdx.x / blocks * blocks * 5 * 16;
    atomicAdd(counter, 1ULL);
    while (*(volatile unsigned long long *)counter < blocks) {
    }
    result.met = (unsigned)*(volatile unsigned long long *)counter;
    if (atomicAdd(counter + 1, 1ULL) == blocks - 1) counter[0] = counter[1] = 0;
  } else {
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    result.met = clusterBlocks();
  }
  records[taskOf(frame)] = result;
}

__global__ void spin(bangSm90Frame, unsigned long long nanoseconds) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
}

__global__ void fault(bangSm90Frame frame, unsigned code) {
  *frame.fault = code;
  __threadfence_system();
  __trap();
}

__global__ void store(bangSm90Frame, int *address) {
  *address = 1;
}

template <class Arg>
struct ArgBytes {
  static constexpr size_t list[] = {sizeof(Arg), 0};
};

template <class Arg>
constexpr const size_t *argBytes(void (*)(bangSm90Frame, Arg)) {
  return ArgBytes<Arg>::list;
}

}  // namespace

#define KERNEL(function, threads, cluster, onchip, task_scratch, cluster_scratch)        \
  {                                                                                      \
    (const void *)function, #function, threads, cluster, onchip, task_scratch,           \
        cluster_scratch, argBytes(function)                                              \
  }

extern "C" const bangSm90Kernel kernel_record = KERNEL(record, 32, 4, 0, 0, 0);
extern "C" const bangSm90Kernel kernel_onchip = KERNEL(onchip, 32, 4, ONCHIP_WORDS * 4, 0, 0);
extern "C" const bangSm90Kernel kernel_onchip_too_much = KERNEL(onchip, 32, 4, 1 << 20, 0, 0);
extern "C" const bangSm90Kernel kernel_scratch =
    KERNEL(scratch, 32, 4, 0, TASK_SCRATCH_BYTES, CLUSTER_SCRATCH_BYTES);
extern "C" const bangSm90Kernel kernel_meet = KERNEL(meet, 32, 4, 40 * 1024, 0, 0);
extern "C" const bangSm90Kernel kernel_meet_memory_core = KERNEL(meet, 32, 5, 40 * 1024, 0, 0);
extern "C" const bangSm90Kernel kernel_spin = KERNEL(spin, 32, 4, 0, 0, 0);
extern "C" const bangSm90Kernel kernel_fault = KERNEL(fault, 1, 4, 0, 0, 0);
extern "C" const bangSm90Kernel kernel_store = KERNEL(store, 1, 4, 0, 0, 0);
