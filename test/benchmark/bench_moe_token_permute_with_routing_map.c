/* SPDX-License-Identifier: MIT
 *
 * moe_token_permute_with_routing_map at a network shape (bfloat16 tokens, float probs), beside the
 * copy rate of the machine, a hand-written loop that only moves the rows, and the operator with
 * rows of one element, which is the cost of the map. All run in one interleaved run. Ends with 1
 * when a result differs from the reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "mlu_op.h"
#include "moe_token_permute_with_routing_map_ref.h"

typedef struct Options {
  int tokens, experts, top_k, hidden, capacity, rounds;
} Options;

static int parse_options(int argc, char **argv, Options *options) {
  struct {
    const char *name;
    int *value;
  } known[] = {{"--tokens=", &options->tokens},     {"--experts=", &options->experts},
               {"--top_k=", &options->top_k},       {"--hidden=", &options->hidden},
               {"--capacity=", &options->capacity}, {"--rounds=", &options->rounds}};
  for (int i = 1; i < argc; ++i) {
    int found = 0;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
      size_t length = strlen(known[k].name);
      if (strncmp(argv[i], known[k].name, length) != 0) continue;
      *known[k].value = atoi(argv[i] + length);
      found = *known[k].value > 0;
    }
    if (!found) {
      fprintf(stderr,
              "usage: %s [--tokens=4096] [--experts=256] [--top_k=8] [--hidden=7168] "
              "[--capacity=N: drop and pad] [--rounds=21]\n"
              "all numbers positive\n",
              argv[0]);
      return 0;
    }
  }
  return options->top_k <= options->experts && options->capacity <= options->tokens;
}

/* ---- contenders ---- */

typedef struct OurCall {
  mluOpHandle_t handle;
  cnrtQueue_t queue;
  mluOpTensorDescriptor_t tokens_desc, map_desc, probs_desc, permuted_desc, row_probs_desc,
      indices_desc;
  const MoeTokenPermuteCall *call;
  void *workspace;
  size_t workspace_size;
  mluOpStatus_t status;
} OurCall;

static void run_ours(void *arg) {
  OurCall *our = arg;
  const MoeTokenPermuteCall *c = our->call;
  mluOpStatus_t status = mluOpMoeTokenPermuteWithRoutingMap(
      our->handle, our->tokens_desc, c->tokens, our->map_desc, c->routing_map, our->probs_desc,
      c->probs, c->num_out_tokens, c->drop_and_pad, our->workspace, our->workspace_size,
      our->permuted_desc, c->permuted_tokens, our->row_probs_desc, c->permuted_probs,
      our->indices_desc, c->sorted_indices);
  if (cnrtQueueSync(our->queue) != cnrtSuccess) status = MLUOP_STATUS_EXECUTION_FAILED;
  if (status != MLUOP_STATUS_SUCCESS) our->status = status;
}

/* The rows alone: where they go is known beforehand. */
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

static void *device_alloc(size_t bytes) {
  void *memory = NULL;
  if (cnrtMalloc(&memory, bytes) != cnrtSuccess) {
    fprintf(stderr, "cannot allocate %zu bytes of device memory\n", bytes);
    exit(1);
  }
  return memory;
}

static void *to_device(const void *host, size_t bytes) {
  void *memory = device_alloc(bytes);
  cnrtMemcpy(memory, (void *)host, bytes, cnrtMemcpyHostToDev);
  return memory;
}

static mluOpTensorDescriptor_t describe(mluOpDataType_t dtype, int rank, int64_t first,
                                        int64_t second) {
  mluOpTensorDescriptor_t desc = NULL;
  int64_t dims[2] = {first, second};
  if (mluOpCreateTensorDescriptor(&desc) != MLUOP_STATUS_SUCCESS ||
      mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims) !=
          MLUOP_STATUS_SUCCESS) {
    fprintf(stderr, "cannot make a tensor descriptor\n");
    exit(1);
  }
  return desc;
}

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

