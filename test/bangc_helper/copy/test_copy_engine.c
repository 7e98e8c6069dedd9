/* SPDX-License-Identifier: MIT
 *
 * Tests the contract of the copy engine: a recorded copy has no effect before the sync of its pipe;
 * the sync then has the effect of doing the copies in order. Random batches run through the engine
 * on one memory and through plain copies on a second one, and the two are compared. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bang/table.h"
#include "bang/vector_api.h"
#include "bang_runtime.h"

enum { GDRAM2NRAM = 0, NRAM2GDRAM = 1, NRAM2NRAM = 8, SRAM2NRAM = 15, GDRAM2GDRAM = 19 };
enum { MEMORY = 1 << 16, MAX_BATCH = 24, BATCHES = 4000, MAX_ROWS = 16 };

/* The first half stands for GDRAM, the second half for the NRAM of a core. */
typedef struct Memory {
  _Alignas(64) unsigned char byte[MEMORY];
} Memory;

typedef struct TestCopy {
  size_t dst, src, size;
  int dir, has_shape;
  bangCopyShape shape;
} TestCopy;

static int failures;

static void expect(int ok, const char *what, long detail) {
  if (ok) return;
  ++failures;
  fprintf(stderr, "FAILED: %s (%ld)\n", what, detail);
}

static uint32_t random_state;

static uint32_t draw(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)(random_state >> 8) * n) >> 24);
}

static void naive_copy(Memory *m, const TestCopy *c) {
  size_t d1 = 1, d2 = 1, s1 = 1;
  if (c->has_shape)
    d1 = c->shape.dst_segnum1 + 1, d2 = c->shape.dst_segnum2 + 1, s1 = c->shape.src_segnum1 + 1;
  for (size_t i = 0; i < d1 * d2; ++i) {
    size_t dst = c->dst, src = c->src;
    if (c->has_shape) {
      dst += (size_t)((ptrdiff_t)(i % d1) * c->shape.dst_stride0 +
                      (ptrdiff_t)(i / d1) * c->shape.dst_stride1);
      src += (size_t)((ptrdiff_t)(i % s1) * c->shape.src_stride0 +
                      (ptrdiff_t)(i / s1) * c->shape.src_stride1);
    }
    /* A buffer, because a segment that overlaps its own target is copied as by memmove. */
    unsigned char segment[4096];
    memcpy(segment, m->byte + src, c->size);
    memcpy(m->byte + dst, segment, c->size);
  }
}

static void engine_copy(Memory *m, const TestCopy *c, int is_async) {
  __bang_copy(m->byte + c->dst, m->byte + c->src, c->size, c->dir, c->has_shape ? &c->shape : NULL,
              is_async);
}

/* A random offset for `span` bytes: in the NRAM half if `on_chip`, else in the GDRAM half. */
static size_t place(int on_chip, size_t span) {
  return (on_chip ? MEMORY / 2 : 0) + draw((uint32_t)(MEMORY / 2 - span));
}

/* Draws a random copy. If `disjoint`, the stores of a batch touch nothing that its loads touch, as
 * in a ping-pong kernel. */
