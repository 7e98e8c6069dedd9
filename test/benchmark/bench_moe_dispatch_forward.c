/* SPDX-License-Identifier: MIT
 *
 * moe_dispatch_forward at a network shape, beside a hand-written loop, the plain reference on all
 * cores and the copy rate of the machine, all in one interleaved run. Ends with 1 when a result
 * differs from the reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "mlu_op.h"
#include "moe_dispatch_forward_ref.h"

typedef struct Options {
  int samples, hidden, experts, capacity, rounds;
} Options;

static int parse_options(int argc, char **argv, Options *options) {
  struct {
    const char *name;
    int *value;
  } known[] = {{"--samples=", &options->samples},
               {"--hidden=", &options->hidden},
               {"--experts=", &options->experts},
               {"--capacity=", &options->capacity},
               {"--rounds=", &options->rounds}};
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
              "usage: %s [--samples=18432] [--hidden=512] [--experts=2] [--capacity=11520] "
              "[--rounds=41]\n"
              "all numbers positive; hidden a multiple of 4\n",
              argv[0]);
      return 0;
    }
  }
  return options->hidden % 4 == 0;
}

/* ---- contenders ---- */

typedef struct OurCall {
  mluOpHandle_t handle;
  cnrtQueue_t queue;
  mluOpTensorDescriptor_t routing_desc, gates_desc, input_desc, dispatch_desc;
  const MoeDispatchForwardCall *call;
  mluOpStatus_t status;
} OurCall;

static void run_ours(void *arg) {
  OurCall *our = arg;
  const MoeDispatchForwardCall *c = our->call;
  mluOpStatus_t status = mluOpMoeDispatchForward(
      our->handle, our->gates_desc, c->gates, our->routing_desc, c->indices, our->routing_desc,
      c->locations, our->input_desc, c->input, (int)c->samples, (int)c->capacity, (int)c->hidden,
      (int)c->num_experts, our->dispatch_desc, c->dispatch);
  if (cnrtQueueSync(our->queue) != cnrtSuccess) status = MLUOP_STATUS_EXECUTION_FAILED;
  if (status != MLUOP_STATUS_SUCCESS) our->status = status;
}

static void streaming_part(int index, int threads, void *arg) {
  const MoeDispatchForwardCall *c = arg;
  int64_t begin, end;
  bench_range(c->samples, index, threads, &begin, &end);
  for (int64_t i = begin; i < end; ++i) {
    int64_t row = c->indices[i] * c->capacity + c->locations[i];
    bench_stream_scaled((float *)c->dispatch + row * c->hidden,
                        (const float *)c->input + i * c->hidden, ((const float *)c->gates)[i],
                        c->hidden);
  }
  bench_stream_fence();
}

static void run_streaming_loop(void *arg) {
  bench_parallel(streaming_part, arg);
}

static void reference_part(int index, int threads, void *arg) {
  const MoeDispatchForwardCall *c = arg;
  int64_t begin, end;
  bench_range(c->samples, index, threads, &begin, &end);
  MoeDispatchForwardCall part = *c;
  part.samples = end - begin;
  part.gates = (const float *)c->gates + begin;
  part.indices += begin;
  part.locations += begin;
  part.input = (const float *)c->input + begin * c->hidden;
  moe_dispatch_forward_ref(&part);
}

/* The slots of the benchmark are distinct, so the samples may be split. */
static void run_reference(void *arg) {
  bench_parallel(reference_part, arg);
}

/* ---- set-up ---- */

/* Every sample goes to a random expert with room left, into its next free slot. */
static void route(int32_t *indices, int32_t *locations, const Options *o) {
  uint64_t state = 20230220;
  int32_t *used = calloc((size_t)o->experts, sizeof *used);
  for (int i = 0; used && i < o->samples; ++i) {
    int e = (int)(bench_random(&state) % (uint64_t)o->experts);
    for (int tries = 0; used[e] >= o->capacity && tries < o->experts; ++tries)
      e = (e + 1) % o->experts;
    indices[i] = e;
    locations[i] =
        used[e]++; /* past the capacity when there are more samples than slots: dropped */
  }
  free(used);
}

