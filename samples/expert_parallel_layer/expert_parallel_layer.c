/* SPDX-License-Identifier: MIT
 *
 * One step of an expert-parallel mixture-of-experts layer on a 2 x 4 mesh of devices:
 *
 *   route -> all_to_all_dispatch -> experts -> all_to_all_combine -> weighted sum
 *
 * Both rows of the mesh get the same tokens and routing, but each has only half of the experts. At
 * the end the sums of both rows are added. The result is compared bit by bit with the layer on one
 * device.
 *
 * In one process every rank is a thread with its own device. Under `mpirun -n 2`, 4 or 8 the same
 * program distributes the ranks over the processes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlu_op_comm.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    int status_ = (int)(call);                                                    \
    if (status_ != 0) {                                                           \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

enum { ROWS = 2, COLS = 4, RANKS = ROWS * COLS, CLUSTER_AXIS = 1, BY_BATCH = 1 };
enum { BATCH = 16, SEQUENCE = 4, TOKENS = BATCH * SEQUENCE, OWN_BATCH = BATCH / COLS };
enum { OWN_TOKENS = TOKENS / COLS, HIDDEN = 96, TOP_K = 4, EXPERTS = 16 };
enum { OWN_EXPERTS = EXPERTS / RANKS };

/* Known to every rank: the tokens, the experts they select, and the weight of each. */
static float tokens[TOKENS][HIDDEN];
static int32_t selected[TOKENS][TOP_K];
static float weights[TOKENS][TOP_K];
static int32_t mapping[EXPERTS][RANKS];
static float expected[TOKENS][HIDDEN];

/* A router with made-up scores; experts are assigned to the ranks round-robin. */
static void route(void) {
  for (int t = 0; t < TOKENS; ++t) {
    for (int j = 0; j < HIDDEN; ++j) tokens[t][j] = (float)((t * 37 + j * 11) % 101 - 50) / 16;
    for (int k = 0; k < TOP_K; ++k) {
      selected[t][k] = (t * 5 + k * (1 + 2 * (t % 3))) % EXPERTS;
      weights[t][k] = (float)(1 + (t + k * 3) % 7) / 8;
    }
  }
  for (int e = 0; e < EXPERTS; ++e) mapping[e][e * 3 % RANKS] = 1;
}

/* Expert e is a stub: a scale and a shift. */
static float run_expert(int expert, float x) {
  return x * (float)(expert + 1) + (float)expert / 4;
}

/* True if the expert is on this row of the mesh. */
static bool is_on_row(int expert, int mesh_row) {
  for (int c = 0; c < COLS; ++c)
    if (mapping[expert][mesh_row * COLS + c] == 1) return true;
  return false;
}

/* Adds the contributions of each row of the mesh in slot order, as the ranks do. */
static void run_on_one_device(void) {
  for (int t = 0; t < TOKENS; ++t) {
    for (int j = 0; j < HIDDEN; ++j) {
      float sum[ROWS] = {0};
      for (int r = 0; r < ROWS; ++r)
        for (int k = 0; k < TOP_K; ++k)
          if (is_on_row(selected[t][k], r))
            sum[r] += weights[t][k] * run_expert(selected[t][k], tokens[t][j]);
      expected[t][j] = sum[0] + sum[1];
    }
  }
}

/* ---- one rank ---- */

static mluOpTensorDescriptor_t describe(mluOpDataType_t dtype, const int *dims) {
  mluOpTensorDescriptor_t desc;
  CHECK(mluOpCreateTensorDescriptor(&desc));
  CHECK(mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, dtype, 4, dims));
  return desc;
}

static void *device_memory(const void *data, size_t bytes) {
  void *memory;
  CHECK(cnrtMalloc(&memory, bytes));
  if (data) CHECK(cnrtMemcpy(memory, (void *)data, bytes, cnrtMemcpyHostToDev));
  return memory;
}

/* Device memory and its descriptor. */
typedef struct Tensor {
  mluOpTensorDescriptor_t desc;
  void *data;
  size_t bytes;
} Tensor;

static Tensor make_tensor(mluOpDataType_t dtype, const void *data, int d0, int d1, int d2, int d3) {
  const size_t bytes = sizeof(float) * (size_t)d0 * (size_t)d1 * (size_t)d2 * (size_t)d3;
  return (Tensor){describe(dtype, (int[]){d0, d1, d2, d3}), device_memory(data, bytes), bytes};
}

