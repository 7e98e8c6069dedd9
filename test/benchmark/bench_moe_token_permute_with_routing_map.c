/* SPDX-License-Identifier: MIT
 *
 * moe_token_permute_with_routing_map at a network shape (bfloat16 tokens, float probs), compared in
 * one interleaved run with the machine's copy rate, a hand-written loop that only moves the rows,
 * and the operator with rows of one cache line, which shows the cost of the map. Exits with 1 if a
 * result differs from the reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_library.h"
#include "moe_token_permute_with_routing_map_ref.h"

typedef struct Options {
  int tokens, experts, top_k, hidden, capacity, rounds;
} Options;

static int parse_options(int argc, char **argv, Options *o) {
  const BenchOption options[] = {{"tokens", &o->tokens, 1},     {"experts", &o->experts, 1},
                                 {"top_k", &o->top_k, 1},       {"hidden", &o->hidden, 1},
                                 {"capacity", &o->capacity, 0}, {"rounds", &o->rounds, 1}};
  const char *note = "all numbers positive; with a capacity, drop and pad\n";
  if (!bench_parse(argc, argv, options, sizeof options / sizeof options[0], note)) return 0;
  if (o->top_k <= o->experts && o->capacity <= o->tokens) return 1;
  fprintf(stderr, "wanted top_k <= experts and capacity <= tokens\n");
  return 0;
}

/* ---- contenders ---- */

typedef struct OurCall {
  BenchLibrary *library;
  mluOpTensorDescriptor_t tokens_desc, map_desc, probs_desc, permuted_desc, row_probs_desc,
      indices_desc;
  const MoeTokenPermuteCall *call;
  void *workspace;
  size_t workspace_size;
} OurCall;

static void run_ours(void *arg) {
  OurCall *our = arg;
  const MoeTokenPermuteCall *c = our->call;
  mluOpStatus_t status = mluOpMoeTokenPermuteWithRoutingMap(
      our->library->handle, our->tokens_desc, c->tokens, our->map_desc, c->routing_map,
      our->probs_desc, c->probs, c->num_out_tokens, c->drop_and_pad, our->workspace,
      our->workspace_size, our->permuted_desc, c->permuted_tokens, our->row_probs_desc,
      c->permuted_probs, our->indices_desc, c->sorted_indices);
  bench_library_finish(our->library, status);
}

/* Only moves the rows; their targets are known beforehand. */
typedef struct RowLoop {
  const char *tokens;
  char *permuted;
  const int32_t *token_of_row;
  int64_t row_bytes, rows;
} RowLoop;

static void row_loop_part(int index, int threads, void *arg) {
  const RowLoop *loop = arg;
  int64_t begin, end;
  bench_range(loop->rows, index, threads, &begin, &end);
  for (int64_t row = begin; row < end; ++row)
    memcpy(loop->permuted + row * loop->row_bytes,
           loop->tokens + loop->token_of_row[row] * loop->row_bytes, (size_t)loop->row_bytes);
}

static void run_row_loop(void *arg) {
  bench_parallel(row_loop_part, arg);
}

/* ---- set-up ---- */

/* top_k distinct random experts per token. */
static void route(int8_t *map, const Options *o) {
  uint64_t state = 20251115;
  memset(map, 0, (size_t)o->tokens * (size_t)o->experts);
  for (int t = 0; t < o->tokens; ++t) {
    int8_t *row = map + (size_t)t * (size_t)o->experts;
    for (int k = 0; k < o->top_k;) {
      int e = (int)(bench_random(&state) % (uint64_t)o->experts);
      k += !row[e];
      row[e] = 1;
    }
  }
}

static void fill_random(void *data, size_t bytes, uint64_t seed) {
  uint64_t *words = data;
  for (size_t i = 0; i < bytes / sizeof *words; ++i)
    words[i] = bench_random(&seed) & 0x3fff3fff3fff3fffu;
}

/* Sizes of the parts of a call. */
typedef struct Sizes {
  size_t map, row, tokens, permuted, row_words;
} Sizes;

