/* SPDX-License-Identifier: MIT
 *
 * Doing what was recorded. */
#ifndef BANGC_HELPER_CPU_COPY_EXECUTE_H_
#define BANGC_HELPER_CPU_COPY_EXECUTE_H_

#include <string.h>

#include "copy/engine_state.h"

/* Does and forgets what is recorded on the pipes of the mask, loads beside stores where their order
 * does not matter. */
void execute_batch(Engine *engine, unsigned pipe_mask);

static inline void forget_all(Engine *engine) {
  if (engine->load_end) engine->last_load_end = engine->load_end;
  engine->load_end = NULL;
  engine->count = 0;
  engine->direct_bytes = 0;
  engine->detail_count = 0;
  engine->tags = 0;
}

static inline void move_run(const Engine *engine, char *dst, const char *src, size_t size,
                            unsigned tag) {
  if (tag & ROUTE_LOAD)
    engine->mover->load(dst, src, size);
  else if (tag & ROUTE_STORE)
    engine->mover->store(dst, src, size);
  else
    memmove(dst, src, size);
}

void execute_strided(const Engine *engine, const Copy *copy, unsigned tag);

#endif /* BANGC_HELPER_CPU_COPY_EXECUTE_H_ */
