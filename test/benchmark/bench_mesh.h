/* SPDX-License-Identifier: MIT
 *
 * The shape of an all_to_all benchmark run, from the command line. */
#ifndef TEST_BENCHMARK_BENCH_MESH_H_
#define TEST_BENCHMARK_BENCH_MESH_H_

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "mesh_rank.h"

typedef struct BenchMesh {
  int rows, cols, axis, batch, sequence, top_k, experts, hidden, local_reduce, rounds;
} BenchMesh;

/* The prefill of DeepSeek-V3 on eight devices, with a quarter of its sequence length. */
static inline BenchMesh bench_mesh_default(void) {
  return (BenchMesh){2, 4, 1, 32, 32, 8, 32, 7168, 0, 11};
}

/* Returns 0 after printing the usage if the command line is wrong. */
static inline int bench_mesh_parse(int argc, char **argv, BenchMesh *mesh) {
  const BenchOption options[] = {{"rows", &mesh->rows, 1},
                                 {"cols", &mesh->cols, 1},
                                 {"axis", &mesh->axis, 0},
                                 {"batch", &mesh->batch, 1},
                                 {"sequence", &mesh->sequence, 1},
                                 {"top_k", &mesh->top_k, 1},
                                 {"experts", &mesh->experts, 1},
                                 {"hidden", &mesh->hidden, 1},
                                 {"local_reduce", &mesh->local_reduce, 0},
                                 {"rounds", &mesh->rounds, 1}};
  return bench_parse(argc, argv, options, sizeof options / sizeof options[0], "");
}

static inline MeshShape bench_mesh_shape(const BenchMesh *mesh) {
  return (MeshShape){.rows = mesh->rows,
                     .cols = mesh->cols,
                     .axis = mesh->axis,
                     .shard_dim = 1,
                     .local_reduce = mesh->local_reduce != 0,
                     .batch = mesh->batch,
                     .sequence = mesh->sequence,
                     .top_k = mesh->top_k,
                     .experts = mesh->experts,
                     .hidden = mesh->hidden,
                     .dtype = MLUOP_DTYPE_BFLOAT16,
                     .id_dtype = MLUOP_DTYPE_UINT16,
                     .map_dtype = MLUOP_DTYPE_UINT16};
}

/* The ranks of this process with their memory. */
typedef struct BenchRanks {
  RankThreads *threads;
  const MeshCase *mesh;
  MeshRank *memory; /* indexed from this process's first rank */
  int first;
} BenchRanks;

static inline MeshRank *bench_rank_memory(const BenchRanks *ranks, const RankContext *rank) {
  return &ranks->memory[rank->rank - ranks->first];
}

static inline int bench_rank_open(const RankContext *rank, void *arg) {
  const BenchRanks *ranks = arg;
  return mesh_rank_open(rank, ranks->mesh, bench_rank_memory(ranks, rank));
}

static inline int bench_rank_close(const RankContext *rank, void *arg) {
  mesh_rank_close(bench_rank_memory(arg, rank));
  return 0;
}

static inline int bench_rank_combine(const RankContext *rank, void *arg) {
  return mesh_rank_combine(rank, bench_rank_memory(arg, rank)) ||
         cnrtQueueSync(rank->queue) != cnrtSuccess;
}

static inline int bench_rank_dispatch(const RankContext *rank, void *arg) {
  return mesh_rank_dispatch(rank, bench_rank_memory(arg, rank)) ||
         cnrtQueueSync(rank->queue) != cnrtSuccess;
}

static inline int bench_rank_check(const RankContext *rank, void *arg) {
  const MeshRank *memory = bench_rank_memory(arg, rank);
  return !mesh_rank_has_combined(rank, memory) || !mesh_rank_has_dispatched(rank, memory);
}

static inline void bench_ranks_close(BenchRanks *ranks) {
  if (ranks->threads && ranks->memory) rank_threads_run(ranks->threads, bench_rank_close, ranks);
  rank_threads_destroy(ranks->threads);
  free(ranks->memory);
}

/* Returns 0 if the ranks are open and both operators give correct results. */
static inline int bench_ranks_open(BenchRanks *ranks, const MeshCase *mesh) {
  ranks->mesh = mesh;
  ranks->threads = rank_threads_create(mesh->shape.rows * mesh->shape.cols);
  if (!ranks->threads) return 1;
  ranks->first = rank_threads_first(ranks->threads);
  ranks->memory = calloc((size_t)rank_threads_count(ranks->threads), sizeof *ranks->memory);
  return !ranks->memory || rank_threads_run(ranks->threads, bench_rank_open, ranks) ||
         rank_threads_run(ranks->threads, bench_rank_dispatch, ranks) ||
         rank_threads_run(ranks->threads, bench_rank_combine, ranks) ||
         rank_threads_run(ranks->threads, bench_rank_check, ranks);
}

#endif /* TEST_BENCHMARK_BENCH_MESH_H_ */
