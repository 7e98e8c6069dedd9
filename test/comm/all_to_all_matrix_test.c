/* SPDX-License-Identifier: MIT
 *
 * all_to_all_combine and all_to_all_dispatch give the reference's bits on every mesh, mode, mapping
 * and kind of ids, in repeated calls on the same memory. Runs in one process with a thread per
 * rank, and under mpirun with the ranks spread over the processes. */
#include <stdio.h>
#include <string.h>

#include "mesh_rank.h"

typedef struct Mesh {
  int rows, cols, axis;
} Mesh;

enum { ROUNDS = 3 };

/* Same shape, other values. */
typedef struct Rounds {
  MeshCase *round[ROUNDS];
} Rounds;

static int run_rank(const RankContext *rank, void *arg) {
  const Rounds *rounds = arg;
  MeshRank memory;
  int failed = mesh_rank_open(rank, rounds->round[0], &memory);
  for (int i = 0; !failed && i < ROUNDS; ++i) {
    failed = mesh_rank_load(rank, &memory, rounds->round[i]) || mesh_rank_poison(&memory) ||
             mesh_rank_dispatch(rank, &memory) || mesh_rank_combine(rank, &memory) ||
             cnrtQueueSync(rank->queue) != cnrtSuccess || !mesh_rank_has_combined(rank, &memory) ||
             !mesh_rank_has_dispatched(rank, &memory);
    /* The next round overwrites the inputs; that is safe, since other ranks have read them when the
     * queue is done. */
  }
  mesh_rank_close(&memory);
  return failed;
}

static int run_shape(RankThreads *threads, const MeshShape *shape, unsigned seed) {
  Rounds rounds;
  for (int i = 0; i < ROUNDS; ++i) {
    MeshShape other = *shape;
    other.ids = i == 1 ? IDS_OUT_OF_RANGE : shape->ids;
    rounds.round[i] = mesh_case_create(&other, seed + (unsigned)i);
  }
  const int failed = rank_threads_run(threads, run_rank, &rounds);
  if (failed) {
    char text[256];
    mesh_case_describe(rounds.round[0], text, sizeof text);
    fprintf(stderr, "FAILED: %s\n", text);
  }
  for (int i = 0; i < ROUNDS; ++i) mesh_case_free(rounds.round[i]);
  return failed != 0;
}

/* Every mode on a mesh, with alternating types and hidden sizes. */
static int run_mesh(const Mesh *mesh, int *ran) {
  static const mluOpDataType_t dtypes[] = {MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT,
                                           MLUOP_DTYPE_HALF};
  static const mluOpDataType_t integers[] = {MLUOP_DTYPE_UINT16, MLUOP_DTYPE_INT32};
  static const int64_t hiddens[] = {64, 1, 1025, 8200, 3};
  const int ranks = mesh->rows * mesh->cols, group = mesh->axis == 0 ? mesh->rows : mesh->cols;
  if (ranks % rank_threads_processes() != 0) return 0;
  RankThreads *threads = rank_threads_create(ranks);
  if (!threads) return 1;
  int failures = 0, index = 0;
  for (int mode = 0; mode < 32; ++mode) {
    const MeshShape shape = {.rows = mesh->rows,
                             .cols = mesh->cols,
                             .axis = mesh->axis,
                             .shard_dim = mode & 1 ? 2 : 1,
                             .local_reduce = mode & 2,
                             .mapping = mode & 4 ? MAPPING_RANDOM : MAPPING_SEQUENTIAL,
                             .ids = (MeshIds)(mode >> 3),
                             .batch = mode & 1 ? 1 + index % 3 : group * (1 + index % 2),
                             .sequence = mode & 1 ? group * (1 + index % 3) : 1 + index % 4,
                             .top_k = 1 + index % 8,
                             .experts = (int64_t)ranks * (1 + index % 5),
                             .hidden = hiddens[index % 5],
                             .dtype = dtypes[index % 3],
                             .id_dtype = integers[index % 2],
                             .map_dtype = integers[index / 2 % 2]};
    failures += run_shape(threads, &shape, 1000u * (unsigned)mode + (unsigned)ranks);
    ++*ran;
    ++index;
  }
  rank_threads_destroy(threads);
  return failures;
}

/* Empty tensors: nothing is written, and the ranks stay in step. */
static int run_empty_rank(const RankContext *rank, void *mesh) {
  MeshRank memory;
  const int failed = mesh_rank_open(rank, mesh, &memory) || mesh_rank_dispatch(rank, &memory) ||
                     mesh_rank_combine(rank, &memory) ||
                     cnrtQueueSync(rank->queue) != cnrtSuccess || !mesh_rank_is_untouched(&memory);
  mesh_rank_close(&memory);
  return failed;
}

static int run_empty(int *ran) {
  MeshShape shapes[] = {mesh_small_shape, mesh_small_shape, mesh_small_shape, mesh_small_shape};
  shapes[0].hidden = 0;
  shapes[1].batch = 0;
  shapes[2].sequence = 0;
  shapes[3].top_k = 0;
  const int ranks = mesh_small_shape.rows * mesh_small_shape.cols;
  if (ranks % rank_threads_processes() != 0) return 0;
  RankThreads *threads = rank_threads_create(ranks);
  if (!threads) return 1;
  int failures = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
    MeshCase *empty = mesh_case_create(&shapes[i], 1);
    char text[256];
    mesh_case_describe(empty, text, sizeof text);
    if (rank_threads_run(threads, run_empty_rank, empty)) {
      fprintf(stderr, "FAILED: %s\n", text);
      ++failures;
    }
    mesh_case_free(empty);
    failures += run_shape(threads, &mesh_small_shape, 1);
    ++*ran;
  }
  rank_threads_destroy(threads);
  return failures;
}

int main(void) {
  static const Mesh meshes[] = {{2, 4, 0}, {2, 4, 1}, {1, 8, 1}, {8, 1, 0},
                                {1, 4, 1}, {2, 2, 1}, {1, 2, 1}, {1, 1, 0}};
  int failures = 0, ran = 0;
  for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; ++i)
    failures += run_mesh(&meshes[i], &ran);
  failures += run_empty(&ran);
  printf("%d shapes, %d rounds each, %d failed\n", ran, (int)ROUNDS, failures);
  puts(failures || ran == 0 ? "FAIL" : "PASS");
  return failures || ran == 0;
}