static void free_tensor(Tensor *tensor) {
  CHECK(mluOpDestroyTensorDescriptor(tensor->desc));
  CHECK(cnrtFree(tensor->data));
}

typedef struct Rank {
  int rank, device;
  cnclComm_t comm;
  int wrong;
} Rank;

/* Every local expert processes the tokens that select it. The combine ignores rows of other tokens,
 * whatever they contain. */
static void run_local_experts(int rank, const float *sparse, const int32_t *metadata, float *rows) {
  int j = 0;
  for (int e = 0; e < EXPERTS; ++e) {
    if (mapping[e][rank] != 1) continue;
    for (int t = 0; t < TOKENS; ++t) {
      bool is_selected = false;
      for (int k = 0; k < TOP_K; ++k) is_selected |= metadata[t * TOP_K + k] == e;
      for (int i = 0; is_selected && i < HIDDEN; ++i)
        rows[(j * TOKENS + t) * HIDDEN + i] = run_expert(e, sparse[t * HIDDEN + i]);
    }
    ++j;
  }
}

/* The weighted sum over the slots, then over the rows of the mesh. */
static int sum_and_compare(const Rank *self, cnrtQueue_t queue, const float *combined,
                           int first_token) {
  static const size_t bytes = sizeof(float) * OWN_TOKENS * HIDDEN;
  float *sums = calloc(OWN_TOKENS * HIDDEN, sizeof *sums);
  for (int k = 0; sums && k < TOP_K; ++k)
    for (int t = 0; t < OWN_TOKENS; ++t)
      for (int j = 0; j < HIDDEN; ++j) /* Slots of experts on the other row of the mesh are 0. */
        if (is_on_row(selected[first_token + t][k], self->rank / COLS))
          sums[t * HIDDEN + j] +=
              weights[first_token + t][k] * combined[(k * OWN_TOKENS + t) * HIDDEN + j];

  /* The rank in the same column of the other row has the rest. */
  const int peer = (self->rank + COLS) % RANKS;
  void *own = device_memory(sums, bytes), *other = device_memory(NULL, bytes);
  CHECK(cnclGroupStart());
  CHECK(cnclSend(own, OWN_TOKENS * HIDDEN, cnclFloat, peer, self->comm, queue));
  CHECK(cnclRecv(other, OWN_TOKENS * HIDDEN, cnclFloat, peer, self->comm, queue));
  CHECK(cnclGroupEnd());
  CHECK(cnrtQueueSync(queue));
  float *rest = malloc(bytes);
  CHECK(sums == NULL || rest == NULL);
  CHECK(cnrtMemcpy(rest, other, bytes, cnrtMemcpyDevToHost));

  int wrong = 0;
  for (int t = 0; t < OWN_TOKENS; ++t) {
    for (int j = 0; j < HIDDEN; ++j) {
      const float a = sums[t * HIDDEN + j], b = rest[t * HIDDEN + j];
      const float sum = self->rank < COLS ? a + b : b + a;
      wrong += sum != expected[first_token + t][j];
    }
  }
  free(sums);
  free(rest);
  CHECK(cnrtFree(own));
  CHECK(cnrtFree(other));
  return wrong;
}

