/* SPDX-License-Identifier: MIT
 *
 * One thread per rank; the ranks find each other by a clique id. Several cliques at once, and a
 * rank that is late.
 */
#include <pthread.h>
#include <string.h>

#include "world.h"

enum { RANKS = 4, ROUNDS = 100, COUNT = 500 };

struct worker {
  pthread_t thread;
  int index;
  struct cnclCliqueId *ids;
};

/* One clique with the ranks in order and one with them reversed, with calls of both in flight. */
static void *use_two_cliques(void *argument) {
  const struct worker *self = argument;
  const int rank[2] = {self->index, RANKS - 1 - self->index};
  cnclComm_t comm[2];
  cnrtQueue_t queue[2];
  int32_t *sum[2];
  int32_t *all[2];
  CHECK_OK(cnrtSetDevice(self->index));
  for (int c = 0; c < 2; ++c) {
    int count = 0;
    int found = -1;
    const cnclResult_t result =
        cnclInitComms(&comm[c], 1, &self->index, &rank[c], RANKS, &self->ids[c]);
    CHECK_CNCL(result);
    if (result != CNCL_RET_SUCCESS) {
      return NULL;
    }
    CHECK_CNCL(cnclGetCommCount(&count, comm[c]));
    CHECK_CNCL(cnclGetCommRank(&found, comm[c]));
    CHECK_EQ(count, RANKS);
    CHECK_EQ(found, rank[c]);
    CHECK_CNCL(cnclGetCommDevice(&found, comm[c]));
    CHECK_EQ(found, self->index);
    CHECK_OK(cnrtQueueCreate(&queue[c]));
    sum[c] = device_alloc(COUNT * sizeof(int32_t));
    all[c] = device_alloc(RANKS * COUNT * sizeof(int32_t));
  }
  for (int round = 0; round < ROUNDS; ++round) {
    for (int c = 0; c < 2; ++c) {
      for (int i = 0; i < COUNT; ++i) {
        sum[c][i] = round * (rank[c] + 1) + i;
      }
      CHECK_CNCL(cnclAllReduce(sum[c], sum[c], COUNT, cnclInt32, cnclSum, comm[c], queue[c]));
      CHECK_CNCL(cnclAllGather(sum[c], all[c], COUNT, cnclInt32, comm[c], queue[c]));
    }
    for (int c = 0; c < 2; ++c) {
      CHECK_OK(cnrtQueueSync(queue[c]));
      for (int i = 0; i < RANKS * COUNT; ++i) {
        const int expected = round * RANKS * (RANKS + 1) / 2 + RANKS * (i % COUNT);
        if (all[c][i] != expected) {
          CHECK_EQ(all[c][i], expected);
          break;
        }
      }
    }
  }
  for (int c = 0; c < 2; ++c) {
    CHECK_CNCL(cnclFreeComm(comm[c]));
    CHECK_OK(cnrtQueueDestroy(queue[c]));
    device_free(sum[c]);
    device_free(all[c]);
  }
  return NULL;
}

static void run_workers(void *(*body)(void *argument), struct cnclCliqueId *ids) {
  struct worker workers[RANKS];
  for (int i = 0; i < RANKS; ++i) {
    workers[i].index = i;
    workers[i].ids = ids;
    CHECK_EQ(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
  }
  for (int i = 0; i < RANKS; ++i) {
    pthread_join(workers[i].thread, NULL);
  }
}

static void two_cliques(void) {
  struct cnclCliqueId ids[2];
  CHECK_CNCL(cnclGetCliqueId(&ids[0]));
  CHECK_CNCL(cnclGetCliqueId(&ids[1]));
  CHECK(memcmp(&ids[0], &ids[1], sizeof(ids[0])) != 0);
  run_workers(use_two_cliques, ids);
}

/* One thread creates all ranks in turn: inside a group no call waits for the other ranks. */
static void init_in_group(void) {
  struct cnclCliqueId id;
  cnclComm_t comm[RANKS];
  int32_t *value[RANKS];
  CHECK_CNCL(cnclGetCliqueId(&id));
  CHECK_CNCL(cnclGroupStart());
  for (int i = 0; i < RANKS; ++i) {
    CHECK_CNCL(cnclInitComms(&comm[i], 1, &i, &i, RANKS, &id));
  }
  CHECK_CNCL(cnclGroupEnd());
  for (int i = 0; i < RANKS; ++i) {
    CHECK_OK(cnrtSetDevice(i));
    value[i] = device_alloc(sizeof(int32_t));
    *value[i] = 1 << i;
    CHECK_CNCL(cnclAllReduce(value[i], value[i], 1, cnclInt32, cnclSum, comm[i], NULL));
  }
  for (int i = 0; i < RANKS; ++i) {
    CHECK_OK(cnrtSetDevice(i));
    CHECK_OK(cnrtQueueSync(NULL));
    CHECK_EQ(*value[i], (1 << RANKS) - 1);
    device_free(value[i]);
  }
  CHECK_OK(cnrtSetDevice(0));
  CHECK_CNCL(cnclDestroyComms(comm, RANKS));
}

/* ---- A late rank ---- */

/* The last rank of this process is blocked until all its other ranks wait in their calls. */
static void late_rank(void) {
  struct gate gate = GATE_INITIALIZER;
  struct world world;
  int32_t *value[MAX_RANKS];
  CHECK(world_open(&world, MAX_RANKS));
  const int late = world.local - 1;
  CHECK_OK(cnrtInvokeHostFunc(world.queue[late], wait_at_gate, &gate));
  for (int i = 0; i < world.local; ++i) {
    value[i] = device_alloc(sizeof(int32_t));
    *value[i] = world.first + i;
    for (int round = 0; round < 3; ++round) {
      CHECK_CNCL(
          cnclAllReduce(value[i], value[i], 1, cnclInt32, cnclSum, world.comm[i], world.queue[i]));
    }
  }
  for (int i = 0; i < world.local; ++i) {
    CHECK_EQ(cnrtQueueQuery(world.queue[i]), cnrtErrorNotReady);
  }
  open_gate(&gate);
  world_sync(&world, cnrtSuccess);
  for (int i = 0; i < world.local; ++i) {
    CHECK_EQ(*value[i], MAX_RANKS * (MAX_RANKS - 1) / 2 * MAX_RANKS * MAX_RANKS);
    device_free(value[i]);
  }
  world_close(&world);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"two_cliques", two_cliques},
      {"init_in_group", init_in_group},
      {"late_rank", late_rank},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
