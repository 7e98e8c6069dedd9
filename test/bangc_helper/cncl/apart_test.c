/* SPDX-License-Identifier: MIT
 *
 * Collectives between devices whose memory the host cannot touch: on the CPU with
 * MLUOP_CPU_HOST_ACCESS=0, on a GPU always. All data go through cnrtMemcpy.
 */
#include <stdlib.h>
#include <string.h>

#include "world.h"

/* One buffer per rank on its device, and what it should hold in the end. */
struct buffers {
  void *device[MAX_RANKS];
  char *host;
  char *wanted;
  size_t bytes;
};

static void open_buffers(struct buffers *buffers, const struct world *world, size_t bytes) {
  buffers->bytes = bytes;
  buffers->host = malloc(bytes);
  buffers->wanted = malloc(bytes);
  for (int i = 0; i < world->ranks; ++i) {
    CHECK_OK(cnrtSetDevice(i));
    buffers->device[i] = device_alloc(bytes);
    CHECK_OK(cnrtMemset(buffers->device[i], 0x55, bytes));
  }
  CHECK_OK(cnrtSetDevice(0));
}

static void close_buffers(struct buffers *buffers, const struct world *world) {
  for (int i = 0; i < world->ranks; ++i) {
    device_free(buffers->device[i]);
  }
  free(buffers->host);
  free(buffers->wanted);
}

static void contribute(struct buffers *buffers, const struct world *world,
                       const struct element_type *type, size_t count) {
  for (int i = 0; i < world->ranks; ++i) {
    fill_elements(buffers->host, type, i, 0, count);
    write_device(buffers->device[i], buffers->host, count * type->size);
  }
}

static void check(struct buffers *buffers, int rank) {
  CHECK_OK(cnrtMemcpy(buffers->host, buffers->device[rank], buffers->bytes, cnrtMemcpyDevToHost));
  CHECK(memcmp(buffers->host, buffers->wanted, buffers->bytes) == 0);
}

static bool open_world(struct world *world) {
  const int ranks = device_up_to(3) + 1;
  return world_open(world, ranks);
}

static void reductions(const struct element_type *type, size_t count) {
  struct world world;
  struct buffers send;
  struct buffers receive;
  if (!open_world(&world)) {
    return;
  }
  open_buffers(&send, &world, count * type->size);
  open_buffers(&receive, &world, count * type->size);
  contribute(&send, &world, type, count);
  for (int i = 0; i < world.ranks; ++i) {
    CHECK_CNCL(cnclAllReduce(send.device[i], receive.device[i], count, type->type, cnclSum,
                             world.comm[i], world.queue[i]));
  }
  world_sync(&world, cnrtSuccess);
  for (size_t e = 0; e < count; ++e) {
    put_reduced(receive.wanted, e, type, cnclSum, world.ranks, e);
  }
  for (int i = 0; i < world.ranks; ++i) {
    check(&receive, i);
  }
  close_buffers(&send, &world);
  close_buffers(&receive, &world);
  world_close(&world);
}

static void small_reductions(void) {
  for (size_t i = 0; i < TYPE_COUNT; ++i) {
    reductions(&element_types[i], 777);
  }
}

static void large_reduction(void) {
  reductions(&element_types[2], (size_t)700001); /* several pieces and a rest */
}

static void gathers(size_t count) {
  const struct element_type *type = &element_types[5];
  struct world world;
  struct buffers send;
  struct buffers receive;
  if (!open_world(&world)) {
    return;
  }
  open_buffers(&send, &world, count * type->size);
  open_buffers(&receive, &world, count * type->size * (size_t)world.ranks);
  contribute(&send, &world, type, count);
  for (int i = 0; i < world.ranks; ++i) {
    CHECK_CNCL(cnclAllGather(send.device[i], receive.device[i], count, type->type, world.comm[i],
                             world.queue[i]));
    fill_elements(receive.wanted + (size_t)i * count * type->size, type, i, 0, count);
  }
  world_sync(&world, cnrtSuccess);
  for (int i = 0; i < world.ranks; ++i) {
    check(&receive, i);
  }
  close_buffers(&send, &world);
  close_buffers(&receive, &world);
  world_close(&world);
}

static void small_gather(void) {
  gathers(1000);
}

static void large_gather(void) {
  gathers((size_t)3 << 20);
}

/* Every rank sends to the next one, in the default queue of each device. */
static void ring(void) {
  enum { COUNT = 5000 };
  const struct element_type *type = &element_types[6];
  struct world world;
  struct buffers send;
  struct buffers receive;
  if (!open_world(&world)) {
    return;
  }
  open_buffers(&send, &world, COUNT * type->size);
  open_buffers(&receive, &world, COUNT * type->size);
  contribute(&send, &world, type, COUNT);
  CHECK_CNCL(cnclGroupStart());
  for (int i = 0; i < world.ranks; ++i) {
    const int next = (i + 1) % world.ranks;
    const int previous = (i + world.ranks - 1) % world.ranks;
    CHECK_OK(cnrtSetDevice(i));
    CHECK_CNCL(cnclSend(send.device[i], COUNT, type->type, next, world.comm[i], NULL));
    CHECK_CNCL(cnclRecv(receive.device[i], COUNT, type->type, previous, world.comm[i], NULL));
  }
  CHECK_CNCL(cnclGroupEnd());
  for (int i = 0; i < world.ranks; ++i) {
    CHECK_OK(cnrtSetDevice(i));
    CHECK_OK(cnrtQueueSync(NULL));
    fill_elements(receive.wanted, type, (i + world.ranks - 1) % world.ranks, 0, COUNT);
    check(&receive, i);
  }
  CHECK_OK(cnrtSetDevice(0));
  close_buffers(&send, &world);
  close_buffers(&receive, &world);
  world_close(&world);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"small_reductions", small_reductions},
      {"large_reduction", large_reduction},
      {"small_gather", small_gather},
      {"large_gather", large_gather},
      {"ring", ring},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
