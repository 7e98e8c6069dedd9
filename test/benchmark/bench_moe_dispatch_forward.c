/* SPDX-License-Identifier: MIT
 *
 * moe_dispatch_forward at a network shape, beside a hand-written loop, the plain reference on all
 * cores and the copy rate of the machine, all in one interleaved run. Ends with 1 when a result
 * differs from the reference. */
#include <stdio.h>
#include <stdlib.h>

#include "bench_dispatch.h"
#include "bench_library.h"
#include "moe_dispatch_forward_ref.h"

/* ---- contenders ---- */

typedef struct OurCall {
  BenchLibrary *library;
  mluOpTensorDescriptor_t routing_desc, gates_desc, input_desc, dispatch_desc;
  const MoeDispatchForwardCall *call;
} OurCall;

static void run_ours(void *arg) {
  OurCall *our = arg;
  const MoeDispatchForwardCall *c = our->call;
  mluOpStatus_t status = mluOpMoeDispatchForward(
      our->library->handle, our->gates_desc, c->gates, our->routing_desc, c->indices,
      our->routing_desc, c->locations, our->input_desc, c->input, (int)c->samples, (int)c->capacity,
      (int)c->hidden, (int)c->num_experts, our->dispatch_desc, c->dispatch);
  bench_library_finish(our->library, status);
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

int main(int argc, char **argv) {
  BenchDispatch o = bench_dispatch_default();
  if (!bench_dispatch_parse(argc, argv, &o, "all numbers positive; hidden a multiple of 4\n"))
    return 2;
  if (o.hidden % 4 != 0) {
    fprintf(stderr, "hidden: wanted a multiple of 4, got %d\n", o.hidden);
    return 2;
  }
  size_t rows = (size_t)o.experts * (size_t)o.capacity;
  size_t input_bytes = (size_t)o.samples * (size_t)o.hidden * sizeof(float);
  size_t dispatch_bytes = rows * (size_t)o.hidden * sizeof(float);
  size_t routing_bytes = (size_t)o.samples * sizeof(int32_t);

  BenchLibrary library;
  bench_library_open(&library);
  float *host_gates = bench_alloc(routing_bytes), *host_input = bench_alloc(input_bytes);
  int32_t *host_indices = bench_alloc(routing_bytes), *host_locations = bench_alloc(routing_bytes);
  float *host_dispatch = bench_alloc(dispatch_bytes), *result = bench_alloc(dispatch_bytes);
  bench_dispatch_route(host_indices, host_locations, &o);
  bench_dispatch_fill(host_gates, (size_t)o.samples, 1);
  bench_dispatch_fill(host_input, (size_t)o.samples * (size_t)o.hidden, 2);

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
  device_call.gates = bench_to_device(&library, host_gates, routing_bytes);
  device_call.indices = bench_to_device(&library, host_indices, routing_bytes);
  device_call.locations = bench_to_device(&library, host_locations, routing_bytes);
  device_call.input = bench_to_device(&library, host_input, input_bytes);
  device_call.dispatch = bench_device_alloc(&library, dispatch_bytes);
  const int64_t input_dims[2] = {o.samples, o.hidden}, dispatch_dims[2] = {(int64_t)rows, o.hidden};
  OurCall our = {.library = &library,
                 .gates_desc = bench_describe(&library, MLUOP_DTYPE_FLOAT, 1, input_dims),
                 .routing_desc = bench_describe(&library, MLUOP_DTYPE_INT32, 1, input_dims),
                 .input_desc = bench_describe(&library, MLUOP_DTYPE_FLOAT, 2, input_dims),
                 .dispatch_desc = bench_describe(&library, MLUOP_DTYPE_FLOAT, 2, dispatch_dims),
                 .call = &device_call};

  moe_dispatch_forward_ref(&host_call);
  run_ours(&our);
  cnrtMemcpy(result, device_call.dispatch, dispatch_bytes, cnrtMemcpyDevToHost);
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

  double copy_rate = bench_copy_rate(bytes, times[COPY_MEMCPY], times[COPY_STREAMING]);
  printf("moe_dispatch_forward: %d samples x %d float, %d experts, capacity %d, %d threads\n",
         o.samples, o.hidden, o.experts, o.capacity, bench_threads());
  printf(
      "%.1f MB must move; copy rate of this machine %.2f GB/s; median [10 %% .. 90 %%] of %d "
      "rounds\n",
      bytes * 1e-6, copy_rate, o.rounds);
  for (int i = 0; i < COUNT; ++i) bench_report_line(contenders[i].name, times[i], bytes, copy_rate);
  printf("  against the loop %.2fx, against the plain reference %.2fx\n",
         times[OURS].median_us / times[LOOP].median_us,
         times[REFERENCE].median_us / times[OURS].median_us);
  int same = library.status == MLUOP_STATUS_SUCCESS && expected == got;
  printf("  checksum %016llx, reference %016llx: %s\n", (unsigned long long)got,
         (unsigned long long)expected, same ? "match" : "MISMATCH");

  void *host_blocks[] = {
      host_gates,         host_indices,      host_locations, host_input, (void *)loop_call.input,
      loop_call.dispatch, host_dispatch,     result,         copy.dst,   (void *)copy.src,
      stream.dst,         (void *)stream.src};
  for (size_t i = 0; i < sizeof host_blocks / sizeof host_blocks[0]; ++i) free(host_blocks[i]);
  bench_library_close(&library);
  return same ? 0 : 1;
}
