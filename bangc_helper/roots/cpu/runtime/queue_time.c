/* SPDX-License-Identifier: MIT */
#include "queue_time.h"

uint64_t rt_queue_time_ns(const struct CNqueue_st *queue) {
  (void)queue;
  return rt_now_ns();
}

void rt_queue_time_transfer(struct CNqueue_st *queue, const void *target, const void *source,
                            size_t bytes) {
  (void)queue;
  (void)target;
  (void)source;
  (void)bytes;
}

void rt_queue_time_meet(struct CNqueue_st *queue, uint64_t time_ns) {
  (void)queue;
  (void)time_ns;
}

bool rt_queue_time_is_its_own(void) {
  return false;
}
