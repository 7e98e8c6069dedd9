/* SPDX-License-Identifier: MIT
 *
 * Collectives between devices whose memory the host cannot touch: on the CPU with
 * MLUOP_CPU_HOST_ACCESS=0, on a GPU always. All data go through cnrtMemcpy.
 */
#include <stdlib.h>
#include <string.h>

#include "world.h"

/* One device buffer per rank of this process, and the contents expected in the end. */
struct buffers {
  void *device[MAX_RANKS];
  char *host;
  char *wanted;
  size_t bytes;
};

/* A world with the send and receive buffers of its ranks. */
struct exchange {
  struct world world;
  const struct element_type *type;
  struct buffers send;
  struct buffers receive;
};

static void open_buffers(struct buffers *buffers, const struct world *world, size_t bytes) {
  buffers->bytes = bytes;
  buffers->host = malloc(bytes);
  buffers->wanted = malloc(bytes);
  for (int i = 0; i < world->local; ++i) {
    CHECK_OK(cnrtSetDevice(i));
    buffers->device[i] = device_alloc(bytes);
    CHECK_OK(cnrtMemset(buffers->device[i], 0x55, bytes));
  }
  CHECK_OK(cnrtSetDevice(0));
}

static void close_buffers(struct buffers *buffers, const struct world *world) {
  for (int i = 0; i < world->local; ++i) {
    device_free(buffers->device[i]);
  }
  free(buffers->host);
  free(buffers->wanted);
}

/* Each rank gets a send buffer with `sent` elements and a receive buffer for `received`. */
static bool open_exchange(struct exchange *x, const struct element_type *type, size_t sent_per_rank,
                          size_t sent, size_t received_per_rank, size_t received) {
  const int alone = device_up_to(3) + 1;
  const int ranks = job_size() == 1 ? alone : job_size() < 4 ? 4 : job_size();
  if (!world_open(&x->world, ranks)) {
    return false;
  }
  x->type = type;
  const size_t send_count = sent + sent_per_rank * (size_t)ranks;
  open_buffers(&x->send, &x->world, send_count * type->size);
  open_buffers(&x->receive, &x->world, (received + received_per_rank * (size_t)ranks) * type->size);
  for (int i = 0; i < x->world.local; ++i) {
    fill_elements(x->send.host, type, x->world.first + i, 0, send_count);
    write_device(x->send.device[i], x->send.host, x->send.bytes);
  }
  return true;
}

static void close_exchange(struct exchange *x) {
  close_buffers(&x->send, &x->world);
  close_buffers(&x->receive, &x->world);
  world_close(&x->world);
}

/* Compares what a rank of this process has received with the expected contents. */
static void check(struct exchange *x, int i) {
  struct buffers *buffers = &x->receive;
  CHECK_OK(cnrtMemcpy(buffers->host, buffers->device[i], buffers->bytes, cnrtMemcpyDevToHost));
  CHECK(memcmp(buffers->host, buffers->wanted, buffers->bytes) == 0);
}

static void check_all(struct exchange *x) {
  for (int i = 0; i < x->world.local; ++i) {
    check(x, i);
  }
}

static void want_reduced(struct exchange *x, size_t first, size_t count) {
  for (size_t e = 0; e < count; ++e) {
    put_reduced(x->receive.wanted, e, x->type, cnclSum, x->world.ranks, first + e);
  }
}

static void all_reduce(const struct element_type *type, size_t count) {
  struct exchange x;
  if (!open_exchange(&x, type, 0, count, 0, count)) {
    return;
  }
  for (int i = 0; i < x.world.local; ++i) {
    CHECK_CNCL(cnclAllReduce(x.send.device[i], x.receive.device[i], count, type->type, cnclSum,
                             x.world.comm[i], x.world.queue[i]));
  }
  world_sync(&x.world, cnrtSuccess);
  want_reduced(&x, 0, count);
  check_all(&x);
  close_exchange(&x);
}

static void small_reductions(void) {
  for (size_t i = 0; i < TYPE_COUNT; ++i) {
    all_reduce(&element_types[i], 777);
  }
}

static void large_reduction(void) {
  all_reduce(&element_types[2], (size_t)700001); /* several pieces and a rest */
}

/* The root gathers slices from all processes. */
static void reduce_to_one(void) {
  enum { COUNT = 70001, ROOT = 1 };
  const struct element_type *type = &element_types[0];
  struct exchange x;
  if (!open_exchange(&x, type, 0, COUNT, 0, COUNT)) {
    return;
  }
  const int root = x.world.ranks > ROOT ? ROOT : 0;
  for (int i = 0; i < x.world.local; ++i) {
    CHECK_CNCL(cnclReduce(x.send.device[i], x.receive.device[i], COUNT, type->type, cnclSum, root,
                          x.world.comm[i], x.world.queue[i]));
  }
  world_sync(&x.world, cnrtSuccess);
  if (root >= x.world.first && root < x.world.first + x.world.local) {
    want_reduced(&x, 0, COUNT);
    check(&x, root - x.world.first);
  }
  close_exchange(&x);
}

