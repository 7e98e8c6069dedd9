/* SPDX-License-Identifier: MIT
 *
 * Every collective against plain loops: all types and operations, several sizes, in place and not.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

/* Zero, odd sizes, more than one block of the reductions, and enough for several threads. */
static const size_t counts[] = {0, 1, 7, 131, 1031, 9001};
enum { COUNTS = sizeof(counts) / sizeof(counts[0]), BLOCKS = 1031, BIG = 9001 };

struct buffers {
  char *send[MAX_RANKS];
  char *recv[MAX_RANKS];
  char *expected;
};

static void allocate(struct buffers *buffers, const struct world *world, size_t send, size_t recv) {
  for (int i = 0; i < world->local; ++i) {
    buffers->send[i] = device_alloc(send + 1);
    buffers->recv[i] = device_alloc(recv + 1);
    memset(buffers->recv[i], 0xa5, recv + 1);
  }
  buffers->expected = malloc(recv + 1);
}

static void release(struct buffers *buffers, const struct world *world) {
  for (int i = 0; i < world->local; ++i) {
    device_free(buffers->send[i]);
    device_free(buffers->recv[i]);
  }
  free(buffers->expected);
}

static void compare(const char *what, const struct element_type *type, const struct world *world,
                    int rank, size_t count, const char *got, const char *expected, size_t bytes) {
  if (memcmp(got, expected, bytes) != 0) {
    size_t at = 0;
    while (got[at] == expected[at]) {
      ++at;
    }
    report_failure(__FILE__, __LINE__, "%s %s, %zu elements, rank %d of %d: differs at byte %zu",
                   what, type->name, count, rank, world->ranks, at);
  }
}

typedef void (*test_function)(struct world *world, const struct element_type *type, size_t count,
                              bool in_place);

/* ---- Movers ---- */

static void broadcast(struct world *world, const struct element_type *type, size_t count,
                      bool in_place) {
  const size_t bytes = count * type->size;
  struct buffers b;
  allocate(&b, world, bytes, bytes);
  for (int root = 0; root < world->ranks; ++root) {
    for (int i = 0; i < world->local; ++i) {
      const bool is_root = world->first + i == root;
      if (is_root) {
        fill_elements(in_place ? b.recv[i] : b.send[i], type, root, 0, count);
      } else {
        memset(b.recv[i], 0xa5, bytes);
      }
      if (in_place) {
        CHECK_CNCL(cnclBcast(b.recv[i], count, type->type, root, world->comm[i], world->queue[i]));
      } else {
        CHECK_CNCL(cnclBroadcast(is_root ? b.send[i] : NULL, b.recv[i], count, type->type, root,
                                 world->comm[i], world->queue[i]));
      }
    }
    world_sync(world, cnrtSuccess);
    fill_elements(b.expected, type, root, 0, count);
    for (int i = 0; i < world->local; ++i) {
      compare("Broadcast", type, world, world->first + i, count, b.recv[i], b.expected, bytes);
    }
  }
  release(&b, world);
}

static void all_gather(struct world *world, const struct element_type *type, size_t count,
                       bool in_place) {
  const size_t bytes = count * type->size;
  const size_t all = bytes * (size_t)world->ranks;
  struct buffers b;
  allocate(&b, world, bytes, all);
  for (int i = 0; i < world->local; ++i) {
    const int rank = world->first + i;
    char *send = in_place ? b.recv[i] + (size_t)rank * bytes : b.send[i];
    fill_elements(send, type, rank, 0, count);
    CHECK_CNCL(cnclAllGather(send, b.recv[i], count, type->type, world->comm[i], world->queue[i]));
  }
  world_sync(world, cnrtSuccess);
  for (int rank = 0; rank < world->ranks; ++rank) {
    fill_elements(b.expected + (size_t)rank * bytes, type, rank, 0, count);
  }
  for (int i = 0; i < world->local; ++i) {
    compare("AllGather", type, world, world->first + i, count, b.recv[i], b.expected, all);
  }
  release(&b, world);
}

static void all_to_all(struct world *world, const struct element_type *type, size_t count,
                       bool in_place) {
  if (in_place) {
    return; /* not allowed, see the tests of arguments */
  }
  const size_t bytes = count * type->size;
  const size_t all = bytes * (size_t)world->ranks;
  struct buffers b;
  allocate(&b, world, all, all);
  for (int i = 0; i < world->local; ++i) {
    fill_elements(b.send[i], type, world->first + i, 0, count * (size_t)world->ranks);
    CHECK_CNCL(
        cnclAlltoAll(b.send[i], b.recv[i], count, type->type, world->comm[i], world->queue[i]));
  }
  world_sync(world, cnrtSuccess);
  for (int i = 0; i < world->local; ++i) {
    const int rank = world->first + i;
    for (int from = 0; from < world->ranks; ++from) {
      fill_elements(b.expected + (size_t)from * bytes, type, from, (size_t)rank * count, count);
    }
    compare("AlltoAll", type, world, rank, count, b.recv[i], b.expected, all);
  }
  release(&b, world);
}

