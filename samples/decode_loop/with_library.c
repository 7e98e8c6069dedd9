/* SPDX-License-Identifier: MIT
 *
 * The loop with the operators of the library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlu_op.h"
#include "model.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    int status_ = (int)(call);                                                    \
    if (status_ != 0) {                                                           \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

typedef struct Tensor {
  mluOpTensorDescriptor_t desc;
  void *data;
  size_t bytes;
} Tensor;

static Tensor tensor(mluOpDataType_t dtype, int d0, int d1) {
  Tensor t;
  const int dims[2] = {d0, d1};
  CHECK(mluOpGetSizeOfDataType(dtype, &t.bytes));
  t.bytes *= (size_t)d0 * (size_t)(d1 ? d1 : 1);
  CHECK(mluOpCreateTensorDescriptor(&t.desc));
  CHECK(mluOpSetTensorDescriptor(t.desc, MLUOP_LAYOUT_ARRAY, dtype, d1 ? 2 : 1, dims));
  CHECK(cnrtMalloc(&t.data, t.bytes));
  return t;
}

static void send(const Tensor *t, const void *host) {
  CHECK(cnrtMemcpy(t->data, (void *)host, t->bytes, cnrtMemcpyHostToDev));
}

static void fetch(const Tensor *t, void *host) {
  CHECK(cnrtMemcpy(host, t->data, t->bytes, cnrtMemcpyDevToHost));
}

/* Everything a step needs on the device. */
typedef struct Device {
  cnrtQueue_t queue;
  mluOpHandle_t handle;
  Tensor states, map, probs, rows, sorted, cache, table, request, position, ids, past, logits,
      noise, top_k, top_p, drawn;
  void *permute_space, *sample_space;
  size_t permute_bytes, sample_bytes;
} Device;

static void open_device(Device *d) {
  CHECK(cnrtSetDevice(0));
  CHECK(cnrtQueueCreate(&d->queue));
  CHECK(mluOpCreate(&d->handle));
  CHECK(mluOpSetQueue(d->handle, d->queue));
  d->states = tensor(MLUOP_DTYPE_FLOAT, BATCH, HIDDEN);
  d->map = tensor(MLUOP_DTYPE_INT8, BATCH, EXPERTS);
  d->probs = tensor(MLUOP_DTYPE_FLOAT, BATCH, EXPERTS);
  d->rows = tensor(MLUOP_DTYPE_FLOAT, ROWS, HIDDEN);
  d->sorted = tensor(MLUOP_DTYPE_INT32, ROWS, 0);
  d->cache = tensor(MLUOP_DTYPE_FLOAT, BATCH * PAGES * PAGE, HIDDEN);
  d->table = tensor(MLUOP_DTYPE_INT32, BATCH, PAGES);
  d->request = tensor(MLUOP_DTYPE_INT32, BATCH, 0);
  d->position = tensor(MLUOP_DTYPE_INT32, BATCH, 0);
  d->ids = tensor(MLUOP_DTYPE_INT32, BATCH, WINDOW);
  d->past = tensor(MLUOP_DTYPE_FLOAT, BATCH * WINDOW, HIDDEN);
  CHECK(mluOpSetTensorDescriptor(d->past.desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 3,
                                 (int[]){BATCH, WINDOW, HIDDEN}));
  d->logits = tensor(MLUOP_DTYPE_FLOAT, BATCH, VOCAB);
  d->noise = tensor(MLUOP_DTYPE_FLOAT, BATCH, VOCAB);
  d->top_k = tensor(MLUOP_DTYPE_INT32, BATCH, 0);
  d->top_p = tensor(MLUOP_DTYPE_FLOAT, BATCH, 0);
  d->drawn = tensor(MLUOP_DTYPE_INT64, BATCH, 0);
  CHECK(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(d->handle, d->map.desc,
                                                           &d->permute_bytes));
  CHECK(mluOpGetTopKTopPSampleWorkspaceSize(d->handle, d->logits.desc, &d->sample_bytes));
  CHECK(cnrtMalloc(&d->permute_space, d->permute_bytes + 1));
  CHECK(cnrtMalloc(&d->sample_space, d->sample_bytes + 1));
  /* The pages of the sequences are interleaved, as in a server that has run for a while. */
  int32_t table[BATCH][PAGES], top_k[BATCH], request[BATCH];
  float top_p[BATCH];
  for (int b = 0; b < BATCH; ++b) {
    for (int p = 0; p < PAGES; ++p) table[b][p] = p * BATCH + (b + p) % BATCH;
    top_k[b] = top_k_of(b);
    top_p[b] = TOP_P;
    request[b] = b;
  }
  send(&d->request, request);
  send(&d->table, table);
  send(&d->top_k, top_k);
  send(&d->top_p, top_p);
}