static OurCall our_call(mluOpHandle_t handle, cnrtQueue_t queue, const MoeTokenPermuteCall *c) {
  int64_t rows = moe_token_permute_with_routing_map_rows(c);
  OurCall our = {.handle = handle, .queue = queue, .call = c, .status = MLUOP_STATUS_SUCCESS};
  our.tokens_desc = describe(MLUOP_DTYPE_BFLOAT16, 2, c->tokens_num, c->hidden);
  our.map_desc = describe(MLUOP_DTYPE_INT8, 2, c->tokens_num, c->num_experts);
  our.probs_desc = describe(MLUOP_DTYPE_FLOAT, 2, c->tokens_num, c->num_experts);
  our.permuted_desc = describe(MLUOP_DTYPE_BFLOAT16, 2, rows, c->hidden);
  our.row_probs_desc = describe(MLUOP_DTYPE_FLOAT, 1, rows, 0);
  our.indices_desc = describe(MLUOP_DTYPE_INT32, 1, rows, 0);
  mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle, our.map_desc, &our.workspace_size);
  our.workspace = device_alloc(our.workspace_size + 1);
  return our;
}

static void release(OurCall *our) {
  mluOpTensorDescriptor_t descs[] = {our->tokens_desc,   our->map_desc,       our->probs_desc,
                                     our->permuted_desc, our->row_probs_desc, our->indices_desc};
  for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
    mluOpDestroyTensorDescriptor(descs[i]);
  cnrtFree(our->workspace);
}

/* Which token each row has. */
static void find_tokens(const MoeTokenPermuteCall *c, int64_t rows, int32_t *token_of_row) {
  for (int64_t i = 0; i < rows; ++i) {
    if (c->drop_and_pad)
      token_of_row[i] = c->sorted_indices[i];
    else
      token_of_row[c->sorted_indices[i]] = (int32_t)(i / (c->num_out_tokens / c->tokens_num));
  }
}

static int is_same(const void *device, const void *host, size_t bytes, void *buffer) {
  cnrtMemcpy(buffer, (void *)device, bytes, cnrtMemcpyDevToHost);
  return memcmp(buffer, host, bytes) == 0;
}

static void report_line(const char *name, BenchTime t, double bytes, double copy_rate) {
  double rate = bytes / t.median_us * 1e-3;
  printf("  %-38s %9.1f us  [%9.1f .. %9.1f]  %6.2f GB/s  %5.1f %% of the copy rate\n", name,
         t.median_us, t.p10_us, t.p90_us, rate, 100 * rate / copy_rate);
}

