/* SPDX-License-Identifier: MIT
 *
 * Waiting for the pipes of this core, barriers between cores, and locks. A barrier passes on the
 * caller's file and line for the deadlock report.
 */
#ifndef BANG_SYNC_H_
#define BANG_SYNC_H_

#include "bang/inline.h"

#include "bang/builtin.h"
#include "bang/vector_api.h"

#define BANG_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

BANG_INLINE void __sync() {
  __bang_sync_pipes(BANG_PIPE_ALL);
}
BANG_INLINE void __sync_io() {
  __bang_sync_pipes(BANG_PIPE_IO);
}
BANG_INLINE void __sync_move() {
  __bang_sync_pipes(BANG_PIPE_MOVE);
}
BANG_INLINE void __sync_compute() {
  __bang_sync_pipes(BANG_PIPE_COMPUTE);
}
BANG_INLINE void __sync_io_move() {
  __bang_sync_pipes(BANG_PIPE_IO | BANG_PIPE_MOVE);
}
BANG_INLINE void __sync_io_compute() {
  __bang_sync_pipes(BANG_PIPE_IO | BANG_PIPE_COMPUTE);
}
BANG_INLINE void __sync_move_compute() {
  __bang_sync_pipes(BANG_PIPE_MOVE | BANG_PIPE_COMPUTE);
}
BANG_INLINE void __sync_io_move_compute() {
  __bang_sync_pipes(BANG_PIPE_ALL);
}
/* Later work on the blocked pipes must wait for earlier work on the others. Completing the earlier
 * work now is equivalent for every correct kernel; if no pipe is blocked, nothing has to wait. */
BANG_INLINE void __sync_io_move_compute(bool wait_io, bool wait_move, bool wait_compute,
                                        bool block_io, bool block_move, bool block_compute) {
  if (block_io || block_move || block_compute) {
    __bang_sync_pipes((wait_io ? BANG_PIPE_IO : 0) | (wait_move ? BANG_PIPE_MOVE : 0) |
                      (wait_compute ? BANG_PIPE_COMPUTE : 0));
  }
}
BANG_INLINE void __mlvm_sync() {
  __bang_sync_pipes(BANG_PIPE_ALL);
}

BANG_INLINE void __sync_copy_nram_to_nram() {
  __bang_sync_pipes(BANG_PIPE_MOVE);
}
BANG_INLINE void __sync_copy_nram_to_dram() {
  __bang_sync_pipes(BANG_PIPE_IO);
}
BANG_INLINE void __sync_copy_dram_to_nram() {
  __bang_sync_pipes(BANG_PIPE_IO);
}
BANG_INLINE void __sync_copy_wram_to_dram() {
  __bang_sync_pipes(BANG_PIPE_IO);
}
BANG_INLINE void __sync_copy_dram_to_wram() {
  __bang_sync_pipes(BANG_PIPE_IO);
}
BANG_INLINE void __sync_copy_sram_to_dram() {
  __bang_sync_pipes(BANG_PIPE_IO);
}
BANG_INLINE void __sync_copy_dram_to_sram() {
  __bang_sync_pipes(BANG_PIPE_IO);
}
BANG_INLINE void __sync_copy_nram_to_sram() {
  __bang_sync_pipes(BANG_PIPE_MOVE);
}
BANG_INLINE void __sync_copy_sram_to_nram() {
  __bang_sync_pipes(BANG_PIPE_MOVE);
}
BANG_INLINE void __sync_copy_wram_to_sram() {
  __bang_sync_pipes(BANG_PIPE_MOVE);
}
BANG_INLINE void __sync_copy_sram_to_wram() {
  __bang_sync_pipes(BANG_PIPE_MOVE);
}

BANG_INLINE void __sync_cluster(BANG_HERE) {
  __bang_barrier(BANG_BARRIER_CLUSTER, file, line);
}
BANG_INLINE void __sync_all(BANG_HERE) {
  __bang_barrier(BANG_BARRIER_ALL, file, line);
}
/* A barrier of one kind of core does nothing on the other kind. */
BANG_INLINE void __sync_all_ipu(BANG_HERE) {
  if (__is_ipu()) {
    __bang_barrier(BANG_BARRIER_ALL_IPU, file, line);
  }
}
BANG_INLINE void __sync_all_ipu_within_cluster(BANG_HERE) {
  if (__is_ipu()) {
    __bang_barrier(BANG_BARRIER_CLUSTER_IPU, file, line);
  }
}
BANG_INLINE void __sync_all_mpu(BANG_HERE) {
  if (__is_mpu()) {
    __bang_barrier(BANG_BARRIER_ALL_MPU, file, line);
  }
}
BANG_INLINE void __sync_copy_sram_to_sram(BANG_HERE) {
  __bang_sync_pipes(BANG_PIPE_MOVE);
  __sync_all(file, line);
}

#undef BANG_HERE

/* A lock, identified by its first number; the second is the same lock for the other pipe. */
BANG_INLINE void __bang_lock(int id0, int id1) {
  (void)id1;
  __bang_vec_lock(id0);
}
BANG_INLINE void __bang_unlock(int id0, int id1) {
  (void)id1;
  __bang_vec_unlock(id0);
}

#endif /* BANG_SYNC_H_ */
