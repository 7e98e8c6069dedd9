/* SPDX-License-Identifier: MIT
 *
 * What a batch does, determined when it is drained. Records are kept short, because they are
 * written while the streaming stores of the previous batch still leave the core, and wait for them.
 */
#ifndef BANGC_HELPER_CPU_COPY_SURVEY_H_
#define BANGC_HELPER_CPU_COPY_SURVEY_H_

#include "copy/operation.h"
#include "copy/segments.h"

/* The runs of one route and the range they touch. */
typedef struct Extent {
  ByteRange from, to;
  size_t bytes;
} Extent;

static const Extent nothing = {{UINTPTR_MAX, 0}, {UINTPTR_MAX, 0}, 0};

static inline ByteRange run_source(const Operation *op) {
  return (ByteRange){(uintptr_t)op->src, (uintptr_t)op->src + op->size};
}

static inline ByteRange run_target(const Operation *op) {
  return (ByteRange){(uintptr_t)op->dst, (uintptr_t)op->dst + op->size};
}

static inline void extend(Extent *extent, const Operation *op) {
  extent->from = range_join(extent->from, run_source(op));
  extent->to = range_join(extent->to, run_target(op));
  extent->bytes += op->size;
}

typedef struct Survey {
  Extent loads, stores;
  const char *first_load;
} Survey;

static inline Survey survey(const Operation *operations, size_t count) {
  Survey found = {nothing, nothing, NULL};
  for (const Operation *op = operations, *end = op + count; op < end; ++op) {
    if (!(op->tag & KIND_RUN)) continue;
    if (op->tag & ROUTE_LOAD) {
      if (!found.first_load) found.first_load = op->src;
      extend(&found.loads, op);
    } else if (op->tag & ROUTE_STORE) {
      extend(&found.stores, op);
    }
  }
  return found;
}

/* Loads and stores may be reordered when neither touch what the others write. */
static inline int loads_and_stores_are_apart(const Survey *found) {
  const Extent *load = &found->loads, *store = &found->stores;
  return !ranges_overlap(load->to, store->from) && !ranges_overlap(store->to, load->from) &&
         !ranges_overlap(load->to, store->to);
}

#endif /* BANGC_HELPER_CPU_COPY_SURVEY_H_ */
