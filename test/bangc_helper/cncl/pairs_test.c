/* SPDX-License-Identifier: MIT
 *
 * Sends, receives, groups and cnclAlltoAllv.
 */
#include <stdlib.h>
#include <string.h>

#include "world.h"

static const struct element_type *const floats = &element_types[2];

static void for_all_worlds(void (*test)(struct world *world)) {
  for (int ranks = 1; ranks <= MAX_RANKS; ranks += ranks < 4 ? 1 : 4) {
    struct world world;
    if (world_open(&world, ranks)) {
      test(&world);
      world_close(&world);
    }
  }
}

/* Every rank sends to the next one, in one group per rank, several times. */
static void ring(struct world *world) {
  enum { COUNT = 1000, ROUNDS = 5 };
  float *send[MAX_RANKS];
  float *recv[MAX_RANKS];
  float expected[COUNT];
  for (int i = 0; i < world->local; ++i) {
    send[i] = device_alloc(COUNT * sizeof(float));
    recv[i] = device_alloc(COUNT * sizeof(float));
  }
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < world->local; ++i) {
      const int rank = world->first + i;
      fill_elements(send[i], floats, rank, (size_t)round * COUNT, COUNT);
      memset(recv[i], 0, COUNT * sizeof(float));
      CHECK_CNCL(cnclGroupStart());
      CHECK_CNCL(cnclSend(send[i], COUNT, cnclFloat, (rank + 1) % world->ranks, world->comm[i],
                          world->queue[i]));
      CHECK_CNCL(cnclRecv(recv[i], COUNT, cnclFloat, (rank + world->ranks - 1) % world->ranks,
                          world->comm[i], world->queue[i]));
      CHECK_CNCL(cnclGroupEnd());
    }
    world_sync(world, cnrtSuccess);
    for (int i = 0; i < world->local; ++i) {
      const int from = (world->first + i + world->ranks - 1) % world->ranks;
      fill_elements(expected, floats, from, (size_t)round * COUNT, COUNT);
      CHECK(memcmp(recv[i], expected, sizeof(expected)) == 0);
    }
  }
  for (int i = 0; i < world->local; ++i) {
    device_free(send[i]);
    device_free(recv[i]);
  }
}

/* Without groups a token travels around the ring: each rank receives, then sends. */
static void token(struct world *world) {
  float *buffer[MAX_RANKS];
  if (world->ranks == 1) {
    return;
  }
  for (int i = 0; i < world->local; ++i) {
    const int rank = world->first + i;
    const int next = (rank + 1) % world->ranks;
    const int previous = (rank + world->ranks - 1) % world->ranks;
    buffer[i] = device_alloc(sizeof(float));
    *buffer[i] = rank == 0 ? 42.0f : 0.0f;
    if (rank != 0) {
      CHECK_CNCL(cnclRecv(buffer[i], 1, cnclFloat, previous, world->comm[i], world->queue[i]));
    }
    CHECK_CNCL(cnclSend(buffer[i], 1, cnclFloat, next, world->comm[i], world->queue[i]));
    if (rank == 0) {
      CHECK_OK(cnrtMemsetAsync(buffer[i], 0, sizeof(float), world->queue[i]));
      CHECK_CNCL(cnclRecv(buffer[i], 1, cnclFloat, previous, world->comm[i], world->queue[i]));
    }
  }
  world_sync(world, cnrtSuccess);
  for (int i = 0; i < world->local; ++i) {
    CHECK(*buffer[i] == 42.0f);
    device_free(buffer[i]);
  }
}

/* Number of elements that rank `from` sends to rank `to`; 0 for some pairs. */
static uint32_t lane_count(int from, int to) {
  return (from + 2 * to) % 3 == 0 ? 0 : (uint32_t)(100 * from + 10 * to + 1);
}

static size_t lane_start(int from, int to) {
  return (size_t)from * 100000 + (size_t)to * 1000;
}

enum how { VECTOR_CALL, GROUPED_PAIRS };