static void fill_uniform(float *data, size_t n, uint64_t seed) {
  for (size_t i = 0; i < n; ++i)
    data[i] = (float)((double)(bench_random(&seed) >> 11) * 0x1p-52 - 1.0);
}

static mluOpTensorDescriptor_t describe(mluOpDataType_t dtype, int rank, const int *dims) {
  mluOpTensorDescriptor_t desc = NULL;
  if (mluOpCreateTensorDescriptor(&desc) != MLUOP_STATUS_SUCCESS ||
      mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims) !=
          MLUOP_STATUS_SUCCESS) {
    fprintf(stderr, "cannot make a tensor descriptor\n");
    exit(1);
  }
  return desc;
}

static void *device_alloc(size_t bytes) {
  void *memory = NULL;
  if (cnrtMalloc(&memory, bytes) != cnrtSuccess) {
    fprintf(stderr, "cannot allocate %zu bytes of device memory\n", bytes);
    exit(1);
  }
  return memory;
}

static void report_line(const char *name, BenchTime t, double bytes, double copy_rate) {
  double rate = bytes / t.median_us * 1e-3;
  printf("  %-38s %9.1f us  [%9.1f .. %9.1f]  %6.2f GB/s  %5.1f %% of the copy rate\n", name,
         t.median_us, t.p10_us, t.p90_us, rate, 100 * rate / copy_rate);
}