static TestCopy draw_copy(int disjoint) {
  static const int dirs[] = {GDRAM2NRAM, NRAM2GDRAM, SRAM2NRAM, GDRAM2GDRAM};
  TestCopy c = {.dir = dirs[draw(disjoint ? 2 : 4)]};
  int to_chip = c.dir == GDRAM2NRAM || c.dir == SRAM2NRAM;
  int from_chip = c.dir == NRAM2GDRAM || c.dir == SRAM2NRAM;
  c.has_shape = draw(3) == 0;
  c.size = 1 + draw(c.has_shape ? 300 : 3000);
  size_t dst_span = c.size, src_span = c.size;
  if (c.has_shape) {
    size_t n1 = 1 + draw(5), n2 = 1 + draw(3);
    int folded = draw(2) == 0; /* the source has one dimension only */
    c.shape.dst_segnum1 = n1 - 1;
    c.shape.dst_segnum2 = n2 - 1;
    c.shape.dst_stride0 = (ptrdiff_t)(c.size + draw(40));
    c.shape.dst_stride1 = c.shape.dst_stride0 * (ptrdiff_t)n1 + (ptrdiff_t)draw(64);
    c.shape.src_segnum1 = folded ? n1 * n2 - 1 : n1 - 1;
    c.shape.src_segnum2 = folded ? 0 : n2 - 1;
    c.shape.src_stride0 = draw(4) == 0 ? 0 : (ptrdiff_t)(c.size + draw(30));
    c.shape.src_stride1 = folded ? 0 : c.shape.src_stride0 * (ptrdiff_t)n1;
    dst_span += (size_t)c.shape.dst_stride0 * (n1 - 1) + (size_t)c.shape.dst_stride1 * (n2 - 1);
    src_span += (size_t)c.shape.src_stride0 * c.shape.src_segnum1 +
                (size_t)c.shape.src_stride1 * c.shape.src_segnum2;
  }
  size_t quarter = MEMORY / 4;
  do {
    c.dst = place(to_chip, dst_span);
    c.src = place(from_chip, src_span);
    if (!disjoint) break;
    /* Loads use the lower quarter of each half, stores the upper one. */
    size_t low = c.dir == GDRAM2NRAM ? 0 : quarter;
    c.dst = (to_chip ? MEMORY / 2 : 0) + low + draw((uint32_t)(quarter - dst_span % quarter));
    c.src = (from_chip ? MEMORY / 2 : 0) + low + draw((uint32_t)(quarter - src_span % quarter));
  } while (c.dst % quarter + dst_span > quarter || c.src % quarter + src_span > quarter);
  return c;
}

static void test_random_batches(void) {
  static Memory engine, naive, before;
  for (int batch = 0; batch < BATCHES; ++batch) {
    random_state = (uint32_t)batch;
    for (size_t i = 0; i < MEMORY; ++i) engine.byte[i] = (unsigned char)draw(256);
    naive = before = engine;
    int disjoint = batch % 2;
    int count = 1 + (int)draw(MAX_BATCH);
    for (int i = 0; i < count; ++i) {
      TestCopy c = draw_copy(disjoint);
      engine_copy(&engine, &c, 1);
      naive_copy(&naive, &c);
    }
    expect(memcmp(&engine, &before, sizeof engine) == 0, "nothing happens before the sync", batch);
    /* Copies of different pipes may overlap, and then their order is open. The order in which they
     * were recorded is legal, and it is what a sync of all pipes gives. */
    __bang_sync_pipes(BANG_PIPE_ALL);
    expect(memcmp(&engine, &naive, sizeof engine) == 0, "a batch equals its copies in order",
           batch);
    if (failures > 5) return;
  }
}

/* Loads in the middle third of each half, stores on both sides of it. In every second batch some
 * stores touch what is loaded. */
static void test_loads_between_stores(void) {
  static Memory engine, naive;
  const size_t third = MEMORY / 6;
  for (int batch = 0; batch < BATCHES; ++batch) {
    random_state = (uint32_t)batch;
    for (size_t i = 0; i < MEMORY; ++i) engine.byte[i] = (unsigned char)draw(256);
    naive = engine;
    for (int i = 0, count = 1 + (int)draw(MAX_BATCH); i < count; ++i) {
      const size_t size = 1 + draw(700);
      const int is_load = draw(3) == 0, is_between = is_load || (batch % 2 && draw(8) == 0);
      const size_t in_memory =
          (is_between ? 1 : 2 * draw(2)) * third + draw((uint32_t)(third - size));
      const size_t on_chip =
          (is_between ? 1 : 2 * draw(2)) * third + draw((uint32_t)(third - size));
      const TestCopy load = {MEMORY / 2 + on_chip, in_memory, size, GDRAM2NRAM, 0, {0}};
      const TestCopy store = {in_memory, MEMORY / 2 + on_chip, size, NRAM2GDRAM, 0, {0}};
      engine_copy(&engine, is_load ? &load : &store, 1);
      naive_copy(&naive, is_load ? &load : &store);
    }
    __bang_sync_pipes(BANG_PIPE_ALL);
    expect(memcmp(&engine, &naive, sizeof engine) == 0, "loads between stores", batch);
    if (failures > 5) return;
  }
}

