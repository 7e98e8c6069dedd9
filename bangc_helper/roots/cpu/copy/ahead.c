/* SPDX-License-Identifier: MIT */
#include "copy/ahead.h"

#include "copy/mover.h"

enum {
  RATE_UNIT = 65536,
  RATE_PERCENT = 110, /* a little more than needed: batches are not all alike */
#if defined(__aarch64__)
  /* A core drops prefetches when more lines are on their way, so vector functions compute in
   * pieces. With these a single pass over a tile is enough to fetch the next one. */
  MAX_LINES = 20,
  MIN_ELEMENTS_PER_LINE = 8,
#else
  /* Where less is computed, a core only waits in the vector functions instead of in the copies. */
  MAX_LINES = INT32_MAX,
  MIN_ELEMENTS_PER_LINE = 32,
#endif
  MIN_PIECE = 256, /* a piece costs a call */
  PIECE_UNIT = 64,
};

__thread Ahead bang_ahead __attribute__((tls_model("initial-exec")));

/* Fetches as much as belongs to n elements. */
static void fetch_loads(int64_t n) {
  const unsigned is_load = ROUTE_LOAD | KIND_RUN;
  Ahead *ahead = &bang_ahead;
  size_t left = (size_t)((uint64_t)n * ahead->rate / RATE_UNIT);
  while (left > 0 && ahead->next < ahead->engine->count) {
    const Operation *op = &ahead->engine->operations[ahead->next];
    if ((op->tag & is_load) != is_load || ahead->at >= op->size) {
      ++ahead->next;
      ahead->at = 0;
      continue;
    }
    size_t lines = (op->size - ahead->at + MOVER_LINE - 1) / MOVER_LINE;
    if (lines > left) lines = left;
    mover_prefetch(op->src + ahead->at, lines * MOVER_LINE);
    ahead->at += lines * MOVER_LINE;
    left -= lines;
  }
}

/* The longest piece of whole vectors that fetches no more than MAX_LINES. */
static int64_t piece_of(uint64_t rate) {
  const uint64_t most = (uint64_t)MAX_LINES * RATE_UNIT / rate / PIECE_UNIT * PIECE_UNIT;
  return most < MIN_PIECE ? MIN_PIECE : (int64_t)most;
}

void ahead_follow(Engine *engine, size_t bytes) {
  const uint64_t lines = bytes / MOVER_LINE, elements = engine->elements;
  const bool pays = elements > lines * MIN_ELEMENTS_PER_LINE;
  bang_ahead.engine = engine;
  bang_ahead.rate = pays ? lines * (RATE_UNIT / 100 * RATE_PERCENT) / elements : 0;
  bang_ahead.next = 0;
  bang_ahead.at = 0;
  engine->elements = 0;
  if (bang_ahead.rate > 0) bang_computed.piece = piece_of(bang_ahead.rate);
  bang_computed.fetch = bang_ahead.rate > 0 ? fetch_loads : NULL;
  engine->is_computed = bang_ahead.rate > 0;
}