static Sizes sizes_of(const MoeTokenPermuteCall *c) {
  const size_t rows = (size_t)moe_token_permute_with_routing_map_rows(c);
  const size_t row = (size_t)(c->hidden * c->token_bytes);
  return (Sizes){.map = (size_t)(c->tokens_num * c->num_experts),
                 .row = row,
                 .tokens = (size_t)c->tokens_num * row,
                 .permuted = rows * row,
                 .row_words = rows * 4};
}

/* A call whose outputs are computed by the reference. */
static MoeTokenPermuteCall make_call(BenchLibrary *library, const Options *o) {
  MoeTokenPermuteCall call = {.tokens_num = o->tokens,
                              .num_experts = o->experts,
                              .hidden = o->hidden,
                              .drop_and_pad = o->capacity > 0,
                              .token_bytes = 2,
                              .probs_bytes = 4};
  call.num_out_tokens =
      o->capacity > 0 ? (int64_t)o->capacity * o->experts : (int64_t)o->top_k * o->tokens;
  const Sizes bytes = sizes_of(&call);
  int8_t *map = bench_keep(library, bench_alloc(bytes.map));
  void *tokens = bench_keep(library, bench_alloc(bytes.tokens));
  void *probs = bench_keep(library, bench_alloc(4 * bytes.map));
  route(map, o);
  fill_random(tokens, bytes.tokens, 1);
  fill_random(probs, 4 * bytes.map, 2);
  call.tokens = tokens;
  call.routing_map = map;
  call.probs = probs;
  call.permuted_tokens = bench_keep(library, bench_alloc(bytes.permuted));
  call.permuted_probs = bench_keep(library, bench_alloc(bytes.row_words));
  call.sorted_indices = bench_keep(library, bench_alloc(bytes.row_words));
  moe_token_permute_with_routing_map_ref(&call);
  return call;
}

static MoeTokenPermuteCall call_on_device(BenchLibrary *library, const MoeTokenPermuteCall *c) {
  const Sizes bytes = sizes_of(c);
  MoeTokenPermuteCall call = *c;
  call.tokens = bench_to_device(library, c->tokens, bytes.tokens);
  call.routing_map = bench_to_device(library, c->routing_map, bytes.map);
  call.probs = bench_to_device(library, c->probs, 4 * bytes.map);
  call.permuted_tokens = bench_device_alloc(library, bytes.permuted);
  cnrtMemset(call.permuted_tokens, 0x55, bytes.permuted);
  call.permuted_probs = bench_device_alloc(library, bytes.row_words);
  call.sorted_indices = bench_device_alloc(library, bytes.row_words);
  return call;
}

static OurCall our_call(BenchLibrary *library, const MoeTokenPermuteCall *c) {
  const int64_t token_dims[2] = {c->tokens_num, c->hidden};
  const int64_t map_dims[2] = {c->tokens_num, c->num_experts};
  const int64_t row_dims[2] = {moe_token_permute_with_routing_map_rows(c), c->hidden};
  OurCall our = {.library = library,
                 .call = c,
                 .tokens_desc = bench_describe(library, MLUOP_DTYPE_BFLOAT16, 2, token_dims),
                 .map_desc = bench_describe(library, MLUOP_DTYPE_INT8, 2, map_dims),
                 .probs_desc = bench_describe(library, MLUOP_DTYPE_FLOAT, 2, map_dims),
                 .permuted_desc = bench_describe(library, MLUOP_DTYPE_BFLOAT16, 2, row_dims),
                 .row_probs_desc = bench_describe(library, MLUOP_DTYPE_FLOAT, 1, row_dims),
                 .indices_desc = bench_describe(library, MLUOP_DTYPE_INT32, 1, row_dims)};
  bench_library_finish(library, mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(
                                    library->handle, our.map_desc, &our.workspace_size));
  our.workspace = bench_device_alloc(library, our.workspace_size);
  return our;
}