/* Loads that follow each other in memory and on chip are one load to the engine, unless something
 * lies between them: the store here reads what the first load writes. */
static void test_consecutive_loads(void) {
  static Memory engine, naive, before;
  for (int with_store = 0; with_store < 2; ++with_store) {
    for (size_t i = 0; i < MEMORY; ++i) engine.byte[i] = (unsigned char)draw(256);
    naive = before = engine;
    for (size_t i = 0; i < 6; ++i) {
      const size_t half = MEMORY / 2, at = i * 320;
      const TestCopy load = {.dst = half + at, .src = 64 + at, .size = 320, .dir = GDRAM2NRAM};
      const TestCopy store = {.dst = 8192 + at, .src = half, .size = 700, .dir = NRAM2GDRAM};
      engine_copy(&engine, &load, 1);
      naive_copy(&naive, &load);
      if (!with_store || i % 2) continue;
      engine_copy(&engine, &store, 1);
      naive_copy(&naive, &store);
    }
    expect(memcmp(&engine, &before, sizeof engine) == 0, "loads wait for the sync", with_store);
    __bang_sync_pipes(BANG_PIPE_ALL);
    expect(memcmp(&engine, &naive, sizeof engine) == 0, "consecutive loads", with_store);
  }
}

/* Rows that lie at cache lines, moved inside memory. A row may be the source of one before it, its
 * target, and overlap its own target. */
static void test_rows_inside_memory(void) {
  static Memory engine, naive, before;
  enum { ROWS = 200, LINE = 64 };
  for (int batch = 0; batch < BATCHES / 20; ++batch) {
    random_state = (uint32_t)batch;
    for (size_t i = 0; i < MEMORY; ++i) engine.byte[i] = (unsigned char)draw(256);
    naive = before = engine;
    for (int i = 0; i < ROWS; ++i) {
      const size_t lines = 1 + draw(64), room = MEMORY / 2 / LINE - lines;
      const TestCopy c = {.dst = draw((uint32_t)room) * LINE + (draw(4) == 0 ? 1 : 0),
                          .src = draw((uint32_t)room) * LINE,
                          .size = lines * LINE,
                          .dir = GDRAM2GDRAM};
      engine_copy(&engine, &c, 1);
      naive_copy(&naive, &c);
    }
    expect(memcmp(&engine, &before, sizeof engine) == 0, "rows wait for the sync", batch);
    __bang_sync_pipes(BANG_PIPE_ALL);
    expect(memcmp(&engine, &naive, sizeof engine) == 0, "rows inside memory, in order", batch);
  }
}

/* A copy inside NRAM is done at once, after the copies recorded earlier in its own pipe. Copies of
 * other pipes stay recorded. */
static void test_copies_inside_nram(void) {
  char nram[32] = {0};
  const char memory[8] = "memory", shared[8] = "shared";
  __bang_copy(nram, memory, 8, GDRAM2NRAM, NULL, 1);
  __bang_copy(nram + 8, shared, 8, SRAM2NRAM, NULL, 1);
  __bang_copy(nram + 16, nram + 8, 8, NRAM2NRAM, NULL, 1);
  const bangCopyShape twice = {.dst_stride0 = 4, .dst_segnum1 = 1, .src_segnum1 = 1};
  __bang_copy(nram + 24, nram + 16, 4, NRAM2NRAM, &twice, 1);
  expect(nram[0] == 0, "a load is still recorded", 0);
  expect(memcmp(nram + 16, "shared\0\0sharshar", 16) == 0, "copies inside NRAM are done", 0);
  __bang_sync_pipes(BANG_PIPE_ALL);
  expect(memcmp(nram, memory, 8) == 0, "and the load after its sync", 0);
}

/* Records `count` stores of `size` bytes between two quarters of the memory. About half of the
 * offsets are at the start of a cache line, the others anywhere. */