struct exchange {
  char *out[MAX_RANKS];
  char *in[MAX_RANKS];
  uint32_t out_count[MAX_RANKS];
  uint32_t in_count[MAX_RANKS];
  cnclDataType_t types[MAX_RANKS];
};

static void exchange_open(struct exchange *x, int rank, int ranks,
                          const struct element_type *type) {
  for (int peer = 0; peer < ranks; ++peer) {
    x->out_count[peer] = lane_count(rank, peer);
    x->in_count[peer] = lane_count(peer, rank);
    x->types[peer] = type->type;
    x->out[peer] = x->out_count[peer] != 0 ? device_alloc(x->out_count[peer] * type->size) : NULL;
    x->in[peer] = x->in_count[peer] != 0 ? device_alloc(x->in_count[peer] * type->size) : NULL;
    fill_elements(x->out[peer], type, rank, lane_start(rank, peer), x->out_count[peer]);
  }
}

static void exchange_close(struct exchange *x, int rank, int ranks,
                           const struct element_type *type) {
  for (int peer = 0; peer < ranks; ++peer) {
    const size_t bytes = x->in_count[peer] * type->size;
    char *expected = malloc(bytes + 1);
    fill_elements(expected, type, peer, lane_start(peer, rank), x->in_count[peer]);
    CHECK(bytes == 0 || memcmp(x->in[peer], expected, bytes) == 0);
    free(expected);
    if (x->out[peer] != NULL) {
      device_free(x->out[peer]);
    }
    if (x->in[peer] != NULL) {
      device_free(x->in[peer]);
    }
  }
}

static void start_exchange(struct world *world, int i, struct exchange *x, enum how how) {
  if (how == VECTOR_CALL) {
    CHECK_CNCL(cnclAlltoAllv((const void **)x->out, x->out_count, x->types, (void **)x->in,
                             x->in_count, x->types, world->comm[i], world->queue[i]));
    return;
  }
  CHECK_CNCL(cnclGroupStart());
  for (int peer = 0; peer < world->ranks; ++peer) {
    if (x->out_count[peer] != 0) {
      CHECK_CNCL(cnclSend(x->out[peer], x->out_count[peer], x->types[peer], peer, world->comm[i],
                          world->queue[i]));
    }
    if (x->in_count[peer] != 0) {
      CHECK_CNCL(cnclRecv(x->in[peer], x->in_count[peer], x->types[peer], peer, world->comm[i],
                          world->queue[i]));
    }
  }
  CHECK_CNCL(cnclGroupEnd());
}

static void all_to_all_v(struct world *world) {
  for (int type = 0; type < TYPE_COUNT; ++type) {
    for (enum how how = VECTOR_CALL; how <= GROUPED_PAIRS; ++how) {
      static struct exchange x[MAX_RANKS];
      for (int i = 0; i < world->local; ++i) {
        exchange_open(&x[i], world->first + i, world->ranks, &element_types[type]);
      }
      for (int i = 0; i < world->local; ++i) {
        start_exchange(world, i, &x[i], how);
        /* The lists are read by the call itself, not when the queue runs it. */
        memset(x[i].types, 0, sizeof(x[i].types));
      }
      world_sync(world, cnrtSuccess);
      for (int i = 0; i < world->local; ++i) {
        exchange_close(&x[i], world->first + i, world->ranks, &element_types[type]);
      }
    }
  }
}

