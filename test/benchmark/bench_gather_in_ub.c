/* SPDX-License-Identifier: MIT
 *
 * gather_in_ub and its batched form at the shapes of sparse attention, compared with a plain loop
 * on all cores and the machine's copy rate in one interleaved run. Exits with 1 if a result differs
 * from the reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_library.h"
#include "gather_in_ub_ref.h"

typedef struct Options {
  int queries, k, row_bytes, block_size, blocks, sequential, rounds;
} Options;

static int parse_options(int argc, char **argv, Options *o) {
  const BenchOption options[] = {{"queries", &o->queries, 1},     {"k", &o->k, 1},
                                 {"row_bytes", &o->row_bytes, 1}, {"block_size", &o->block_size, 1},
                                 {"blocks", &o->blocks, 1},       {"sequential", &o->sequential, 0},
                                 {"rounds", &o->rounds, 1}};
  return bench_parse(argc, argv, options, sizeof options / sizeof options[0],
                     "all but sequential positive; blocks is the length of a block table\n");
}

/* ---- contenders */

typedef struct OurCall {
  BenchLibrary *library;
  mluOpTensorDescriptor_t param_desc, indices_desc, table_desc, output_desc;
  const GatherInUbCall *call; /* device memory; all queries in a row, one request */
  int queries;
} OurCall;

static void run_ours(void *arg) {
  OurCall *our = arg;
  const GatherInUbCall *c = our->call;
  int block_size = (int)c->tables.block_size;
  mluOpStatus_t status =
      our->queries == 1
          ? mluOpGatherInUb(our->library->handle, our->param_desc, c->param, our->indices_desc,
                            c->indices, our->table_desc, c->tables.block_table, block_size, -2,
                            our->output_desc, c->output)
          : mluOpGatherInUbBatched(our->library->handle, our->param_desc, c->param,
                                   our->indices_desc, c->indices, our->table_desc,
                                   c->tables.block_table, NULL, NULL, NULL, NULL, block_size, -2,
                                   our->output_desc, c->output);
  bench_library_finish(our->library, status);
}

static void reference_part(int index, int threads, void *arg) {
  GatherInUbCall part = *(const GatherInUbCall *)arg;
  int64_t begin, end;
  bench_range(part.k, index, threads, &begin, &end);
  part.indices += begin;
  part.k = end - begin;
  part.output = (char *)part.output + begin * part.row_bytes;
  gather_in_ub_ref(&part);
}

static void run_reference(void *arg) {
  bench_parallel(reference_part, arg);
}

/* ---- set-up */

/* A table with every physical block once and random ids; or an unshuffled table and ids in order.
 */
static void make_ids(int32_t *table, int32_t *indices, const Options *o) {
  uint64_t state = 20251206;
  int64_t tokens = (int64_t)o->blocks * o->block_size, count = (int64_t)o->queries * o->k;
  for (int i = 0; i < o->blocks; ++i) table[i] = i;
  for (int i = o->blocks - 1; i > 0 && !o->sequential; --i) {
    int other = (int)(bench_random(&state) % (uint64_t)(i + 1));
    int32_t block = table[i];
    table[i] = table[other];
    table[other] = block;
  }
  for (int64_t i = 0; i < count; ++i)
    indices[i] =
        (int32_t)(o->sequential ? i % tokens : (int64_t)(bench_random(&state) % (uint64_t)tokens));
}

static void report_line(const char *name, BenchTime t, double bytes, double copy_us) {
  printf("  %-30s %10.1f us  [%10.1f .. %10.1f]  %6.2f GB/s  %5.2f of the copy rate\n", name,
         t.median_us, t.p10_us, t.p90_us, bytes / t.median_us * 1e-3, copy_us / t.median_us);
}

