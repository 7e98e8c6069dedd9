/* SPDX-License-Identifier: MIT
 *
 * A mixture-of-experts layer around stub experts, in both ways the library offers:
 *
 *   route -> permute  -> experts -> unpermute      rows ordered by expert, nothing dropped
 *   route -> dispatch -> experts -> backward_data  a fixed number of slots per expert, top-k as k
 * calls
 *
 * Both sum a token's results in the order of its experts, so they agree bit by bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlu_op.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    int status_ = (int)(call);                                                    \
    if (status_ != 0) {                                                           \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

enum { TOKENS = 96, HIDDEN = 40, EXPERTS = 8, TOP_K = 2, ROWS = TOKENS * TOP_K, CAPACITY = TOKENS };

/* The experts that a token selects, ascending, and the weight of each. */
typedef struct Routing {
  int expert[TOKENS][TOP_K];
  float prob[TOKENS][TOP_K];
} Routing;

static mluOpTensorDescriptor_t describe(mluOpDataType_t dtype, int rank, const int *dims) {
  mluOpTensorDescriptor_t desc;
  CHECK(mluOpCreateTensorDescriptor(&desc));
  CHECK(mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims));
  return desc;
}

static void *device_memory(const void *data, size_t bytes) {
  void *memory;
  CHECK(cnrtMalloc(&memory, bytes));
  if (data)
    CHECK(cnrtMemcpy(memory, (void *)data, bytes, cnrtMemcpyHostToDev));
  else
    CHECK(cnrtMemset(memory, 0, bytes));
  return memory;
}

/* A router with made-up scores. */
static void route(Routing *routing) {
  for (int t = 0; t < TOKENS; ++t) {
    int first = t * 5 % EXPERTS, second = (first + 1 + t % (EXPERTS - 1)) % EXPERTS;
    float share = (float)(1 + t % 7) / 8;
    bool is_ordered = first < second;
    routing->expert[t][0] = is_ordered ? first : second;
    routing->expert[t][1] = is_ordered ? second : first;
    routing->prob[t][0] = is_ordered ? share : 1 - share;
    routing->prob[t][1] = is_ordered ? 1 - share : share;
  }
}

/* Expert e multiplies by e + 1. */
static void run_expert(float *rows, int64_t count, int expert) {
  for (int64_t i = 0; i < count * HIDDEN; ++i) rows[i] *= (float)(expert + 1);
}

