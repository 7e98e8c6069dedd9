/* SPDX-License-Identifier: MIT */
#include "copy/execute.h"

#include "bang_runtime.h"
#include "copy/ahead.h"
#include "copy/direct.h"
#include "copy/prefetch.h"
#include "copy/survey.h"

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

void execute_strided(const Engine *engine, const Copy *copy, unsigned tag) {
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
    execute_strided(engine, &engine->details[op->detail].copy, op->tag);
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

static const unsigned is_direct = IN_MEMORY | KIND_RUN;

/* Does copies inside memory, as many as follow each other. Returns how many. */
static size_t do_direct(const Operation *op, const Operation *end) {
  const Operation *after = op;
  while (after < end && (after->tag & is_direct) == is_direct) ++after;
  direct_move(op, after);
  return (size_t)(after - op);
}

/* What stays recorded keeps the tags of the whole batch, less the pipes that were drained: they are
 * only upper bounds. */
static void do_in_order(Engine *engine, unsigned pipe_mask) {
  size_t kept = 0;
  for (size_t i = 0; i < engine->count; ++i) {
    const Operation *op = &engine->operations[i], *next = op + 1;
    if (!(op->tag & pipe_mask)) {
      engine->operations[kept++] = *op;
    } else if ((engine->tags & KIND_GATHER) && i + 1 < engine->count && (next->tag & pipe_mask) &&
               do_store_and_gather(engine, op, next)) {
      ++i;
    } else if ((op->tag & is_direct) == is_direct) {
      i += do_direct(op, engine->operations + engine->count) - 1;
    } else {
      do_operation(engine, op);
    }
  }
  if (kept == 0) {
    forget_all(engine);
    return;
  }
  engine->count = kept;
  engine->tags &= ~pipe_mask;
}

/* Loads that go on where those of the batch before ended are fetched this much ahead, on into the
 * batch to come: the CPU's own prefetching stops at the end of a page and while a kernel computes.
 */
static size_t sequential_ahead(size_t batch_bytes) {
  return FOLLOWS_BATCHES ? FOLLOWED_BYTES_AHEAD : batch_bytes * 3 / 8;
}

/* All of it, if it is loads and stores of runs between which order does not matter. */
static int do_interleaved(Engine *engine, unsigned pipe_mask, const Survey *found,
                          int is_sequence) {
  if ((engine->tags & BANG_PIPE_ALL & ~pipe_mask) ||
      (engine->tags & (ROUTE_MASK | KIND_MASK)) != (ROUTE_LOAD | ROUTE_STORE | KIND_RUN) ||
      !loads_and_stores_are_apart(found, engine->operations, engine->count))
    return 0;
  write_operation(engine->operations + engine->count, NULL, NULL, 0, ROUTE_END);
  engine->mover->interleave(engine->operations,
                            is_sequence ? sequential_ahead(found->loads.bytes) : 0);
  forget_all(engine);
  return 1;
}

/* Only where it changes: what is read by every copy should not be written by every sync. */
static inline void set_prefetch_left(Engine *engine, size_t bytes) {
  if (engine->prefetch_left != bytes) engine->prefetch_left = bytes;
}

/* A deferred function moves bytes itself; it never records. */
void execute_batch(Engine *engine, unsigned pipe_mask) {
  if (engine->tags & ROUTE_STORE & ~engine->streamed) engine->streamed = ROUTE_STORE;
  /* The next batch will be like this one. */
  if (engine->tags & KIND_GATHER) {
    set_prefetch_left(engine, engine->tags & ROUTE_STORE ? 0 : READER_PREFETCH_BYTES);
    do_in_order(engine, pipe_mask);
    ahead_end_batch(engine, 0);
    return;
  }
  const Survey found = survey(engine->operations, engine->count);
  const size_t loaded = found.loads.bytes;
  set_prefetch_left(engine, loaded > 4 * found.stores.bytes ? SEQUENCE_PREFETCH_BYTES : 0);
  const int is_sequence = found.first_load == engine->last_load_end;
  const int is_interleaved = do_interleaved(engine, pipe_mask, &found, is_sequence);
  if (!is_interleaved) do_in_order(engine, pipe_mask);
  /* A sequence beside stores has fetched the next loads itself; reading them meanwhile would only
   * keep the vector functions waiting. */
  ahead_end_batch(engine, FOLLOWS_BATCHES && is_sequence && is_interleaved ? 0 : loaded);
}