int main(int argc, char **argv) {
  Options o = {128, 2048, 1152, 128, 1024, 0, 21};
  if (!parse_options(argc, argv, &o)) return 2;
  size_t rows = (size_t)o.queries * (size_t)o.k, tokens = (size_t)o.blocks * (size_t)o.block_size;
  size_t output_bytes = rows * (size_t)o.row_bytes, param_bytes = tokens * (size_t)o.row_bytes;

  BenchLibrary library;
  bench_library_open(&library);
  int32_t *table = bench_alloc((size_t)o.blocks * sizeof *table),
          *indices = bench_alloc(rows * sizeof *indices);
  uint32_t *param = bench_alloc(param_bytes + sizeof *param);
  for (size_t i = 0; i < param_bytes / sizeof *param; ++i) param[i] = (uint32_t)i * 2654435761u;
  make_ids(table, indices, &o);
  GatherInUbCall host_call = {.tables = {table, 1, o.blocks, o.block_size, (int64_t)tokens},
                              .indices = indices,
                              .k = (int64_t)rows,
                              .row_bytes = o.row_bytes,
                              .param = param,
                              .output = bench_alloc(output_bytes)};
  GatherInUbCall device_call = host_call;
  device_call.tables.block_table =
      bench_to_device(&library, table, (size_t)o.blocks * sizeof *table);
  device_call.indices = bench_to_device(&library, indices, rows * sizeof *indices);
  device_call.param = bench_to_device(&library, param, param_bytes);
  device_call.output = bench_device_alloc(&library, output_bytes);
  cnrtMemset(device_call.output, 1, output_bytes);
  const int64_t param_dims[2] = {(int64_t)tokens, o.row_bytes}, table_dims[2] = {1, o.blocks};
  const int64_t output_dims[3] = {o.queries, o.k, o.row_bytes}, single = o.queries == 1;
  OurCall our = {.library = &library,
                 .param_desc = bench_describe(&library, MLUOP_DTYPE_UINT8, 2, param_dims),
                 .indices_desc = bench_describe(&library, MLUOP_DTYPE_INT32, 2, output_dims),
                 .table_desc = bench_describe(&library, MLUOP_DTYPE_INT32, 2, table_dims),
                 .output_desc = bench_describe(&library, MLUOP_DTYPE_UINT8, single ? 2 : 3,
                                               output_dims + single),
                 .call = &device_call,
                 .queries = o.queries};

  run_reference(&host_call);
  run_ours(&our);
  void *result = bench_alloc(output_bytes);
  cnrtMemcpy(result, device_call.output, output_bytes, cnrtMemcpyDevToHost);
  int same =
      library.status == MLUOP_STATUS_SUCCESS && memcmp(result, host_call.output, output_bytes) == 0;
  free(result);

  /* The copies move the same number of bytes. */
  BenchCopy copy = {bench_alloc(output_bytes), bench_alloc(output_bytes), output_bytes};
  BenchContender contenders[] = {{"gather", run_ours, &our},
                                 {"plain loop, all cores", run_reference, &host_call},
                                 {"copy: memcpy", bench_copy_memcpy, &copy},
                                 {"copy: streaming stores", bench_copy_streaming, &copy}};
  enum { OURS, LOOP, COPY_MEMCPY, COPY_STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 3, o.rounds, times);

  double bytes = (double)gather_in_ub_theory_bytes(&host_call);
  double copy_us = times[COPY_MEMCPY].median_us < times[COPY_STREAMING].median_us
                       ? times[COPY_MEMCPY].median_us
                       : times[COPY_STREAMING].median_us;
  printf(
      "%d x %d rows of %d bytes, %d blocks of %d, %s ids, %d threads; %.1f MB must move; %d "
      "rounds\n",
      o.queries, o.k, o.row_bytes, o.blocks, o.block_size, o.sequential ? "sequential" : "random",
      bench_threads(), bytes * 1e-6, o.rounds);
  for (int i = 0; i < COUNT; ++i) report_line(contenders[i].name, times[i], bytes, copy_us);
  printf("  against the plain loop %.2fx; result %s\n",
         times[LOOP].median_us / times[OURS].median_us,
         same ? "matches the reference" : "DIFFERS from the reference");

  void *host_blocks[] = {table, indices, param, host_call.output, copy.dst, (void *)copy.src};
  for (size_t i = 0; i < sizeof host_blocks / sizeof host_blocks[0]; ++i) free(host_blocks[i]);
  bench_library_close(&library);
  return same ? 0 : 1;
}
