/* SPDX-License-Identifier: MIT
 *
 * Work of a queue that threads which wait for the queue may do as well (helper.h). It is offered,
 * and withdrawn when no part of it is left to start.
 */
#ifndef RUNTIME_OFFERS_H_
#define RUNTIME_OFFERS_H_

#include "core.h"

struct rt_slot;

struct rt_offers {
  _Atomic uint32_t made, withdrawn; /* polled by waiting threads */
  RT_CACHE_LINE_PADDING(after_polled);
  /* The slot of a thread that helped with the previous launch and is expected to help again; NULL:
   * none. */
  struct rt_slot *_Atomic helper_slot;
};

static inline void rt_offer(struct rt_offers *offers) {
  atomic_fetch_add(&offers->made, 1);
}

static inline void rt_offer_withdraw(struct rt_offers *offers) {
  atomic_fetch_add(&offers->withdrawn, 1);
}

/* Records which thread may help with the next launch. */
static inline void rt_offers_expect_help(struct rt_offers *offers, struct rt_slot *slot) {
  atomic_store_explicit(&offers->helper_slot, slot, memory_order_relaxed);
}

/* True if a waiting thread should run one of the tasks for `threads` threads: one is expected, and
 * there is no CPU for it beside them. */
static inline bool rt_offers_expect(struct rt_offers *offers, unsigned threads) {
  return atomic_load_explicit(&offers->helper_slot, memory_order_relaxed) != NULL &&
         !rt_cpus_are_left(threads);
}

#endif /* RUNTIME_OFFERS_H_ */
