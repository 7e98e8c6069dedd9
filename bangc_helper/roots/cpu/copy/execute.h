/* SPDX-License-Identifier: MIT
 *
 * Doing what was recorded: one operation, or a store together with the gather after it. */
#ifndef BANGC_HELPER_CPU_COPY_EXECUTE_H_
#define BANGC_HELPER_CPU_COPY_EXECUTE_H_

#include <string.h>

#include "copy/engine_state.h"
#include "copy/survey.h"

static inline void move_run(const Engine *engine, char *dst, const char *src, size_t size,
                            unsigned tag) {
  if (tag & ROUTE_LOAD)
    engine->mover->load(dst, src, size);
  else if (tag & ROUTE_STORE)
    engine->mover->store(dst, src, size);
  else
    memmove(dst, src, size);
}

/* Segments of a few bytes, the common case of strided on-chip copies, are not worth a call each. */
static int copy_small_segments(const Copy *copy) {
  if (copy->size > 8 || (copy->size & (copy->size - 1)) != 0) return 0;
  for (CopyCursor c = copy_begin(copy); !copy_at_end(&c); copy_next(&c)) {
    switch (copy->size) {
      case 1:
        *c.dst = *c.src;
        break;
      case 2:
        memmove(c.dst, c.src, 2);
        break;
      case 4:
        memmove(c.dst, c.src, 4);
        break;
      default:
        memmove(c.dst, c.src, 8);
    }
  }
  return 1;
}

static void do_strided(const Engine *engine, const Copy *copy, unsigned tag) {
  if (copy_small_segments(copy)) return;
  for (CopyCursor c = copy_begin(copy); !copy_at_end(&c); copy_next(&c))
    move_run(engine, c.dst, c.src, copy->size, tag);
}

static void do_gather(const Engine *engine, const RowGather *gather) {
  const bangTransfer *t = &gather->transfer;
  if (!ranges_overlap(gather_offsets(t), gather_target(t))) {
    engine->mover->gather_beside(gather, t->dst, t->dst, 0); /* without a store */
    return;
  }
  for (int64_t i = 0; i < t->count; ++i)
    if (transfer_selects(t, i))
      memmove(t->dst + i * t->stride, gather_row(gather, i), (size_t)t->bytes);
}

static void do_operation(const Engine *engine, const Operation *op) {
  if (op->tag & KIND_RUN) {
    move_run(engine, op->dst, op->src, op->size, op->tag);
  } else if (op->tag & KIND_STRIDED) {
    do_strided(engine, &engine->details[op->detail].copy, op->tag);
  } else if (op->tag & KIND_GATHER) {
    do_gather(engine, &engine->details[op->detail].gather);
  } else {
    engine->details[op->detail].call.fn(engine->details[op->detail].call.args);
  }
}

/* Does a store and the gather after it together. Returns 0 if one writes what the other uses on
 * chip. */
static int do_store_and_gather(const Engine *engine, const Operation *store,
                               const Operation *gather) {
  const unsigned is_store = ROUTE_STORE | KIND_RUN;
  if ((store->tag & is_store) != is_store || !(gather->tag & KIND_GATHER)) return 0;
  const RowGather *rows = &engine->details[gather->detail].gather;
  const ByteRange offsets = gather_offsets(&rows->transfer),
                  target = gather_target(&rows->transfer);
  if (ranges_overlap(target, offsets) || ranges_overlap(target, run_source(store)) ||
      ranges_overlap(target, run_target(store)) || ranges_overlap(offsets, run_target(store)))
    return 0;
  engine->mover->gather_beside(rows, store->dst, store->src, store->size);
  return 1;
}

#endif /* BANGC_HELPER_CPU_COPY_EXECUTE_H_ */