static void *run_rank(void *argument) {
  Rank *self = argument;
  cnrtQueue_t queue;
  mluOpHandle_t handle;
  CHECK(cnrtSetDevice(self->device));
  CHECK(cnrtQueueCreate(&queue));
  CHECK(mluOpCreate(&handle));
  CHECK(mluOpSetQueue(handle, queue));

  /* All ranks of a column own the same batch entries. */
  const int first_token = self->rank % COLS * OWN_TOKENS;
  const mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;
  Tensor own = make_tensor(kFloat, tokens[first_token], OWN_BATCH, 1, SEQUENCE, HIDDEN);
  Tensor indices = make_tensor(kInt, selected[first_token], OWN_BATCH, 1, SEQUENCE, TOP_K);
  Tensor map = make_tensor(kInt, mapping, 1, 1, EXPERTS, RANKS);
  Tensor sparse = make_tensor(kFloat, NULL, 1, BATCH, SEQUENCE, HIDDEN);
  Tensor metadata = make_tensor(kInt, NULL, 1, BATCH, SEQUENCE, TOP_K);
  Tensor rows = make_tensor(kFloat, NULL, OWN_EXPERTS, BATCH, SEQUENCE, HIDDEN);
  Tensor combined = make_tensor(kFloat, NULL, TOP_K, OWN_BATCH, SEQUENCE, HIDDEN);

  size_t size, combine_size;
  CHECK(mluOpGetAllToAllDispatchWorkspaceSize(handle, self->comm, own.desc, indices.desc, map.desc,
                                              ROWS, COLS, CLUSTER_AXIS, BY_BATCH, &size));
  CHECK(mluOpGetAllToAllCombineWorkspaceSize(handle, self->comm, rows.desc, metadata.desc, map.desc,
                                             false, ROWS, COLS, CLUSTER_AXIS, BY_BATCH,
                                             &combine_size));
  if (size < combine_size) size = combine_size;
  void *workspace = device_memory(NULL, size);

  CHECK(mluOpAllToAllDispatch(handle, self->comm, own.desc, own.data, indices.desc, indices.data,
                              map.desc, map.data, ROWS, COLS, CLUSTER_AXIS, BY_BATCH, 1,
                              MLUOP_COMM_TOPOLOGY_LINEAR, workspace, size, sparse.desc, sparse.data,
                              metadata.desc, metadata.data));
  CHECK(cnrtQueueSync(queue));
  float *host_sparse = malloc(sparse.bytes), *host_rows = calloc(1, rows.bytes);
  float *host_combined = malloc(combined.bytes);
  int32_t *host_metadata = malloc(metadata.bytes);
  CHECK(!host_sparse || !host_rows || !host_combined || !host_metadata);
  CHECK(cnrtMemcpy(host_sparse, sparse.data, sparse.bytes, cnrtMemcpyDevToHost));
  CHECK(cnrtMemcpy(host_metadata, metadata.data, metadata.bytes, cnrtMemcpyDevToHost));
  run_local_experts(self->rank, host_sparse, host_metadata, host_rows);
  CHECK(cnrtMemcpy(rows.data, host_rows, rows.bytes, cnrtMemcpyHostToDev));

  CHECK(mluOpAllToAllCombine(handle, self->comm, rows.desc, rows.data, metadata.desc, metadata.data,
                             map.desc, map.data, false, ROWS, COLS, CLUSTER_AXIS, BY_BATCH, 1,
                             MLUOP_COMM_TOPOLOGY_LINEAR, workspace, size, combined.desc,
                             combined.data));
  CHECK(cnrtQueueSync(queue));
  CHECK(cnrtMemcpy(host_combined, combined.data, combined.bytes, cnrtMemcpyDevToHost));
  self->wrong = sum_and_compare(self, queue, host_combined, first_token);

  free(host_sparse);
  free(host_rows);
  free(host_combined);
  free(host_metadata);
  CHECK(cnrtFree(workspace));
  Tensor *all[] = {&own, &indices, &map, &sparse, &metadata, &rows, &combined};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) free_tensor(all[i]);
  CHECK(mluOpDestroy(handle));
  CHECK(cnrtQueueDestroy(queue));
  return NULL;
}

/* ---- all ranks of this process ---- */

static int number_of(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

int main(void) {
  const int processes = number_of("OMPI_COMM_WORLD_SIZE", 1);
  const int process = number_of("OMPI_COMM_WORLD_RANK", 0);
  if (RANKS % processes != 0) {
    fprintf(stderr, "%d ranks cannot be spread over %d processes\n", RANKS, processes);
    return 1;
  }
  const int count = RANKS / processes;
  unsigned devices = 0;
  CHECK(cnrtGetDeviceCount(&devices));
  CHECK(devices == 0);
  route();
  run_on_one_device();

  int device_list[RANKS], rank_list[RANKS];
  cnclComm_t comms[RANKS];
  for (int i = 0; i < count; ++i) {
    device_list[i] = i % (int)devices;
    rank_list[i] = process * count + i;
  }
  CHECK(cnclInitComms(comms, count, device_list, rank_list, RANKS, NULL));
  Rank ranks[RANKS];
  pthread_t threads[RANKS];
  for (int i = 0; i < count; ++i) {
    ranks[i] = (Rank){rank_list[i], device_list[i], comms[i], 0};
    CHECK(pthread_create(&threads[i], NULL, run_rank, &ranks[i]));
  }
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    CHECK(pthread_join(threads[i], NULL));
    wrong += ranks[i].wrong;
  }
  CHECK(cnclDestroyComms(comms, count));
  printf("ranks %d to %d: %d of %d elements differ from the layer on one device\n", rank_list[0],
         rank_list[count - 1], wrong, count * OWN_TOKENS * HIDDEN);
  puts(wrong ? "FAIL" : "PASS");
  return wrong ? 1 : 0;
}
