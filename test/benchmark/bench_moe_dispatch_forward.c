/* SPDX-License-Identifier: MIT
 *
 * moe_dispatch_forward at a network shape, compared with a hand-written loop, the plain reference
 * on all cores and the machine's copy rate in one interleaved run. Exits with 1 if a result differs
 * from the reference. */
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

/* The slots of the benchmark are distinct, so threads can split the samples. */
static void run_reference(void *arg) {
  bench_parallel(reference_part, arg);
}

/* ---- set-up ---- */

static size_t input_bytes(const MoeDispatchForwardCall *c) {
  return (size_t)(c->samples * c->hidden) * sizeof(float);
}

static size_t dispatch_bytes(const MoeDispatchForwardCall *c) {
  return (size_t)(c->num_experts * c->capacity * c->hidden) * sizeof(float);
}

static MoeDispatchForwardCall make_call(BenchLibrary *library, const BenchDispatch *o) {
  MoeDispatchForwardCall call = {.dtype = MLUOP_DTYPE_FLOAT,
                                 .samples = o->samples,
                                 .capacity = o->capacity,
                                 .hidden = o->hidden,
                                 .num_experts = o->experts};
  const size_t routing_bytes = (size_t)o->samples * sizeof(int32_t);
  float *gates = bench_keep(library, bench_alloc(routing_bytes));
  float *input = bench_keep(library, bench_alloc(input_bytes(&call)));
  int32_t *indices = bench_keep(library, bench_alloc(routing_bytes));
  int32_t *locations = bench_keep(library, bench_alloc(routing_bytes));
  bench_dispatch_route(indices, locations, o);
  bench_dispatch_fill(gates, (size_t)o->samples, 1);
  bench_dispatch_fill(input, (size_t)o->samples * (size_t)o->hidden, 2);
  call.gates = gates;
  call.indices = indices;
  call.locations = locations;
  call.input = input;
  call.dispatch = bench_keep(library, bench_alloc(dispatch_bytes(&call)));
  return call;
}

/* Every contender has its own memory, so that none finds its data cached by another. */
static MoeDispatchForwardCall copy_of_call(BenchLibrary *library, const MoeDispatchForwardCall *c) {
  MoeDispatchForwardCall copy = *c;
  copy.input = bench_keep(library, bench_clone(c->input, input_bytes(c)));
  copy.dispatch = bench_keep(library, bench_alloc(dispatch_bytes(c)));
  return copy;
}

static MoeDispatchForwardCall call_on_device(BenchLibrary *library,
                                             const MoeDispatchForwardCall *c) {
  const size_t routing_bytes = (size_t)c->samples * sizeof(int32_t);
  MoeDispatchForwardCall call = *c;
  call.gates = bench_to_device(library, c->gates, routing_bytes);
  call.indices = bench_to_device(library, c->indices, routing_bytes);
  call.locations = bench_to_device(library, c->locations, routing_bytes);
  call.input = bench_to_device(library, c->input, input_bytes(c));
  call.dispatch = bench_device_alloc(library, dispatch_bytes(c));
  return call;
}

static OurCall our_call(BenchLibrary *library, const MoeDispatchForwardCall *c) {
  const int64_t input_dims[2] = {c->samples, c->hidden};
  const int64_t dispatch_dims[2] = {c->num_experts * c->capacity, c->hidden};
  return (OurCall){.library = library,
                   .gates_desc = bench_describe(library, MLUOP_DTYPE_FLOAT, 1, input_dims),
                   .routing_desc = bench_describe(library, MLUOP_DTYPE_INT32, 1, input_dims),
                   .input_desc = bench_describe(library, MLUOP_DTYPE_FLOAT, 2, input_dims),
                   .dispatch_desc = bench_describe(library, MLUOP_DTYPE_FLOAT, 2, dispatch_dims),
                   .call = c};
}

static uint64_t checksum_of_ours(OurCall *our) {
  const size_t bytes = dispatch_bytes(our->call);
  void *result = bench_alloc(bytes);
  run_ours(our);
  cnrtMemcpy(result, our->call->dispatch, bytes, cnrtMemcpyDevToHost);
  const uint64_t checksum = bench_checksum(result, bytes);
  free(result);
  return checksum;
}

int main(int argc, char **argv) {
  BenchDispatch o = bench_dispatch_default();
  if (!bench_dispatch_parse(argc, argv, &o, "all numbers positive; hidden a multiple of 4\n"))
    return 2;
  if (o.hidden % 4 != 0) {
    fprintf(stderr, "hidden: wanted a multiple of 4, got %d\n", o.hidden);
    return 2;
  }
  BenchLibrary library;
  bench_library_open(&library);
  MoeDispatchForwardCall host_call = make_call(&library, &o);
  MoeDispatchForwardCall loop_call = copy_of_call(&library, &host_call);
  MoeDispatchForwardCall device_call = call_on_device(&library, &host_call);
  OurCall our = our_call(&library, &device_call);
  moe_dispatch_forward_ref(&host_call);
  uint64_t expected = bench_checksum(host_call.dispatch, dispatch_bytes(&host_call));
  uint64_t got = checksum_of_ours(&our);

  double bytes = (double)moe_dispatch_forward_theory_bytes(&host_call);
  BenchCopy copy = bench_copy_make(bytes), stream = bench_copy_make(bytes);
  BenchContender contenders[] = {
      {"mluOpMoeDispatchForward", run_ours, &our},
      {"hand-written loop, streaming stores", run_streaming_loop, &loop_call},
      {"plain reference, all cores", run_reference, &host_call},
      {"copy: memcpy", bench_copy_memcpy, &copy},
      {"copy: streaming stores", bench_copy_streaming, &stream}};
  enum { OURS, LOOP, REFERENCE, COPY_MEMCPY, COPY_STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 3, o.rounds, times);

  printf("moe_dispatch_forward: %d samples x %d float, %d experts, capacity %d, %d threads\n",
         o.samples, o.hidden, o.experts, o.capacity, bench_threads());
  bench_report(contenders, times, COUNT, bytes, o.rounds);
  printf("  against the loop %.2fx, against the plain reference %.2fx\n",
         times[OURS].median_us / times[LOOP].median_us,
         times[REFERENCE].median_us / times[OURS].median_us);
  int same = library.status == MLUOP_STATUS_SUCCESS && expected == got;
  printf("  checksum %016llx, reference %016llx: %s\n", (unsigned long long)got,
         (unsigned long long)expected, same ? "match" : "MISMATCH");

  bench_copy_free(&copy);
  bench_copy_free(&stream);
  bench_library_close(&library);
  return same ? 0 : 1;
}