/* ---- Reductions ---- */

static void all_reduce(struct world *world, const struct element_type *type, size_t count,
                       bool in_place) {
  const size_t bytes = count * type->size;
  struct buffers b;
  allocate(&b, world, bytes, bytes);
  for (int op = cnclSum; op <= cnclMin; ++op) {
    for (int i = 0; i < world->local; ++i) {
      char *send = in_place ? b.recv[i] : b.send[i];
      fill_elements(send, type, world->first + i, 0, count);
      CHECK_CNCL(cnclAllReduce(send, b.recv[i], count, type->type, (cnclReduceOp_t)op,
                               world->comm[i], world->queue[i]));
    }
    world_sync(world, cnrtSuccess);
    for (size_t k = 0; k < count; ++k) {
      put_reduced(b.expected, k, type, (cnclReduceOp_t)op, world->ranks, k);
    }
    for (int i = 0; i < world->local; ++i) {
      compare("AllReduce", type, world, world->first + i, count, b.recv[i], b.expected, bytes);
    }
  }
  release(&b, world);
}

static void reduce(struct world *world, const struct element_type *type, size_t count,
                   bool in_place) {
  const size_t bytes = count * type->size;
  struct buffers b;
  allocate(&b, world, bytes, bytes);
  for (int op = cnclSum; op <= cnclMin; ++op) {
    const int root = op % world->ranks;
    for (int i = 0; i < world->local; ++i) {
      const bool is_root = world->first + i == root;
      char *send = in_place && is_root ? b.recv[i] : b.send[i];
      fill_elements(send, type, world->first + i, 0, count);
      CHECK_CNCL(cnclReduce(send, is_root ? b.recv[i] : NULL, count, type->type, (cnclReduceOp_t)op,
                            root, world->comm[i], world->queue[i]));
    }
    world_sync(world, cnrtSuccess);
    if (root < world->first || root >= world->first + world->local) {
      continue;
    }
    for (size_t k = 0; k < count; ++k) {
      put_reduced(b.expected, k, type, (cnclReduceOp_t)op, world->ranks, k);
    }
    compare("Reduce", type, world, root, count, b.recv[root - world->first], b.expected, bytes);
  }
  release(&b, world);
}

static void reduce_scatter(struct world *world, const struct element_type *type, size_t count,
                           bool in_place) {
  const size_t bytes = count * type->size;
  const size_t all = count * (size_t)world->ranks;
  struct buffers b;
  allocate(&b, world, all * type->size, bytes);
  for (int op = cnclSum; op <= cnclMin; ++op) {
    for (int i = 0; i < world->local; ++i) {
      const int rank = world->first + i;
      fill_elements(b.send[i], type, rank, 0, all);
      char *recv = in_place ? b.send[i] + (size_t)rank * bytes : b.recv[i];
      CHECK_CNCL(cnclReduceScatter(b.send[i], recv, count, type->type, (cnclReduceOp_t)op,
                                   world->comm[i], world->queue[i]));
    }
    world_sync(world, cnrtSuccess);
    for (int i = 0; i < world->local; ++i) {
      const int rank = world->first + i;
      for (size_t k = 0; k < count; ++k) {
        put_reduced(b.expected, k, type, (cnclReduceOp_t)op, world->ranks,
                    (size_t)rank * count + k);
      }
      const char *recv = in_place ? b.send[i] + (size_t)rank * bytes : b.recv[i];
      compare("ReduceScatter", type, world, rank, count, recv, b.expected, bytes);
    }
  }
  release(&b, world);
}

