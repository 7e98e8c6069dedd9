/* SPDX-License-Identifier: MIT
 *
 * Loads that wait for a sync are fetched into the second-level cache by the vector functions that
 * run before it, some lines at a time: memory works while the core computes, and no more lines are
 * on their way at once than a core can wait for. */
#ifndef BANGC_HELPER_CPU_COPY_AHEAD_H_
#define BANGC_HELPER_CPU_COPY_AHEAD_H_

#include <stddef.h>
#include <stdint.h>

#include "copy/operation.h"

typedef struct Ahead {
  uint32_t count;              /* of operations that are recorded; 0: no load waits */
  uint32_t next;               /* the one to fetch next */
  size_t at;                   /* bytes of it that have been fetched */
  const Operation *operations; /* of the engine */
  uint64_t elements;           /* that vector functions did while loads waited */
  uint64_t rate;               /* lines to fetch per AHEAD_UNIT elements; 0: nothing is computed */
} Ahead;

#define AHEAD_UNIT 65536

extern __thread Ahead bang_ahead __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Fetches as much as belongs to n elements. */
void bang_fetch_loads(int64_t n);

/* Before a vector function does n elements. */
static inline void bang_fetch_ahead(int64_t n) {
  Ahead *ahead = &bang_ahead;
  if (ahead->count == 0) return;
  ahead->elements += (uint64_t)n;
  if (ahead->rate > 0) bang_fetch_loads(n);
}

/* The loads are done. The next batch will be like this one, of `bytes`. Where little is computed, a
 * core only waits in the vector functions instead of in the copies. */
static inline void ahead_end_batch(size_t bytes) {
  enum { LINE = 64, MORE_THAN_NEEDED = 110, MIN_ELEMENTS_PER_LINE = 32 };
  Ahead *ahead = &bang_ahead;
  const size_t lines = bytes / LINE;
  ahead->rate = 0;
  if (ahead->elements > lines * MIN_ELEMENTS_PER_LINE) {
    ahead->rate = lines * (AHEAD_UNIT / 100 * MORE_THAN_NEEDED) / ahead->elements;
  }
  ahead->elements = 0;
  ahead->count = ahead->next = 0;
  ahead->at = 0;
}

#endif /* BANGC_HELPER_CPU_COPY_AHEAD_H_ */
