/* SPDX-License-Identifier: MIT
 *
 * moe_dispatch_backward_data at a network shape, compared with the plain reference on all cores and
 * the machine's copy rate in one interleaved run. Exits with 1 if a result differs from the
 * reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_dispatch.h"
#include "bench_library.h"
#include "moe_dispatch_backward_data_ref.h"

typedef struct OurCall {
  BenchLibrary *library;
  mluOpTensorDescriptor_t routing_desc, gates_desc, dispatch_desc, grad_desc;
  const MoeDispatchBackwardDataCall *call;
} OurCall;

static void run_ours(void *arg) {
  OurCall *our = arg;
  const MoeDispatchBackwardDataCall *c = our->call;
  mluOpStatus_t status = mluOpMoeDispatchBackwardData(
      our->library->handle, our->gates_desc, c->gates, our->routing_desc, c->indices,
      our->routing_desc, c->locations, our->dispatch_desc, c->dispatch, (int)c->samples,
      (int)c->capacity, (int)c->hidden, (int)c->num_experts, our->grad_desc, c->grad_input);
  bench_library_finish(our->library, status);
}

static void reference_part(int index, int threads, void *arg) {
  const MoeDispatchBackwardDataCall *c = arg;
  int64_t begin, end;
  bench_range(c->samples, index, threads, &begin, &end);
  MoeDispatchBackwardDataCall part = *c;
  part.samples = end - begin;
  part.gates = (const float *)c->gates + begin;
  part.indices += begin;
  part.locations += begin;
  part.grad_input = (float *)c->grad_input + begin * c->hidden;
  moe_dispatch_backward_data_ref(&part);
}

static void run_reference(void *arg) {
  bench_parallel(reference_part, arg);
}

int main(int argc, char **argv) {
  BenchDispatch o = bench_dispatch_default();
  if (!bench_dispatch_parse(argc, argv, &o, "all numbers positive\n")) return 2;
  size_t rows = (size_t)o.experts * (size_t)o.capacity;
  size_t grad_bytes = (size_t)o.samples * (size_t)o.hidden * sizeof(float);
  size_t dispatch_bytes = rows * (size_t)o.hidden * sizeof(float);
  size_t routing_bytes = (size_t)o.samples * sizeof(int32_t);

  BenchLibrary library;
  bench_library_open(&library);
  float *gates = bench_alloc(routing_bytes), *slots = bench_alloc(dispatch_bytes);
  int32_t *indices = bench_alloc(routing_bytes), *locations = bench_alloc(routing_bytes);
  float *grad = bench_alloc(grad_bytes), *result = bench_alloc(grad_bytes);
  bench_dispatch_route(indices, locations, &o);
  bench_dispatch_fill(gates, (size_t)o.samples, 1);
  bench_dispatch_fill(slots, rows * (size_t)o.hidden, 2);
  MoeDispatchBackwardDataCall host = {
      MLUOP_DTYPE_FLOAT, o.samples, o.capacity, o.hidden, o.experts, gates,
      indices,           locations, slots,      grad};
  MoeDispatchBackwardDataCall device = host;
  device.gates = bench_to_device(&library, gates, routing_bytes);
  device.indices = bench_to_device(&library, indices, routing_bytes);
  device.locations = bench_to_device(&library, locations, routing_bytes);
  device.dispatch = bench_to_device(&library, slots, dispatch_bytes);
  device.grad_input = bench_to_device(&library, grad, grad_bytes);
  const int64_t grad_dims[2] = {o.samples, o.hidden}, dispatch_dims[2] = {(int64_t)rows, o.hidden};
  OurCall our = {.library = &library,
                 .gates_desc = bench_describe(&library, MLUOP_DTYPE_FLOAT, 1, grad_dims),
                 .routing_desc = bench_describe(&library, MLUOP_DTYPE_INT32, 1, grad_dims),
                 .dispatch_desc = bench_describe(&library, MLUOP_DTYPE_FLOAT, 2, dispatch_dims),
                 .grad_desc = bench_describe(&library, MLUOP_DTYPE_FLOAT, 2, grad_dims),
                 .call = &device};

  moe_dispatch_backward_data_ref(&host);
  run_ours(&our);
  cnrtMemcpy(result, device.grad_input, grad_bytes, cnrtMemcpyDevToHost);
  int same = memcmp(result, grad, grad_bytes) == 0;

  double bytes = (double)moe_dispatch_backward_data_theory_bytes(&host);
  BenchCopy copy = bench_copy_make(bytes);
  BenchContender contenders[] = {{"mluOpMoeDispatchBackwardData", run_ours, &our},
                                 {"plain reference, all cores", run_reference, &host},
                                 {"copy: memcpy", bench_copy_memcpy, &copy},
                                 {"copy: streaming stores", bench_copy_streaming, &copy}};
  enum { OURS, REFERENCE, COPY_MEMCPY, COPY_STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 3, o.rounds, times);

  printf("moe_dispatch_backward_data: %d samples x %d float, %d experts, capacity %d, %d threads\n",
         o.samples, o.hidden, o.experts, o.capacity, bench_threads());
  bench_report(contenders, times, COUNT, bytes, o.rounds);
  same = same && library.status == MLUOP_STATUS_SUCCESS;
  printf("  result and reference: %s\n", same ? "match" : "MISMATCH");

  void *host_blocks[] = {gates, indices, locations, slots, grad, result};
  for (size_t i = 0; i < sizeof host_blocks / sizeof host_blocks[0]; ++i) free(host_blocks[i]);
  bench_copy_free(&copy);
  bench_library_close(&library);
  return same ? 0 : 1;
}
