/* SPDX-License-Identifier: MIT
 *
 * Loads that wait for a sync are fetched into the second-level cache by the vector functions that
 * run before it, some lines at a time: memory works while the core computes, and no more lines are
 * on their way at once than a core can wait for. */
#ifndef BANGC_HELPER_CPU_COPY_AHEAD_H_
#define BANGC_HELPER_CPU_COPY_AHEAD_H_

#include "copy/operation.h"
#include "vector/computed.h"

typedef struct Ahead {
  const Operation *operations; /* of the engine */
  uint32_t count;              /* of operations that are recorded */
  uint32_t next;               /* the one to fetch next */
  size_t at;                   /* bytes of it that have been fetched */
  uint64_t rate;               /* lines to fetch per some number of elements */
} Ahead;

extern __thread Ahead bang_ahead __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* So many operations are recorded, the last of them a load. */
static inline void ahead_wait(const Operation *operations, uint32_t count) {
  bang_ahead.operations = operations;
  bang_ahead.count = count;
  bang_computed.is_counted = true;
}

/* Whether vector functions fetch the loads of this batch. */
static inline bool ahead_is_computed(void) {
  return bang_computed.fetch != NULL;
}

/* What was recorded is forgotten, done or not. */
static inline void ahead_forget(void) {
  bang_ahead.count = 0;
  bang_computed.is_counted = false;
}

/* The loads are done. The next batch will be like this one, of `bytes`. */
void ahead_end_batch(size_t bytes);

#endif /* BANGC_HELPER_CPU_COPY_AHEAD_H_ */
