/* SPDX-License-Identifier: MIT */
#include "copy/ahead.h"

#include "copy/mover.h"

__thread Ahead bang_ahead;

void bang_fetch_loads(int64_t n) {
  Ahead *ahead = &bang_ahead;
  size_t left = (size_t)((uint64_t)n * ahead->rate / AHEAD_UNIT);
  while (left > 0 && ahead->next < ahead->count) {
    const unsigned is_load = ROUTE_LOAD | KIND_RUN;
    const Operation *op = &ahead->operations[ahead->next];
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
