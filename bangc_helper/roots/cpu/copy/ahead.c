/* SPDX-License-Identifier: MIT */
#include "copy/ahead.h"

#include "copy/mover.h"

enum {
  RATE_UNIT = 65536,
  RATE_PERCENT = 110, /* a little more than needed: batches are not all alike */
  /* Where less is computed, a core only waits in the vector functions instead of in the copies. */
  MIN_ELEMENTS_PER_LINE = 32,
/* Loads without stores have no copy that fetches them meanwhile. An Arm core waits for less of them
 * when two short passes over a tile fetch the next one. */
#if defined(__aarch64__)
  MIN_READER_ELEMENTS_PER_LINE = 8,
#else
  MIN_READER_ELEMENTS_PER_LINE = MIN_ELEMENTS_PER_LINE,
#endif
};

__thread Ahead bang_ahead;

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

void ahead_follow(Engine *engine, size_t bytes, bool is_reader) {
  const uint64_t lines = bytes / MOVER_LINE, elements = engine->elements;
  const bool pays =
      elements > lines * (is_reader ? MIN_READER_ELEMENTS_PER_LINE : MIN_ELEMENTS_PER_LINE);
  bang_ahead.engine = engine;
  bang_ahead.rate = pays ? lines * (RATE_UNIT / 100 * RATE_PERCENT) / elements : 0;
  bang_ahead.next = 0;
  bang_ahead.at = 0;
  engine->elements = 0;
  bang_computed.fetch = bang_ahead.rate > 0 ? fetch_loads : NULL;
  engine->is_computed = bang_ahead.rate > 0;
}
