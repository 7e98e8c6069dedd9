/* SPDX-License-Identifier: MIT
 *
 * What vector functions report to a copy engine: how much they compute while loads wait for a sync.
 * A root without such an engine leaves all fields zero. */
#ifndef BANGC_HELPER_CPU_VECTOR_COMPUTED_H_
#define BANGC_HELPER_CPU_VECTOR_COMPUTED_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Computed {
  bool is_counted;   /* loads are waiting */
  uint64_t elements; /* computed while they wait */
  void (*fetch)(
      int64_t n); /* prefetches the part of the loads that belongs to n elements; or NULL */
} Computed;

extern __thread Computed bang_computed
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Called before a vector function processes n elements. */
static inline void bang_count_computed(int64_t n) {
  Computed *computed = &bang_computed;
  if (!computed->is_counted) return;
  computed->elements += (uint64_t)n;
  if (computed->fetch != NULL) computed->fetch(n);
}

#endif /* BANGC_HELPER_CPU_VECTOR_COMPUTED_H_ */