static void close_device(Device *d) {
  Tensor *all[] = {&d->states, &d->map,     &d->probs,    &d->rows, &d->sorted, &d->cache,
                   &d->table,  &d->request, &d->position, &d->ids,  &d->past,   &d->logits,
                   &d->noise,  &d->top_k,   &d->top_p,    &d->drawn};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    CHECK(cnrtFree(all[i]->data));
    CHECK(mluOpDestroyTensorDescriptor(all[i]->desc));
  }
  CHECK(cnrtFree(d->permute_space));
  CHECK(cnrtFree(d->sample_space));
  CHECK(mluOpDestroy(d->handle));
  CHECK(cnrtQueueDestroy(d->queue));
}

/* Sends tokens to their experts and back: states becomes the output of the layer. */
static void run_layer(Device *d, Step *step) {
  float rows[ROWS][HIDDEN];
  send(&d->states, step->states);
  send(&d->map, step->map);
  send(&d->probs, step->probs);
  CHECK(mluOpMoeTokenPermuteWithRoutingMap(d->handle, d->states.desc, d->states.data, d->map.desc,
                                           d->map.data, NULL, NULL, ROWS, false, d->permute_space,
                                           d->permute_bytes, d->rows.desc, d->rows.data, NULL, NULL,
                                           d->sorted.desc, d->sorted.data));
  CHECK(cnrtQueueSync(d->queue));
  fetch(&d->rows, rows);
  int row = 0;
  for (int e = 0; e < EXPERTS; ++e)
    for (int b = 0; b < BATCH; ++b)
      if (step->map[b][e]) run_expert(e, rows[row++]);
  send(&d->rows, rows);
  CHECK(mluOpMoeTokenUnpermuteWithRoutingMap(
      d->handle, d->rows.desc, d->rows.data, d->sorted.desc, d->sorted.data, d->map.desc,
      d->map.data, d->probs.desc, d->probs.data, false, NULL, 0, d->states.desc, d->states.data));
}

/* Writes the new states to the cache and reads back the latest ones. */
static void use_cache(Device *d, int number, float past[BATCH][WINDOW][HIDDEN]) {
  int32_t position[BATCH], ids[BATCH][WINDOW];
  for (int b = 0; b < BATCH; ++b) {
    position[b] = number;
    for (int w = 0; w < WINDOW; ++w) ids[b][w] = number - w; /* negative: a row of zeros */
  }
  send(&d->position, position);
  send(&d->ids, ids);
  CHECK(mluOpPagedCacheWrite(d->handle, d->states.desc, d->states.data, d->position.desc,
                             d->position.data, d->request.desc, d->request.data, d->table.desc,
                             d->table.data, PAGE, d->cache.desc, d->cache.data));
  CHECK(mluOpGatherInUbBatched(d->handle, d->cache.desc, d->cache.data, d->ids.desc, d->ids.data,
                               d->table.desc, d->table.data, NULL, NULL, NULL, NULL, PAGE, -2,
                               d->past.desc, d->past.data));
  CHECK(cnrtQueueSync(d->queue));
  fetch(&d->past, past);
}

void decode_with_library(int64_t tokens[STEPS][BATCH]) {
  static Device device;
  static Step step;
  static float past[BATCH][WINDOW][HIDDEN];
  Device *d = &device;
  open_device(d);
  for (int number = 0; number < STEPS; ++number) {
    start_step(&step, number);
    run_layer(d, &step);
    use_cache(d, number, past);
    fetch(&d->states, step.states);
    for (int b = 0; b < BATCH; ++b)
      make_logits(step.states[b], past[b][0], number + 1 < WINDOW ? number + 1 : WINDOW,
                  step.logits[b]);
    send(&d->logits, step.logits);
    send(&d->noise, step.noise);
    CHECK(mluOpTopKTopPSample(d->handle, d->logits.desc, d->logits.data, d->top_k.desc,
                              d->top_k.data, d->top_p.desc, d->top_p.data, d->noise.desc,
                              d->noise.data, 1e-8f, false, 16, d->sample_space, d->sample_bytes,
                              d->drawn.desc, d->drawn.data, NULL, NULL));
    CHECK(cnrtQueueSync(d->queue));
    fetch(&d->drawn, step.drawn);
    memcpy(tokens[number], step.drawn, sizeof step.drawn);
  }
  close_device(d);
}
