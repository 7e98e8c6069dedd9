/* SPDX-License-Identifier: MIT
 *
 * Every queue has a clock of the board: each operation advances it by its duration on the board.
 */
#include "runtime/queue_time.h"

#include <stdatomic.h>

#include "card_queue.h"
#include "memory.h"
#include "runtime/queue.h"

enum { PS_PER_NS = 1000 };

uint64_t rt_queue_time_ns(const struct CNqueue_st *queue) {
  return queue->time_ps / PS_PER_NS;
}

void rt_queue_time_meet(struct CNqueue_st *queue, uint64_t time_ns) {
  const uint64_t met = time_ns * PS_PER_NS;
  if (queue->time_ps < met) {
    queue->time_ps = met;
  }
}

bool rt_queue_time_is_its_own(void) {
  return true;
}

/* Queues are numbered in the order of their first operation. */
static uint64_t number_of(struct CNqueue_st *queue) {
  static _Atomic uint64_t last;
  if (queue->number == 0) {
    queue->number = atomic_fetch_add(&last, 1) + 1;
  }
  return queue->number;
}

uint64_t card_queue_play(struct CNqueue_st *queue, struct card_operation *operation) {
  operation->device = (unsigned)queue->device->ordinal;
  operation->queue = number_of(queue);
  operation->start = queue->time_ps;
  const uint64_t duration = card_clock_play(operation);
  queue->time_ps += duration;
  return duration;
}

/* The device that holds an address; -1: the host. */
static int device_of(const void *address) {
  struct rt_memory_info info;
  return rt_memory_find(address, &info) && info.kind != RT_MEMORY_HOST ? info.device : -1;
}

static enum card_host_copy kind_of(const void *target, const void *source) {
  const int to = device_of(target);
  const int from = device_of(source);
  if (from < 0) {
    return CARD_HOST_TO_DEVICE;
  }
  if (to < 0) {
    return CARD_DEVICE_TO_HOST;
  }
  return to == from ? CARD_DEVICE_TO_DEVICE : CARD_PEER;
}

void rt_queue_time_transfer(struct CNqueue_st *queue, const void *target, const void *source,
                            size_t bytes) {
  struct card_operation operation = {.kind = CARD_OP_MEMSET, .memset_bytes = bytes};
  if (source != NULL) {
    operation.kind = CARD_OP_COPY;
    operation.copy.kind = kind_of(target, source);
    operation.copy.bytes = bytes;
  }
  card_queue_play(queue, &operation);
}
