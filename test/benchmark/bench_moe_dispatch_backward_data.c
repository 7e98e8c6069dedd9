/* SPDX-License-Identifier: MIT
 *
 * moe_dispatch_backward_data at a network shape, beside the plain reference on all cores and the
 * copy rate of the machine, all in one interleaved run. Ends with 1 when a result differs from the
 * reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "mlu_op.h"
#include "moe_dispatch_backward_data_ref.h"

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
              "[--rounds=41]\nall numbers positive\n",
              argv[0]);
      return 0;
    }
  }
  return 1;
}

typedef struct OurCall {
  mluOpHandle_t handle;
  cnrtQueue_t queue;
  mluOpTensorDescriptor_t routing_desc, gates_desc, dispatch_desc, grad_desc;
  const MoeDispatchBackwardDataCall *call;
  mluOpStatus_t status;
} OurCall;

static void run_ours(void *arg) {
  OurCall *our = arg;
  const MoeDispatchBackwardDataCall *c = our->call;
  mluOpStatus_t status = mluOpMoeDispatchBackwardData(
      our->handle, our->gates_desc, c->gates, our->routing_desc, c->indices, our->routing_desc,
      c->locations, our->dispatch_desc, c->dispatch, (int)c->samples, (int)c->capacity,
      (int)c->hidden, (int)c->num_experts, our->grad_desc, c->grad_input);
  if (cnrtQueueSync(our->queue) != cnrtSuccess) status = MLUOP_STATUS_EXECUTION_FAILED;
  if (status != MLUOP_STATUS_SUCCESS) our->status = status;
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

/* Every sample has a random expert with room left and its next free slot. */
static void route(int32_t *indices, int32_t *locations, const Options *o) {
  uint64_t state = 20230220;
  int32_t *used = calloc((size_t)o->experts, sizeof *used);
  for (int i = 0; used && i < o->samples; ++i) {
    int e = (int)(bench_random(&state) % (uint64_t)o->experts);
    for (int tries = 0; used[e] >= o->capacity && tries < o->experts; ++tries)
      e = (e + 1) % o->experts;
    indices[i] = e;
    locations[i] = used[e]++;
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

static void *to_device(const void *host, size_t bytes) {
  void *memory = NULL;
  if (cnrtMalloc(&memory, bytes) != cnrtSuccess) {
    fprintf(stderr, "cannot allocate %zu bytes of device memory\n", bytes);
    exit(1);
  }
  cnrtMemcpy(memory, (void *)host, bytes, cnrtMemcpyHostToDev);
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
  size_t grad_bytes = (size_t)o.samples * (size_t)o.hidden * sizeof(float);
  size_t dispatch_bytes = rows * (size_t)o.hidden * sizeof(float);
  size_t routing_bytes = (size_t)o.samples * sizeof(int32_t);

  OurCall our = {.status = MLUOP_STATUS_SUCCESS};
  if (mluOpCreate(&our.handle) != MLUOP_STATUS_SUCCESS ||
      cnrtQueueCreate(&our.queue) != cnrtSuccess ||
      mluOpSetQueue(our.handle, our.queue) != MLUOP_STATUS_SUCCESS) {
    fprintf(stderr, "cannot set up the library\n");
    return 1;
  }

  float *gates = bench_alloc(routing_bytes), *slots = bench_alloc(dispatch_bytes);
  int32_t *indices = bench_alloc(routing_bytes), *locations = bench_alloc(routing_bytes);
  float *grad = bench_alloc(grad_bytes), *result = bench_alloc(grad_bytes);
  route(indices, locations, &o);
  fill_uniform(gates, (size_t)o.samples, 1);
  fill_uniform(slots, rows * (size_t)o.hidden, 2);
  MoeDispatchBackwardDataCall host = {
      MLUOP_DTYPE_FLOAT, o.samples, o.capacity, o.hidden, o.experts, gates,
      indices,           locations, slots,      grad};
  MoeDispatchBackwardDataCall device = host;
  device.gates = to_device(gates, routing_bytes);
  device.indices = to_device(indices, routing_bytes);
  device.locations = to_device(locations, routing_bytes);
  device.dispatch = to_device(slots, dispatch_bytes);
  device.grad_input = to_device(grad, grad_bytes);
  our.call = &device;
  our.gates_desc = describe(MLUOP_DTYPE_FLOAT, 1, &o.samples);
  our.routing_desc = describe(MLUOP_DTYPE_INT32, 1, &o.samples);
  our.dispatch_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){(int)rows, o.hidden});
  our.grad_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){o.samples, o.hidden});

  moe_dispatch_backward_data_ref(&host);
  run_ours(&our);
  cnrtMemcpy(result, device.grad_input, grad_bytes, cnrtMemcpyDevToHost);
  int same = memcmp(result, grad, grad_bytes) == 0;

  double bytes = (double)moe_dispatch_backward_data_theory_bytes(&host);
  BenchCopy copy = {bench_alloc((size_t)bytes / 2), bench_alloc((size_t)bytes / 2),
                    (size_t)bytes / 2};
  BenchContender contenders[] = {{"mluOpMoeDispatchBackwardData", run_ours, &our},
                                 {"plain reference, all cores", run_reference, &host},
                                 {"copy: memcpy", bench_copy_memcpy, &copy},
                                 {"copy: streaming stores", bench_copy_streaming, &copy}};
  enum { OURS, REFERENCE, COPY_MEMCPY, COPY_STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 3, o.rounds, times);

  double copy_us = times[COPY_MEMCPY].median_us < times[COPY_STREAMING].median_us
                       ? times[COPY_MEMCPY].median_us
                       : times[COPY_STREAMING].median_us;
  double copy_rate = bytes / copy_us * 1e-3;
  printf("moe_dispatch_backward_data: %d samples x %d float, %d experts, capacity %d, %d threads\n",
         o.samples, o.hidden, o.experts, o.capacity, bench_threads());
  printf(
      "%.1f MB must move; copy rate of this machine %.2f GB/s; median [10 %% .. 90 %%] of %d "
      "rounds\n",
      bytes * 1e-6, copy_rate, o.rounds);
  for (int i = 0; i < COUNT; ++i) report_line(contenders[i].name, times[i], bytes, copy_rate);
  same = same && our.status == MLUOP_STATUS_SUCCESS;
  printf("  result and reference: %s\n", same ? "match" : "MISMATCH");

  mluOpTensorDescriptor_t descs[] = {our.gates_desc, our.routing_desc, our.dispatch_desc,
                                     our.grad_desc};
  for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
    mluOpDestroyTensorDescriptor(descs[i]);
  void *device_blocks[] = {(void *)device.gates, (void *)device.indices, (void *)device.locations,
                           (void *)device.dispatch, device.grad_input};
  for (size_t i = 0; i < sizeof device_blocks / sizeof device_blocks[0]; ++i)
    cnrtFree(device_blocks[i]);
  void *host_blocks[] = {gates, indices, locations, slots,
                         grad,  result,  copy.dst,  (void *)copy.src};
  for (size_t i = 0; i < sizeof host_blocks / sizeof host_blocks[0]; ++i) free(host_blocks[i]);
  mluOpDestroy(our.handle);
  cnrtQueueDestroy(our.queue);
  return same ? 0 : 1;
}
