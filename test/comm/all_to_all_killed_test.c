/* SPDX-License-Identifier: MIT
 *
 * Under mpirun: the last process dies during a call. The job must end with an error; a process that
 * reaches the end reports that. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "mesh_rank.h"

enum { RANKS = 8, CALLS = 100, FATAL_CALL = 5 };

static const MeshShape shape = {.rows = 1,
                                .cols = 8,
                                .axis = 1,
                                .shard_dim = 1,
                                .batch = 8,
                                .sequence = 8,
                                .top_k = 4,
                                .experts = 16,
                                .hidden = 512,
                                .dtype = MLUOP_DTYPE_FLOAT,
                                .id_dtype = MLUOP_DTYPE_INT32,
                                .map_dtype = MLUOP_DTYPE_INT32};

static int run_rank(const RankContext *rank, void *arg) {
  MeshRank memory;
  int failed = mesh_rank_open(rank, arg, &memory);
  for (int i = 0; !failed && i < CALLS; ++i) {
    if (i == FATAL_CALL && rank->rank == RANKS - 1) {
      puts("the last rank dies");
      fflush(stdout);
      raise(SIGKILL);
    }
    failed = mesh_rank_combine(rank, &memory) != 0 || cnrtQueueSync(rank->queue) != cnrtSuccess;
  }
  mesh_rank_close(&memory);
  return failed;
}

int main(void) {
  MeshCase *mesh = mesh_case_create(&shape, 4);
  RankThreads *threads = rank_threads_create(RANKS);
  const int failed = !threads || rank_threads_run(threads, run_rank, mesh);
  rank_threads_destroy(threads);
  mesh_case_free(mesh);
  if (!failed) puts("reached the end");
  return failed;
}