static void through_permute(mluOpHandle_t handle, cnrtQueue_t queue, const Routing *routing,
                            const float *tokens, float *result) {
  static int8_t map[TOKENS][EXPERTS];
  static float probs[TOKENS][EXPERTS], rows[ROWS * HIDDEN];
  for (int t = 0; t < TOKENS; ++t) {
    for (int k = 0; k < TOP_K; ++k) {
      map[t][routing->expert[t][k]] = 1;
      probs[t][routing->expert[t][k]] = routing->prob[t][k];
    }
  }
  mluOpTensorDescriptor_t tokens_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){TOKENS, HIDDEN});
  mluOpTensorDescriptor_t map_desc = describe(MLUOP_DTYPE_INT8, 2, (int[]){TOKENS, EXPERTS});
  mluOpTensorDescriptor_t probs_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){TOKENS, EXPERTS});
  mluOpTensorDescriptor_t rows_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){ROWS, HIDDEN});
  mluOpTensorDescriptor_t indices_desc = describe(MLUOP_DTYPE_INT32, 1, (int[]){ROWS});
  mluOpTensorDescriptor_t counts_desc = describe(MLUOP_DTYPE_INT32, 1, (int[]){EXPERTS});
  void *tokens_dev = device_memory(tokens, sizeof(float) * TOKENS * HIDDEN);
  void *map_dev = device_memory(map, sizeof map), *probs_dev = device_memory(probs, sizeof probs);
  void *rows_dev = device_memory(NULL, sizeof rows);
  void *indices_dev = device_memory(NULL, sizeof(int32_t) * ROWS);
  void *counts_dev = device_memory(NULL, sizeof(int32_t) * EXPERTS);
  size_t size;
  CHECK(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle, map_desc, &size));
  void *workspace = device_memory(NULL, size + 1);

  CHECK(mluOpMoeTokenPermuteWithRoutingMap_v2(
      handle, tokens_desc, tokens_dev, map_desc, map_dev, NULL, NULL, ROWS, false, workspace, size,
      rows_desc, rows_dev, NULL, NULL, indices_desc, indices_dev, counts_desc, counts_dev));
  CHECK(cnrtQueueSync(queue));

  /* The rows of an expert are contiguous, so an expert is one call on one block. */
  int32_t counts[EXPERTS];
  CHECK(cnrtMemcpy(counts, counts_dev, sizeof counts, cnrtMemcpyDevToHost));
  CHECK(cnrtMemcpy(rows, rows_dev, sizeof rows, cnrtMemcpyDevToHost));
  int first = 0;
  for (int e = 0; e < EXPERTS; ++e) {
    printf("expert %d: %d tokens\n", e, counts[e]);
    run_expert(rows + first * HIDDEN, counts[e], e);
    first += counts[e];
  }
  CHECK(cnrtMemcpy(rows_dev, rows, sizeof rows, cnrtMemcpyHostToDev));

  CHECK(mluOpMoeTokenUnpermuteWithRoutingMap(handle, rows_desc, rows_dev, indices_desc, indices_dev,
                                             map_desc, map_dev, probs_desc, probs_dev, false, NULL,
                                             0, tokens_desc, tokens_dev));
  CHECK(cnrtQueueSync(queue));
  CHECK(cnrtMemcpy(result, tokens_dev, sizeof(float) * TOKENS * HIDDEN, cnrtMemcpyDevToHost));

  void *memory[] = {tokens_dev, map_dev, probs_dev, rows_dev, indices_dev, counts_dev, workspace};
  for (size_t i = 0; i < sizeof memory / sizeof memory[0]; ++i) CHECK(cnrtFree(memory[i]));
  mluOpTensorDescriptor_t descs[] = {tokens_desc, map_desc,     probs_desc,
                                     rows_desc,   indices_desc, counts_desc};
  for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
    CHECK(mluOpDestroyTensorDescriptor(descs[i]));
}

