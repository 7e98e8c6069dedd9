/* SPDX-License-Identifier: MIT
 *
 * all_to_all_combine and all_to_all_dispatch between the devices of one process at a network shape
 * (bfloat16), compared with the machine's copy rate in one interleaved run; then the latency of a
 * decode step. Exits with 1 if a result differs from the reference. */
#include "bench_mesh.h"

typedef struct Operator {
  BenchRanks *ranks;
  int (*body)(const RankContext *rank, void *arg);
  int failed;
} Operator;

static void run_operator(void *arg) {
  Operator *op = arg;
  op->failed |= rank_threads_run(op->ranks->threads, op->body, op->ranks);
}

static void report_line(const char *name, BenchTime t, double bytes, double copy_rate) {
  const double rate = bytes / t.median_us * 1e-3;
  printf("  %-24s %9.1f us  [%9.1f .. %9.1f]  %8.1f MB  %6.2f GB/s  %5.1f %% of the copy rate\n",
         name, t.median_us, t.p10_us, t.p90_us, bytes * 1e-6, rate, 100 * rate / copy_rate);
}

static int run_shape(const BenchMesh *options, const char *title) {
  const MeshShape shape = bench_mesh_shape(options);
  MeshCase *mesh = mesh_case_create(&shape, 20251115);
  BenchRanks ranks = {0};
  if (bench_ranks_open(&ranks, mesh)) {
    fprintf(stderr, "the ranks cannot be set up, or their results are wrong\n");
    bench_ranks_close(&ranks);
    mesh_case_free(mesh);
    return 1;
  }
  const double combine_bytes = (double)all_to_all_combine_theory_bytes(&mesh->combine);
  const double dispatch_bytes = (double)all_to_all_dispatch_theory_bytes(&mesh->dispatch);
  const size_t half = (size_t)combine_bytes / 2;
  BenchCopy copy = {bench_alloc(half), bench_alloc(half), half};
  Operator combine = {&ranks, bench_rank_combine, 0}, dispatch = {&ranks, bench_rank_dispatch, 0};
  const BenchContender contenders[] = {{"mluOpAllToAllCombine", run_operator, &combine},
                                       {"mluOpAllToAllDispatch", run_operator, &dispatch},
                                       {"copy: memcpy", bench_copy_memcpy, &copy},
                                       {"copy: streaming stores", bench_copy_streaming, &copy}};
  enum { COMBINE, DISPATCH, MEMCPY, STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 2, options->rounds, times);
  const int wrong = combine.failed || dispatch.failed ||
                    rank_threads_run(ranks.threads, bench_rank_check, &ranks);

  const double copy_rate = bench_copy_rate(combine_bytes, times[MEMCPY], times[STREAMING]);
  char text[256];
  mesh_case_describe(mesh, text, sizeof text);
  printf("%s: %s, %d threads, median [10 %% .. 90 %%] of %d rounds\n", title, text, bench_threads(),
         options->rounds);
  printf("  %lld of %lld rows move, the others are cleared\n",
         (long long)all_to_all_combine_moved_rows(&mesh->combine),
         (long long)(all_to_all_combine_rows(&mesh->combine) * shape.rows * shape.cols));
  for (int i = 0; i < COUNT; ++i)
    report_line(contenders[i].name, times[i], i == DISPATCH ? dispatch_bytes : combine_bytes,
                copy_rate);
  printf("  results and reference: %s\n", wrong ? "MISMATCH" : "match");
  free(copy.dst);
  free((void *)copy.src);
  bench_ranks_close(&ranks);
  mesh_case_free(mesh);
  return wrong;
}

int main(int argc, char **argv) {
  BenchMesh options = bench_mesh_default();
  if (!bench_mesh_parse(argc, argv, &options)) return 2;
  const int wrong = run_shape(&options, "prefill");
  options.sequence = 1;
  options.rounds *= 10;
  return run_shape(&options, "decode") || wrong;
}