/* Adding zero to a 16-bit float returns the same bits, and a NaN for a NaN. */
static void every_value(const struct element_type *type, uint16_t infinity) {
  enum { VALUES = 65536 };
  struct world world;
  struct buffers b;
  if (!world_open(&world, 2)) {
    return;
  }
  allocate(&b, &world, VALUES * sizeof(uint16_t), VALUES * sizeof(uint16_t));
  for (int i = 0; i < world.local; ++i) {
    uint16_t *send = (uint16_t *)b.send[i];
    for (int k = 0; k < VALUES; ++k) {
      send[k] = world.first + i == 0 ? (uint16_t)k : 0;
    }
    CHECK_CNCL(cnclAllReduce(b.send[i], b.recv[i], VALUES, type->type, cnclSum, world.comm[i],
                             world.queue[i]));
  }
  world_sync(&world, cnrtSuccess);
  for (int i = 0; i < world.local; ++i) {
    const uint16_t *recv = (const uint16_t *)b.recv[i];
    for (int k = 0; k < VALUES; ++k) {
      const bool is_nan = (k & 0x7fff) > infinity;
      const bool right = is_nan ? (recv[k] & 0x7fff) > infinity : recv[k] == (k == 0x8000 ? 0 : k);
      if (!right) {
        report_failure(__FILE__, __LINE__, "%s 0x%04x became 0x%04x", type->name, (unsigned)k,
                       (unsigned)recv[k]);
        break;
      }
    }
  }
  release(&b, &world);
  world_close(&world);
}

static void test_every_value(void) {
  every_value(&element_types[0], 0x7c00);
  every_value(&element_types[1], 0x7f80);
}

/* A NaN of any rank wins both maximum and minimum; infinities and zeros compare as usual. */
static void test_special_values(void) {
  static const float table[][3] = {
      {NAN, 1, 2}, {1, NAN, 2}, {1, 2, NAN}, {-INFINITY, 0, INFINITY}, {3, 3, 3}};
  enum { RANKS = 3, VALUES = sizeof(table) / sizeof(table[0]) };
  struct world world;
  struct buffers b;
  if (!world_open(&world, RANKS)) {
    return;
  }
  allocate(&b, &world, sizeof(float) * VALUES, sizeof(float) * VALUES);
  for (int op = cnclMax; op <= cnclMin; ++op) {
    for (int i = 0; i < world.local; ++i) {
      for (int k = 0; k < VALUES; ++k) {
        ((float *)b.send[i])[k] = table[k][world.first + i];
      }
      CHECK_CNCL(cnclAllReduce(b.send[i], b.recv[i], VALUES, cnclFloat, (cnclReduceOp_t)op,
                               world.comm[i], world.queue[i]));
    }
    world_sync(&world, cnrtSuccess);
    for (int i = 0; i < world.local; ++i) {
      const float *recv = (const float *)b.recv[i];
      CHECK(isnan(recv[0]) && isnan(recv[1]) && isnan(recv[2]));
      CHECK(recv[3] == (op == cnclMax ? INFINITY : -INFINITY));
      CHECK(recv[4] == 3);
    }
  }
  release(&b, &world);
  world_close(&world);
}

/* ---- All types and sizes ---- */

/* To save time, large counts run with some types and numbers of ranks only. */
static bool worth_testing(int ranks, cnclDataType_t type, size_t count) {
  if (count >= BIG) {
    return type == cnclFloat && ranks % 4 != 1;
  }
  return count < BLOCKS || type == cnclHalf || type == cnclFloat || type == cnclInt8;
}

static void for_all_shapes(test_function test) {
  static const int rank_counts[] = {1, 2, 3, 4, 8};
  for (size_t n = 0; n < sizeof(rank_counts) / sizeof(rank_counts[0]); ++n) {
    struct world world;
    if (!world_open(&world, rank_counts[n])) {
      continue;
    }
    for (int type = 0; type < TYPE_COUNT; ++type) {
      for (int c = 0; c < COUNTS; ++c) {
        if (!worth_testing(world.ranks, element_types[type].type, counts[c])) {
          continue;
        }
        test(&world, &element_types[type], counts[c], false);
        test(&world, &element_types[type], counts[c], true);
      }
    }
    world_close(&world);
  }
}

static void test_broadcast(void) {
  for_all_shapes(broadcast);
}
static void test_all_gather(void) {
  for_all_shapes(all_gather);
}
static void test_all_to_all(void) {
  for_all_shapes(all_to_all);
}
static void test_all_reduce(void) {
  for_all_shapes(all_reduce);
}
static void test_reduce(void) {
  for_all_shapes(reduce);
}
static void test_reduce_scatter(void) {
  for_all_shapes(reduce_scatter);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"broadcast", test_broadcast},     {"all_gather", test_all_gather},
      {"all_to_all", test_all_to_all},   {"all_reduce", test_all_reduce},
      {"reduce", test_reduce},           {"reduce_scatter", test_reduce_scatter},
      {"every_value", test_every_value}, {"special_values", test_special_values},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