/* The token of each row. */
static int32_t *find_tokens(BenchLibrary *library, const MoeTokenPermuteCall *c) {
  const int64_t rows = moe_token_permute_with_routing_map_rows(c);
  int32_t *token_of_row = bench_keep(library, bench_alloc(sizes_of(c).row_words));
  for (int64_t i = 0; i < rows; ++i) {
    if (c->drop_and_pad)
      token_of_row[i] = c->sorted_indices[i];
    else
      token_of_row[c->sorted_indices[i]] = (int32_t)(i / (c->num_out_tokens / c->tokens_num));
  }
  return token_of_row;
}

static int is_same(const void *device, const void *host, size_t bytes, void *buffer) {
  cnrtMemcpy(buffer, (void *)device, bytes, cnrtMemcpyDevToHost);
  return memcmp(buffer, host, bytes) == 0;
}

/* True if our call gives the reference's results; the buffer has room for the rows. */
static int is_right(OurCall *our, const MoeTokenPermuteCall *host, void *buffer) {
  const MoeTokenPermuteCall *device = our->call;
  const Sizes bytes = sizes_of(host);
  run_ours(our);
  return is_same(device->permuted_tokens, host->permuted_tokens, bytes.permuted, buffer) &&
         is_same(device->permuted_probs, host->permuted_probs, bytes.row_words, buffer) &&
         is_same(device->sorted_indices, host->sorted_indices, bytes.row_words, buffer);
}

int main(int argc, char **argv) {
  /* Elements of a cache line: shorter rows are parts of lines that several tasks write. */
  enum { SHORT_ROW = 32 };
  Options o = {4096, 256, 8, 7168, 0, 21};
  if (!parse_options(argc, argv, &o)) return 2;
  BenchLibrary library;
  bench_library_open(&library);
  MoeTokenPermuteCall host = make_call(&library, &o), device = call_on_device(&library, &host);
  MoeTokenPermuteCall map_only = device;
  map_only.hidden = o.hidden < SHORT_ROW ? o.hidden : SHORT_ROW;
  OurCall our = our_call(&library, &device), our_map = our_call(&library, &map_only);
  const Sizes sizes = sizes_of(&host);
  void *buffer = bench_keep(&library, bench_alloc(sizes.permuted));
  int same = is_right(&our, &host, buffer);

  double bytes = (double)moe_token_permute_with_routing_map_theory_bytes(&host);
  BenchCopy copy = bench_copy_make(bytes);
  RowLoop loop = {host.tokens, buffer, find_tokens(&library, &host), (int64_t)sizes.row,
                  moe_token_permute_with_routing_map_rows(&host)};
  BenchContender contenders[] = {{"mluOpMoeTokenPermuteWithRoutingMap", run_ours, &our},
                                 {"the same with rows of one cache line", run_ours, &our_map},
                                 {"rows alone, memcpy in a loop", run_row_loop, &loop},
                                 {"copy: memcpy", bench_copy_memcpy, &copy},
                                 {"copy: streaming stores", bench_copy_streaming, &copy}};
  enum { OURS, MAP_ONLY, LOOP, COPY_MEMCPY, COPY_STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 2, o.rounds, times);

  printf(
      "moe_token_permute_with_routing_map: %d tokens x %d bfloat16, %d experts, %s %d, %d "
      "threads\n",
      o.tokens, o.hidden, o.experts, o.capacity > 0 ? "capacity" : "top",
      o.capacity > 0 ? o.capacity : o.top_k, bench_threads());
  bench_report(contenders, times, COUNT, bytes, o.rounds);
  printf(
      "  map at most %.1f %% of the time (with short rows); %.3f us per token; against the loop "
      "%.2fx\n",
      100 * times[MAP_ONLY].median_us / times[OURS].median_us, times[OURS].median_us / o.tokens,
      times[OURS].median_us / times[LOOP].median_us);
  same = same && library.status == MLUOP_STATUS_SUCCESS;
  printf("  result and reference: %s\n", same ? "match" : "MISMATCH");

  bench_copy_free(&copy);
  bench_library_close(&library);
  return same ? 0 : 1;
}