static void through_dispatch(mluOpHandle_t handle, cnrtQueue_t queue, const Routing *routing,
                             const float *tokens, float *result) {
  static float slots[EXPERTS * CAPACITY * HIDDEN], part[TOKENS * HIDDEN];
  int used[EXPERTS] = {0};
  mluOpTensorDescriptor_t word_desc = describe(MLUOP_DTYPE_INT32, 1, (int[]){TOKENS});
  mluOpTensorDescriptor_t gates_desc = describe(MLUOP_DTYPE_FLOAT, 1, (int[]){TOKENS});
  mluOpTensorDescriptor_t tokens_desc = describe(MLUOP_DTYPE_FLOAT, 2, (int[]){TOKENS, HIDDEN});
  mluOpTensorDescriptor_t slots_desc =
      describe(MLUOP_DTYPE_FLOAT, 2, (int[]){EXPERTS * CAPACITY, HIDDEN});
  void *tokens_dev = device_memory(tokens, sizeof part),
       *part_dev = device_memory(NULL, sizeof part);
  void *slots_dev = device_memory(NULL, sizeof slots);
  void *indices_dev[TOP_K], *locations_dev[TOP_K], *probs_dev[TOP_K];

  for (int k = 0; k < TOP_K; ++k) {
    int32_t indices[TOKENS], locations[TOKENS];
    float ones[TOKENS], probs[TOKENS];
    for (int t = 0; t < TOKENS; ++t) {
      indices[t] = routing->expert[t][k];
      locations[t] = used[indices[t]]++;
      ones[t] = 1;
      probs[t] = routing->prob[t][k];
    }
    indices_dev[k] = device_memory(indices, sizeof indices);
    locations_dev[k] = device_memory(locations, sizeof locations);
    probs_dev[k] = device_memory(probs, sizeof probs);
    void *ones_dev = device_memory(ones, sizeof ones);
    CHECK(mluOpMoeDispatchForward(handle, gates_desc, ones_dev, word_desc, indices_dev[k],
                                  word_desc, locations_dev[k], tokens_desc, tokens_dev, TOKENS,
                                  CAPACITY, HIDDEN, EXPERTS, slots_desc, slots_dev));
    CHECK(cnrtQueueSync(queue));
    CHECK(cnrtFree(ones_dev));
  }

  CHECK(cnrtMemcpy(slots, slots_dev, sizeof slots, cnrtMemcpyDevToHost));
  for (int e = 0; e < EXPERTS; ++e) run_expert(slots + e * CAPACITY * HIDDEN, used[e], e);
  CHECK(cnrtMemcpy(slots_dev, slots, sizeof slots, cnrtMemcpyHostToDev));

  for (int k = 0; k < TOP_K; ++k) {
    CHECK(mluOpMoeDispatchBackwardData(handle, gates_desc, probs_dev[k], word_desc, indices_dev[k],
                                       word_desc, locations_dev[k], slots_desc, slots_dev, TOKENS,
                                       CAPACITY, HIDDEN, EXPERTS, tokens_desc, part_dev));
    CHECK(cnrtQueueSync(queue));
    CHECK(cnrtMemcpy(part, part_dev, sizeof part, cnrtMemcpyDevToHost));
    for (int i = 0; i < TOKENS * HIDDEN; ++i) result[i] = k == 0 ? part[i] : result[i] + part[i];
    CHECK(cnrtFree(indices_dev[k]));
    CHECK(cnrtFree(locations_dev[k]));
    CHECK(cnrtFree(probs_dev[k]));
  }
  void *memory[] = {tokens_dev, part_dev, slots_dev};
  for (size_t i = 0; i < sizeof memory / sizeof memory[0]; ++i) CHECK(cnrtFree(memory[i]));
  mluOpTensorDescriptor_t descs[] = {word_desc, gates_desc, tokens_desc, slots_desc};
  for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
    CHECK(mluOpDestroyTensorDescriptor(descs[i]));
}

int main(void) {
  static float tokens[TOKENS * HIDDEN], permuted[TOKENS * HIDDEN], dispatched[TOKENS * HIDDEN];
  static Routing routing;
  for (int t = 0; t < TOKENS; ++t)
    for (int j = 0; j < HIDDEN; ++j) tokens[t * HIDDEN + j] = (float)(t * 31 + j * 7 % 13) / 64;
  route(&routing);

  CHECK(cnrtSetDevice(0));
  cnrtQueue_t queue;
  CHECK(cnrtQueueCreate(&queue));
  mluOpHandle_t handle;
  CHECK(mluOpCreate(&handle));
  CHECK(mluOpSetQueue(handle, queue));
  through_permute(handle, queue, &routing, tokens, permuted);
  through_dispatch(handle, queue, &routing, tokens, dispatched);
  CHECK(mluOpDestroy(handle));
  CHECK(cnrtQueueDestroy(queue));

  int wrong = 0;
  for (int t = 0; t < TOKENS; ++t) {
    for (int j = 0; j < HIDDEN; ++j) {
      float expected = 0;
      for (int k = 0; k < TOP_K; ++k) {
        float term =
            routing.prob[t][k] * (tokens[t * HIDDEN + j] * (float)(routing.expert[t][k] + 1));
        expected = k == 0 ? term : expected + term;
      }
      int i = t * HIDDEN + j;
      wrong += permuted[i] != expected || dispatched[i] != expected;
    }
  }
  printf("both ways agree with the layer computed directly: %s\n", wrong ? "no" : "yes");
  puts(wrong ? "FAIL" : "PASS");
  return wrong ? 1 : 0;
}
