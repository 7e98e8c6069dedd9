/* SPDX-License-Identifier: MIT
 *
 * What vector functions report to a copy engine: how much they compute while loads wait for a sync.
 * A root without such an engine leaves all fields zero. */
#ifndef BANGC_HELPER_CPU_VECTOR_COMPUTED_H_
#define BANGC_HELPER_CPU_VECTOR_COMPUTED_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Written rarely. What changes with every call lies elsewhere: reading one field just after a
 * neighbour was written waits for the copies' stores before it. */
typedef struct Computed {
  const unsigned *recorded; /* tags of the recorded copies; NULL: no engine yet */
  unsigned loads;           /* the tag of a load */
  uint64_t *elements;       /* computed while loads wait */
  void (*fetch)(
      int64_t n); /* prefetches the part of the loads that belongs to n elements; or NULL */
  int64_t piece;  /* elements that a vector function computes between two fetches */
} Computed;

extern __thread Computed bang_computed
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Called before a vector function processes n elements. */
static inline void bang_count_computed(int64_t n) {
  const Computed *computed = &bang_computed;
  if (computed->recorded == NULL || !(*computed->recorded & computed->loads)) return;
  *computed->elements += (uint64_t)n;
  if (computed->fetch != NULL) computed->fetch(n);
}

/* True if a function that processes n elements should do it in pieces. */
static inline bool bang_has_pieces(int64_t n) {
  return bang_computed.fetch != NULL && n > bang_computed.piece;
}

/* Called before a vector function processes some of its last n elements; returns how many. */
static inline int64_t bang_next_piece(int64_t n) {
  const int64_t count = bang_has_pieces(n) ? bang_computed.piece : n;
  bang_count_computed(count);
  return count;
}

#endif /* BANGC_HELPER_CPU_VECTOR_COMPUTED_H_ */
