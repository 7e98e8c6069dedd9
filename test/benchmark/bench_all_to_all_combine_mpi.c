/* SPDX-License-Identifier: MIT
 *
 * Under mpirun, one rank per process: all_to_all_combine, compared in one interleaved run with
 * MPI_Alltoallv of the rows that must move, and with every process copying as many bytes as its
 * rank reads and writes. Exits with 1 if a result differs from the reference. */
#include <limits.h>
#include <mpi.h>
#include <string.h>

#include "bench_mesh.h"

typedef struct Combine {
  BenchRanks *ranks;
  int failed;
} Combine;

/* Barriers around both contenders, so that the time is that of the slowest process. */
static void run_combine(void *arg) {
  Combine *combine = arg;
  MPI_Barrier(MPI_COMM_WORLD);
  combine->failed |= rank_threads_run(combine->ranks->threads, bench_rank_combine, combine->ranks);
  MPI_Barrier(MPI_COMM_WORLD);
}

typedef struct Exchange {
  int *send_counts, *recv_counts, *send_offsets, *recv_offsets; /* bytes */
  char *sent, *received;
  long long bytes;
} Exchange;

static void run_exchange(void *arg) {
  Exchange *e = arg;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Alltoallv(e->sent, e->send_counts, e->send_offsets, MPI_BYTE, e->received, e->recv_counts,
                e->recv_offsets, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Half of the bytes that the rank moves are read, half written. Uses one thread, because the other
 * processes have their own. */
static void run_copy(void *arg) {
  BenchCopy *copy = arg;
  MPI_Barrier(MPI_COMM_WORLD);
  memcpy(copy->dst, copy->src, copy->bytes);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Rows that rank `from` sends to rank `to`, counted from the inputs of the operator's definition.
 */
static int64_t rows_between(const MeshCase *mesh, int from, int to) {
  AllToAllCombineCall only = mesh->combine;
  const MeshShape *s = &mesh->shape;
  const int64_t tokens = s->batch * s->sequence, group = all_to_all_combine_group(&only);
  const bool is_group =
      s->axis == 0 ? from % s->cols == to % s->cols : from / s->cols == to / s->cols;
  if (!is_group) return 0;
  const int64_t local = tokens / group, g = s->axis == 0 ? to / s->cols : to % s->cols;
  const uint16_t *ids = (const uint16_t *)only.metadata + from * tokens * s->top_k;
  const uint16_t *mapping = only.mapping;
  const int64_t ranks = (int64_t)s->rows * s->cols;
  int64_t rows = 0;
  for (int64_t t = g * local; t < (g + 1) * local; ++t) {
    int64_t here = 0;
    for (int64_t k = 0; k < s->top_k; ++k)
      here += mapping[ids[t * s->top_k + k] * ranks + from] == 1;
    rows += s->local_reduce && here > 1 ? 1 : here;
  }
  return rows;
}

static int make_exchange(const MeshCase *mesh, int rank, int ranks, Exchange *e) {
  int *numbers = calloc(4 * (size_t)ranks, sizeof *numbers);
  if (!numbers) return 1;
  *e =
      (Exchange){numbers, numbers + ranks, numbers + 2 * ranks, numbers + 3 * ranks, NULL, NULL, 0};
  int64_t sent = 0, received = 0;
  for (int peer = 0; peer < ranks; ++peer) {
    const int64_t out = rows_between(mesh, rank, peer) * mesh->combine.row_bytes;
    const int64_t in = rows_between(mesh, peer, rank) * mesh->combine.row_bytes;
    if (sent + out > INT_MAX || received + in > INT_MAX) return 1;
    e->send_counts[peer] = (int)out;
    e->recv_counts[peer] = (int)in;
    e->send_offsets[peer] = (int)sent;
    e->recv_offsets[peer] = (int)received;
    sent += out;
    received += in;
  }
  e->sent = bench_alloc((size_t)sent);
  e->received = bench_alloc((size_t)received);
  long long own = received;
  MPI_Allreduce(&own, &e->bytes, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return 0;
}

static int run_shape(const BenchMesh *options, const char *title, int rank, int ranks) {
  const MeshShape shape = bench_mesh_shape(options);
  MeshCase *mesh = mesh_case_create(&shape, 20251115);
  BenchRanks own = {0};
  Exchange exchange = {0};
  int failed = bench_ranks_open(&own, mesh) || make_exchange(mesh, rank, ranks, &exchange);
  if (!failed) {
    Combine combine = {&own, 0};
    const size_t half = (size_t)(all_to_all_combine_theory_bytes(&mesh->combine) / ranks / 2);
    BenchCopy copy = {bench_alloc(half), bench_alloc(half), half};
    const BenchContender contenders[] = {{"mluOpAllToAllCombine", run_combine, &combine},
                                         {"MPI_Alltoallv", run_exchange, &exchange},
                                         {"memcpy", run_copy, &copy}};
    enum { CONTENDERS = sizeof contenders / sizeof contenders[0] };
    BenchTime times[CONTENDERS];
    bench_interleaved(contenders, CONTENDERS, 2, options->rounds, times);
    free(copy.dst);
    free((void *)copy.src);
    failed = combine.failed || rank_threads_run(own.threads, bench_rank_check, &own);
    if (rank == 0) {
      char text[256];
      mesh_case_describe(mesh, text, sizeof text);
      printf("%s: %s, %d processes, median of %d rounds\n", title, text, ranks, options->rounds);
      for (int i = 0; i < CONTENDERS; ++i)
        printf("  %-24s %9.1f us  [%9.1f .. %9.1f]  %8.1f MB %s\n", contenders[i].name,
               times[i].median_us, times[i].p10_us, times[i].p90_us,
               (double)(i == 1 ? exchange.bytes : (long long)(2 * half) * ranks) * 1e-6,
               i == 1 ? "of rows" : "read and written");
      printf("  %.2f times MPI_Alltoallv, %.0f %% of the copy rate; results and reference: %s\n",
             times[0].median_us / times[1].median_us, 100 * times[2].median_us / times[0].median_us,
             failed ? "MISMATCH" : "match");
    }
  }
  free(exchange.send_counts);
  free(exchange.sent);
  free(exchange.received);
  bench_ranks_close(&own);
  mesh_case_free(mesh);
  return failed;
}

int main(int argc, char **argv) {
  BenchMesh options = bench_mesh_default();
  options.sequence = 8;
  int level = 0, rank = 0, ranks = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int failed = !bench_mesh_parse(argc, argv, &options);
  if (!failed && ranks != options.rows * options.cols) {
    fprintf(stderr, "wanted %d processes, one for each rank, got %d\n", options.rows * options.cols,
            ranks);
    failed = 1;
  }
  if (!failed) failed = run_shape(&options, "prefill", rank, ranks);
  options.sequence = 1;
  options.rounds *= 10;
  if (!failed) failed = run_shape(&options, "decode", rank, ranks);
  MPI_Finalize();
  return failed;
}