int main(int argc, char **argv) {
  Options o = {18432, 512, 2, 11520, 41};
  if (!parse_options(argc, argv, &o)) return 2;
  size_t rows = (size_t)o.experts * (size_t)o.capacity;
  size_t input_bytes = (size_t)o.samples * (size_t)o.hidden * sizeof(float);
  size_t dispatch_bytes = rows * (size_t)o.hidden * sizeof(float);
  size_t routing_bytes = (size_t)o.samples * sizeof(int32_t);

  OurCall our = {.status = MLUOP_STATUS_SUCCESS};
  if (mluOpCreate(&our.handle) != MLUOP_STATUS_SUCCESS ||
      cnrtQueueCreate(&our.queue) != cnrtSuccess ||
      mluOpSetQueue(our.handle, our.queue) != MLUOP_STATUS_SUCCESS) {
    fprintf(stderr, "cannot set up the library\n");
    return 1;
  }

  float *gates = device_alloc(routing_bytes);
  int32_t *indices = device_alloc(routing_bytes), *locations = device_alloc(routing_bytes);
  float *input = device_alloc(input_bytes), *dispatch = device_alloc(dispatch_bytes);
  float *host_gates = bench_alloc(routing_bytes), *host_input = bench_alloc(input_bytes);
  int32_t *host_indices = bench_alloc(routing_bytes), *host_locations = bench_alloc(routing_bytes);
  float *host_dispatch = bench_alloc(dispatch_bytes), *result = bench_alloc(dispatch_bytes);
  route(host_indices, host_locations, &o);
  fill_uniform(host_gates, (size_t)o.samples, 1);
  fill_uniform(host_input, (size_t)o.samples * (size_t)o.hidden, 2);
  cnrtMemcpy(gates, host_gates, routing_bytes, cnrtMemcpyHostToDev);
  cnrtMemcpy(indices, host_indices, routing_bytes, cnrtMemcpyHostToDev);
  cnrtMemcpy(locations, host_locations, routing_bytes, cnrtMemcpyHostToDev);
  cnrtMemcpy(input, host_input, input_bytes, cnrtMemcpyHostToDev);
  cnrtMemset(dispatch, 0, dispatch_bytes);

  /* Every contender has memory of its own: none finds its data in the cache because of another. */
  MoeDispatchForwardCall host_call = {.dtype = MLUOP_DTYPE_FLOAT,
                                      .samples = o.samples,
                                      .capacity = o.capacity,
                                      .hidden = o.hidden,
                                      .num_experts = o.experts,
                                      .gates = host_gates,
                                      .indices = host_indices,
                                      .locations = host_locations,
                                      .input = host_input,
                                      .dispatch = host_dispatch};
  MoeDispatchForwardCall loop_call = host_call;
  loop_call.input = bench_clone(host_input, input_bytes);
  loop_call.dispatch = bench_alloc(dispatch_bytes);
  MoeDispatchForwardCall device_call = host_call;
  device_call.gates = gates;
  device_call.indices = indices;
  device_call.locations = locations;
  device_call.input = input;
  device_call.dispatch = dispatch;
  our.call = &device_call;
  our.gates_desc = describe(MLUOP_DTYPE_FLOAT, 1, &o.samples);
  our.routing_desc = describe(MLUOP_DTYPE_INT32, 1, &o.samples);
  our.input_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){o.samples, o.hidden});
  our.dispatch_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){(int)rows, o.hidden});

  moe_dispatch_forward_ref(&host_call);
  run_ours(&our);
  cnrtMemcpy(result, dispatch, dispatch_bytes, cnrtMemcpyDevToHost);
  uint64_t expected = bench_checksum(host_dispatch, dispatch_bytes);
  uint64_t got = bench_checksum(result, dispatch_bytes);

  double bytes = (double)moe_dispatch_forward_theory_bytes(&host_call);
  size_t half = (size_t)bytes / 2;
  BenchCopy copy = {bench_alloc(half), bench_alloc(half), half};
  BenchCopy stream = {bench_alloc(half), bench_alloc(half), half};
  BenchContender contenders[] = {
      {"mluOpMoeDispatchForward", run_ours, &our},
      {"hand-written loop, streaming stores", run_streaming_loop, &loop_call},
      {"plain reference, all cores", run_reference, &host_call},
      {"copy: memcpy", bench_copy_memcpy, &copy},
      {"copy: streaming stores", bench_copy_streaming, &stream}};
  enum { OURS, LOOP, REFERENCE, COPY_MEMCPY, COPY_STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 3, o.rounds, times);

  double copy_us = times[COPY_MEMCPY].median_us < times[COPY_STREAMING].median_us
                       ? times[COPY_MEMCPY].median_us
                       : times[COPY_STREAMING].median_us;
  double copy_rate = bytes / copy_us * 1e-3;
  printf("moe_dispatch_forward: %d samples x %d float, %d experts, capacity %d, %d threads\n",
         o.samples, o.hidden, o.experts, o.capacity, bench_threads());
  printf(
      "%.1f MB must move; copy rate of this machine %.2f GB/s; median [10 %% .. 90 %%] of %d "
      "rounds\n",
      bytes * 1e-6, copy_rate, o.rounds);
  for (int i = 0; i < COUNT; ++i) report_line(contenders[i].name, times[i], bytes, copy_rate);
  printf("  against the loop %.2fx, against the plain reference %.2fx\n",
         times[OURS].median_us / times[LOOP].median_us,
         times[REFERENCE].median_us / times[OURS].median_us);
  int same = our.status == MLUOP_STATUS_SUCCESS && expected == got;
  printf("  checksum %016llx, reference %016llx: %s\n", (unsigned long long)got,
         (unsigned long long)expected, same ? "match" : "MISMATCH");

  mluOpTensorDescriptor_t descs[] = {our.gates_desc, our.routing_desc, our.input_desc,
                                     our.dispatch_desc};
  for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
    mluOpDestroyTensorDescriptor(descs[i]);
  void *device_blocks[] = {gates, indices, locations, input, dispatch};
  for (size_t i = 0; i < sizeof device_blocks / sizeof device_blocks[0]; ++i)
    cnrtFree(device_blocks[i]);
  void *host_blocks[] = {
      host_gates, host_indices, host_locations,   host_input, host_dispatch,
      result,     copy.dst,     (void *)copy.src, stream.dst, (void *)stream.src};
  for (size_t i = 0; i < sizeof host_blocks / sizeof host_blocks[0]; ++i) free(host_blocks[i]);
  mluOpDestroy(our.handle);
  cnrtQueueDestroy(our.queue);
  return same ? 0 : 1;
}