static void store_some(Memory *engine, Memory *naive, int count, size_t size, size_t to,
                       size_t from) {
  const uint32_t room = (uint32_t)(MEMORY / 4 - size);
  for (int i = 0; i < count; ++i) {
    const size_t line = draw(2) ? 64 : 1;
    TestCopy c = {.dst = to + draw(room) / line * line,
                  .src = from + draw(room) / line * line,
                  .size = size,
                  .dir = NRAM2GDRAM};
    engine_copy(engine, &c, 1);
    naive_copy(naive, &c);
  }
}

/* Gathers rows in two tiles; before a tile there may be stores in the same pipe. */
static void test_gathers_beside_stores(void) {
  static Memory engine, naive, before;
  const size_t quarter = MEMORY / 4, nram = MEMORY / 2;
  for (int batch = 0; batch < BATCHES; ++batch) {
    random_state = (uint32_t)batch;
    for (size_t i = 0; i < MEMORY; ++i) engine.byte[i] = (unsigned char)draw(256);
    naive = engine;
    const size_t sizes[] = {64, 256, 512, 257, 1 + draw(600), 1024, 1024 + draw(700), 1152};
    const size_t size = sizes[draw(8)], stride = size + (draw(2) ? 0 : draw(64));
    const int rows = 1 + (int)draw(MAX_ROWS / 2), is_masked = draw(3) == 0;
    uint32_t offset[MAX_ROWS];
    uint8_t mask[MAX_ROWS / 8];
    for (int i = 0; i < MAX_ROWS; ++i) offset[i] = draw((uint32_t)(quarter - size));
    for (int i = 0; i < MAX_ROWS / 8; ++i) mask[i] = (uint8_t)draw(256);
    /* Sometimes the target is GDRAM too, so that a long row may overlap its own target. */
    const size_t target = draw(4) || size < 256 ? nram : 0;
    for (int first = 0; first < 2 * rows; first += rows) {
      before = engine;
      /* Sometimes the stores read where the rows are written, or write where they are read. */
      const size_t store_from = nram + (draw(4) ? quarter : 0), store_to = draw(4) ? quarter : 0;
      const size_t store_size = draw(2) ? size : 1 + draw(4096);
      if (draw(2))
        store_some(&engine, &naive, (int)draw(draw(2) ? 2 : MAX_ROWS), store_size, store_to,
                   store_from);
      bangTransfer gather = {.dst = (char *)engine.byte + target,
                             .src = (const char *)engine.byte,
                             .offset = offset + first,
                             .mask = is_masked ? mask : NULL,
                             .bytes = (int64_t)size,
                             .stride = (int64_t)stride,
                             .count = rows};
      __bang_vec_gather_async(BANG_PIPE_IO, &gather);
      for (int i = 0; i < rows; ++i) {
        if (is_masked && !(mask[i / 8] >> (i % 8) & 1)) continue;
        TestCopy c = {.dst = target + (size_t)i * stride, .src = offset[first + i], .size = size};
        naive_copy(&naive, &c);
      }
      expect(memcmp(&engine, &before, sizeof engine) == 0, "a gather waits for its sync", batch);
      __bang_sync_pipes(BANG_PIPE_IO);
      expect(memcmp(&engine, &naive, sizeof engine) == 0, "a gather is its rows in order", batch);
    }
    if (failures > 5) return;
  }
}

static void test_pipes_are_separate(void) {
  static Memory m;
  memset(&m, 0, sizeof m);
  m.byte[0] = 7;
  m.byte[MEMORY / 2 + 100] = 9;
  TestCopy load = {.dst = MEMORY / 2, .src = 0, .size = 1, .dir = GDRAM2NRAM};
  TestCopy move = {.dst = MEMORY / 2 + 200, .src = MEMORY / 2 + 100, .size = 1, .dir = NRAM2NRAM};
  engine_copy(&m, &load, 1);
  engine_copy(&m, &move, 1);
  __bang_sync_pipes(BANG_PIPE_MOVE);
  expect(m.byte[MEMORY / 2 + 200] == 9, "the synced pipe is done", 0);
  expect(m.byte[MEMORY / 2] == 0, "the other pipe is not", 0);
  TestCopy sync_load = {.dst = MEMORY / 2 + 1, .src = 0, .size = 1, .dir = GDRAM2NRAM};
  engine_copy(&m, &sync_load, 0);
  expect(m.byte[MEMORY / 2] == 7 && m.byte[MEMORY / 2 + 1] == 7, "a pipe works in order", 0);
}