/* One group of one thread holds calls of all ranks and of two kinds. */
static void group_of_ranks(struct world *world) {
  int32_t *sum[MAX_RANKS];
  int32_t *all[MAX_RANKS];
  CHECK_CNCL(cnclGroupStart());
  CHECK_CNCL(cnclGroupStart()); /* groups nest */
  for (int i = 0; i < world->local; ++i) {
    const int rank = world->first + i;
    sum[i] = device_alloc(sizeof(int32_t));
    all[i] = device_alloc(MAX_RANKS * sizeof(int32_t));
    *sum[i] = rank + 1;
    all[i][rank] = 10 * rank;
    CHECK_CNCL(
        cnclAllReduce(sum[i], sum[i], 1, cnclInt32, cnclSum, world->comm[i], world->queue[i]));
    CHECK_CNCL(cnclAllGather(all[i] + rank, all[i], 1, cnclInt32, world->comm[i], world->queue[i]));
  }
  CHECK_CNCL(cnclGroupEnd());
  for (int i = 0; i < world->local; ++i) {
    CHECK_OK(cnrtQueueQuery(world->queue[i])); /* nothing starts before the outer cnclGroupEnd */
  }
  CHECK_CNCL(cnclGroupEnd());
  world_sync(world, cnrtSuccess);
  for (int i = 0; i < world->local; ++i) {
    CHECK_EQ(*sum[i], world->ranks * (world->ranks + 1) / 2);
    for (int rank = 0; rank < world->ranks; ++rank) {
      CHECK_EQ(all[i][rank], 10 * rank);
    }
    device_free(sum[i]);
    device_free(all[i]);
  }
}

/* Several ranks of this process share one device and one queue, which works only in a group. */
static void one_queue(void) {
  enum { RANKS = 3 };
  const int devices[RANKS] = {0, 0, 0};
  cnclComm_t comm[RANKS];
  int32_t *value = device_alloc(RANKS * sizeof(int32_t));
  CHECK_CNCL(cnclInitComms(comm, RANKS, devices, NULL, RANKS, NULL));
  CHECK_CNCL(cnclGroupStart());
  for (int i = 0; i < RANKS; ++i) {
    value[i] = i + 1;
    CHECK_CNCL(cnclAllReduce(value + i, value + i, 1, cnclInt32, cnclProd, comm[i], NULL));
  }
  CHECK_CNCL(cnclGroupEnd());
  CHECK_OK(cnrtQueueSync(NULL));
  for (int i = 0; i < RANKS; ++i) {
    CHECK_EQ(value[i], 6);
  }
  CHECK_CNCL(cnclDestroyComms(comm, RANKS));
  device_free(value);
}

/* An implicit queue belongs to the device that is current at the call. */
static void implicit_queues(cnrtQueue_t queue) {
  enum { RANKS = 4 };
  const int devices[RANKS] = {0, 1, 2, 3};
  cnclComm_t comm[RANKS];
  int32_t *value[RANKS];
  CHECK_CNCL(cnclInitComms(comm, RANKS, devices, NULL, RANKS, NULL));
  CHECK_CNCL(cnclGroupStart());
  for (int i = 0; i < RANKS; ++i) {
    CHECK_OK(cnrtSetDevice(i));
    value[i] = device_alloc(sizeof(int32_t));
    *value[i] = i;
    CHECK_CNCL(cnclAllReduce(value[i], value[i], 1, cnclInt32, cnclSum, comm[i], queue));
  }
  CHECK_CNCL(cnclGroupEnd());
  for (int i = 0; i < RANKS; ++i) {
    CHECK_OK(cnrtSetDevice(i));
    CHECK_OK(cnrtQueueSync(queue));
    CHECK_EQ(*value[i], 6);
    device_free(value[i]);
  }
  CHECK_OK(cnrtSetDevice(0));
  CHECK_CNCL(cnclDestroyComms(comm, RANKS));
}

static void default_queues(void) {
  implicit_queues(NULL);
  implicit_queues(cnrtQueueLegacy);
}
static void queues_per_thread(void) {
  implicit_queues(cnrtQueuePerThread);
}
static void test_ring(void) {
  for_all_worlds(ring);
}
static void test_token(void) {
  for_all_worlds(token);
}
static void test_all_to_all_v(void) {
  for_all_worlds(all_to_all_v);
}
static void test_group_of_ranks(void) {
  for_all_worlds(group_of_ranks);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"ring", test_ring},
      {"token", test_token},
      {"all_to_all_v", test_all_to_all_v},
      {"group_of_ranks", test_group_of_ranks},
      {"one_queue", one_queue},
      {"default_queues", default_queues},
      {"queues_per_thread", queues_per_thread},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
