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

/* Neither touch what the others write, so loads and stores may be reordered. */
static inline int extents_are_apart(const Extent *load, const Extent *store) {
  return !ranges_overlap(load->to, store->from) && !ranges_overlap(store->to, load->from) &&
         !ranges_overlap(load->to, store->to);
}

/* The stores of a batch may lie far apart, with the loads between them: rows and single elements
 * that belong to them. Then each store is looked at by itself. */
static inline int loads_and_stores_are_apart(const Survey *found, const Operation *operations,
                                             size_t count) {
  if (extents_are_apart(&found->loads, &found->stores)) return 1;
  for (const Operation *op = operations, *end = op + count; op < end; ++op) {
    const Extent store = {run_source(op), run_target(op), op->size};
    if ((op->tag & ROUTE_STORE) && !extents_are_apart(&found->loads, &store)) return 0;
  }
  return 1;
}

#endif /* BANGC_HELPER_CPU_COPY_SURVEY_H_ */