static void reduce_scatter(void) {
  enum { COUNT = 30001 };
  const struct element_type *type = &element_types[1];
  struct exchange x;
  if (!open_exchange(&x, type, COUNT, 0, 0, COUNT)) {
    return;
  }
  for (int i = 0; i < x.world.local; ++i) {
    CHECK_CNCL(cnclReduceScatter(x.send.device[i], x.receive.device[i], COUNT, type->type, cnclSum,
                                 x.world.comm[i], x.world.queue[i]));
  }
  world_sync(&x.world, cnrtSuccess);
  for (int i = 0; i < x.world.local; ++i) {
    want_reduced(&x, (size_t)(x.world.first + i) * COUNT, COUNT);
    check(&x, i);
  }
  close_exchange(&x);
}

static void all_gather(size_t count) {
  const struct element_type *type = &element_types[5];
  struct exchange x;
  if (!open_exchange(&x, type, 0, count, count, 0)) {
    return;
  }
  for (int i = 0; i < x.world.local; ++i) {
    CHECK_CNCL(cnclAllGather(x.send.device[i], x.receive.device[i], count, type->type,
                             x.world.comm[i], x.world.queue[i]));
  }
  for (int rank = 0; rank < x.world.ranks; ++rank) {
    fill_elements(x.receive.wanted + (size_t)rank * count * type->size, type, rank, 0, count);
  }
  world_sync(&x.world, cnrtSuccess);
  check_all(&x);
  close_exchange(&x);
}

static void small_gather(void) {
  all_gather(1000);
}

static void large_gather(void) {
  all_gather((size_t)3 << 20);
}

static void broadcast(void) {
  enum { COUNT = 600001 };
  const struct element_type *type = &element_types[4];
  struct exchange x;
  if (!open_exchange(&x, type, 0, COUNT, 0, COUNT)) {
    return;
  }
  const int root = x.world.ranks - 1;
  for (int i = 0; i < x.world.local; ++i) {
    CHECK_CNCL(cnclBroadcast(x.send.device[i], x.receive.device[i], COUNT, type->type, root,
                             x.world.comm[i], x.world.queue[i]));
  }
  world_sync(&x.world, cnrtSuccess);
  fill_elements(x.receive.wanted, type, root, 0, COUNT);
  check_all(&x);
  close_exchange(&x);
}

static void all_to_all(size_t count) {
  const struct element_type *type = &element_types[2];
  struct exchange x;
  if (!open_exchange(&x, type, count, 0, count, 0)) {
    return;
  }
  for (int i = 0; i < x.world.local; ++i) {
    CHECK_CNCL(cnclAlltoAll(x.send.device[i], x.receive.device[i], count, type->type,
                            x.world.comm[i], x.world.queue[i]));
  }
  world_sync(&x.world, cnrtSuccess);
  for (int i = 0; i < x.world.local; ++i) {
    for (int rank = 0; rank < x.world.ranks; ++rank) {
      fill_elements(x.receive.wanted + (size_t)rank * count * type->size, type, rank,
                    (size_t)(x.world.first + i) * count, count);
    }
    check(&x, i);
  }
  close_exchange(&x);
}

static void small_all_to_all(void) {
  all_to_all(333);
}

static void large_all_to_all(void) {
  all_to_all((size_t)400001);
}

/* Every rank sends to the next one, in the default queue of each device. */
static void ring(void) {
  enum { COUNT = 5000 };
  const struct element_type *type = &element_types[6];
  struct exchange x;
  if (!open_exchange(&x, type, 0, COUNT, 0, COUNT)) {
    return;
  }
  const int ranks = x.world.ranks;
  CHECK_CNCL(cnclGroupStart());
  for (int i = 0; i < x.world.local; ++i) {
    const int rank = x.world.first + i;
    CHECK_OK(cnrtSetDevice(i));
    CHECK_CNCL(
        cnclSend(x.send.device[i], COUNT, type->type, (rank + 1) % ranks, x.world.comm[i], NULL));
    CHECK_CNCL(cnclRecv(x.receive.device[i], COUNT, type->type, (rank + ranks - 1) % ranks,
                        x.world.comm[i], NULL));
  }
  CHECK_CNCL(cnclGroupEnd());
  for (int i = 0; i < x.world.local; ++i) {
    CHECK_OK(cnrtSetDevice(i));
    CHECK_OK(cnrtQueueSync(NULL));
    fill_elements(x.receive.wanted, type, (x.world.first + i + ranks - 1) % ranks, 0, COUNT);
    check(&x, i);
  }
  CHECK_OK(cnrtSetDevice(0));
  close_exchange(&x);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"small_reductions", small_reductions},
      {"large_reduction", large_reduction},
      {"reduce_to_one", reduce_to_one},
      {"reduce_scatter", reduce_scatter},
      {"small_gather", small_gather},
      {"large_gather", large_gather},
      {"broadcast", broadcast},
      {"small_all_to_all", small_all_to_all},
      {"large_all_to_all", large_all_to_all},
      {"ring", ring},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