int main(int argc, char **argv) {
  Options o = {4096, 256, 8, 7168, 0, 21};
  if (!parse_options(argc, argv, &o)) return 2;
  MoeTokenPermuteCall host = {.tokens_num = o.tokens,
                              .num_experts = o.experts,
                              .hidden = o.hidden,
                              .drop_and_pad = o.capacity > 0,
                              .token_bytes = 2,
                              .probs_bytes = 4};
  host.num_out_tokens =
      o.capacity > 0 ? (int64_t)o.capacity * o.experts : (int64_t)o.top_k * o.tokens;
  int64_t rows = moe_token_permute_with_routing_map_rows(&host);
  size_t map_bytes = (size_t)o.tokens * (size_t)o.experts, row_bytes = (size_t)o.hidden * 2;
  size_t token_bytes = (size_t)o.tokens * row_bytes, permuted_bytes = (size_t)rows * row_bytes;
  size_t row_word_bytes = (size_t)rows * 4;

  mluOpHandle_t handle;
  cnrtQueue_t queue;
  if (mluOpCreate(&handle) != MLUOP_STATUS_SUCCESS || cnrtQueueCreate(&queue) != cnrtSuccess ||
      mluOpSetQueue(handle, queue) != MLUOP_STATUS_SUCCESS) {
    fprintf(stderr, "cannot set up the library\n");
    return 1;
  }

  int8_t *map = bench_alloc(map_bytes);
  void *tokens = bench_alloc(token_bytes), *probs = bench_alloc(4 * map_bytes);
  route(map, &o);
  fill_random(tokens, token_bytes, 1);
  fill_random(probs, 4 * map_bytes, 2);
  host.tokens = tokens;
  host.routing_map = map;
  host.probs = probs;
  host.permuted_tokens = bench_alloc(permuted_bytes);
  host.permuted_probs = bench_alloc(row_word_bytes);
  host.sorted_indices = bench_alloc(row_word_bytes);
  moe_token_permute_with_routing_map_ref(&host);

  MoeTokenPermuteCall device = host;
  device.tokens = to_device(tokens, token_bytes);
  device.routing_map = to_device(map, map_bytes);
  device.probs = to_device(probs, 4 * map_bytes);
  device.permuted_tokens = to_device(host.permuted_tokens, permuted_bytes);
  cnrtMemset(device.permuted_tokens, 0x55, permuted_bytes);
  device.permuted_probs = device_alloc(row_word_bytes);
  device.sorted_indices = device_alloc(row_word_bytes);
  MoeTokenPermuteCall map_only = device;
  map_only.hidden = 1;
  OurCall our = our_call(handle, queue, &device), our_map = our_call(handle, queue, &map_only);

  run_ours(&our);
  void *buffer = bench_alloc(permuted_bytes);
  int same = our.status == MLUOP_STATUS_SUCCESS &&
             is_same(device.permuted_tokens, host.permuted_tokens, permuted_bytes, buffer) &&
             is_same(device.permuted_probs, host.permuted_probs, row_word_bytes, buffer) &&
             is_same(device.sorted_indices, host.sorted_indices, row_word_bytes, buffer);

  double bytes = (double)moe_token_permute_with_routing_map_theory_bytes(&host);
  BenchCopy copy = {bench_alloc((size_t)bytes / 2), bench_alloc((size_t)bytes / 2),
                    (size_t)bytes / 2};
  int32_t *token_of_row = bench_alloc(row_word_bytes);
  find_tokens(&host, rows, token_of_row);
  RowLoop loop = {tokens, buffer, token_of_row, (int64_t)row_bytes, rows};
  BenchContender contenders[] = {{"mluOpMoeTokenPermuteWithRoutingMap", run_ours, &our},
                                 {"the same with rows of one element", run_ours, &our_map},
                                 {"rows alone, memcpy in a loop", run_row_loop, &loop},
                                 {"copy: memcpy", bench_copy_memcpy, &copy},
                                 {"copy: streaming stores", bench_copy_streaming, &copy}};
  enum { OURS, MAP_ONLY, LOOP, COPY_MEMCPY, COPY_STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 2, o.rounds, times);

  double copy_us = times[COPY_MEMCPY].median_us < times[COPY_STREAMING].median_us
                       ? times[COPY_MEMCPY].median_us
                       : times[COPY_STREAMING].median_us;
  double copy_rate = bytes / copy_us * 1e-3;
  printf(
      "moe_token_permute_with_routing_map: %d tokens x %d bfloat16, %d experts, %s %d, %d "
      "threads\n",
      o.tokens, o.hidden, o.experts, o.capacity > 0 ? "capacity" : "top",
      o.capacity > 0 ? o.capacity : o.top_k, bench_threads());
  printf(
      "%.1f MB must move; copy rate of this machine %.2f GB/s; median [10 %% .. 90 %%] of %d "
      "rounds\n",
      bytes * 1e-6, copy_rate, o.rounds);
  for (int i = 0; i < COUNT; ++i) report_line(contenders[i].name, times[i], bytes, copy_rate);
  printf(
      "  map at most %.1f %% of the time (with tiny rows); %.3f us per token; against the loop "
      "%.2fx\n",
      100 * times[MAP_ONLY].median_us / times[OURS].median_us, times[OURS].median_us / o.tokens,
      times[OURS].median_us / times[LOOP].median_us);
  same = same && our.status == MLUOP_STATUS_SUCCESS && our_map.status == MLUOP_STATUS_SUCCESS;
  printf("  result and reference: %s\n", same ? "match" : "MISMATCH");

  release(&our);
  release(&our_map);
  void *device_blocks[] = {(void *)device.tokens, (void *)device.routing_map,
                           (void *)device.probs,  device.permuted_tokens,
                           device.permuted_probs, device.sorted_indices};
  for (size_t i = 0; i < sizeof device_blocks / sizeof device_blocks[0]; ++i)
    cnrtFree(device_blocks[i]);
  void *host_blocks[] = {map,
                         tokens,
                         probs,
                         host.permuted_tokens,
                         host.permuted_probs,
                         host.sorted_indices,
                         buffer,
                         copy.dst,
                         token_of_row,
                         (void *)copy.src};
  for (size_t i = 0; i < sizeof host_blocks / sizeof host_blocks[0]; ++i) free(host_blocks[i]);
  mluOpDestroy(handle);
  cnrtQueueDestroy(queue);
  return same ? 0 : 1;
}