/* From the second batch on, vector functions fetch the loads and compute in pieces. */
static void test_computing_beside_loads(void) {
  enum { N = 1000, LOADED = 32 * 1024 };
  static char loaded[LOADED], target[LOADED];
  static float x[N], y[N], results[5][N];
  static int16_t shorts[N];
  const float three = 3.0f;
  for (int i = 0; i < N; ++i) {
    x[i] = (float)i;
    y[i] = (float)(2 * i + 1);
    shorts[i] = (int16_t)(i - 500);
  }
  for (int batch = 0; batch < 3; ++batch) {
    memset(results, 0, sizeof results);
    __bang_copy(target, loaded, LOADED, GDRAM2NRAM, NULL, 1);
    __bang_vec_unary(BANG_NEG, BANG_F32, results[0], x, N);
    __bang_vec_binary(BANG_ADD, BANG_F32, results[1], x, y, N);
    __bang_vec_scalar(BANG_MUL, BANG_F32, results[2], x, &three, N);
    __bang_vec_convert(BANG_F32, results[3], BANG_S16, shorts, N, 0, BANG_RN);
    __bang_vec_fusion(0, BANG_F32, results[4], x, &three, 1, y, 0, N, N); /* x * 3 + y */
    __bang_sync_pipes(BANG_PIPE_ALL);
    for (int i = 0; i < N; ++i) {
      const int right = results[0][i] == -x[i] && results[1][i] == x[i] + y[i] &&
                        results[2][i] == x[i] * three && results[3][i] == (float)shorts[i] &&
                        results[4][i] == x[i] * three + y[i];
      expect(right, "vector functions compute the same while loads wait", i);
      if (!right) return;
    }
  }
}

static void add_one(const void *args) {
  unsigned char *target;
  memcpy(&target, args, sizeof target);
  ++*target;
}

static void test_deferred_calls(void) {
  unsigned char value = 1;
  unsigned char *target = &value;
  __bang_defer(BANG_PIPE_IO, add_one, &target, sizeof target);
  expect(value == 1, "a deferred call waits", value);
  __bang_copy_engine_finish();
  expect(value == 2, "a finished task has done its calls", value);
  __bang_defer(BANG_PIPE_IO, add_one, &target, sizeof target);
  __bang_copy_engine_reset();
  __bang_sync_pipes(BANG_PIPE_ALL);
  expect(value == 2, "an aborted task leaves nothing behind", value);
}

static void test_bad_shapes(void) {
  static Memory m;
  memset(&m, 0, sizeof m);
  m.byte[0] = 1;
  bangCopyShape shape = {.dst_stride0 = 8, .dst_segnum1 = 3, .src_stride0 = 8, .src_segnum1 = 1};
  (void)cnrtGetLastError();
  __bang_copy(m.byte + 1024, m.byte, 1, GDRAM2GDRAM, &shape, 0);
  expect(cnrtGetLastError() != cnrtSuccess, "sides of different size are an error", 0);
  __bang_copy(m.byte + 1024, m.byte, 1, 99, NULL, 0);
  expect(cnrtGetLastError() != cnrtSuccess, "an unknown direction is an error", 0);
  expect(m.byte[1024] == 0, "and nothing is written", 0);
  __bang_copy(m.byte + 1024, NULL, 0, GDRAM2NRAM, NULL, 0);
  expect(m.byte[1024] == 0, "no bytes are no bytes", 0);
}

int main(void) {
  test_random_batches();
  test_loads_between_stores();
  test_consecutive_loads();
  test_rows_inside_memory();
  test_copies_inside_nram();
  test_gathers_beside_stores();
  test_pipes_are_separate();
  test_computing_beside_loads();
  test_deferred_calls();
  test_bad_shapes();
  printf("%s\n", failures ? "FAILED" : "copy engine: all passed");
  return failures ? 1 : 0;
}
