/* SPDX-License-Identifier: MIT
 *
 * Loads that wait for a sync are fetched into the second-level cache by the vector functions that
 * run before it, some lines at a time: memory works while the core computes, and no more lines are
 * on their way at once than a core can wait for. */
#ifndef BANGC_HELPER_CPU_COPY_AHEAD_H_
#define BANGC_HELPER_CPU_COPY_AHEAD_H_

#include "copy/engine_state.h"
#include "vector/computed.h"

typedef struct Ahead {
  const Engine *engine;
  uint32_t next; /* operation to fetch next */
  size_t at;     /* bytes of it that have been fetched */
  uint64_t rate; /* lines to fetch per some number of elements */
} Ahead;

extern __thread Ahead bang_ahead __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Lets vector functions know of an engine. */
static inline void ahead_begin(Engine *engine) {
  bang_computed.loads = ROUTE_LOAD;
  bang_computed.elements = &engine->elements;
  bang_computed.recorded = &engine->tags;
}

/* Sets the rate of the next batch. */
void ahead_follow(Engine *engine, size_t bytes);

/* The loads, of `bytes`, are done. The next batch will be like this one. */
static inline void ahead_end_batch(Engine *engine, size_t bytes) {
  if (engine->elements || engine->is_computed) ahead_follow(engine, bytes);
}

#endif /* BANGC_HELPER_CPU_COPY_AHEAD_H_ */
