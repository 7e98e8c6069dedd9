/* SPDX-License-Identifier: MIT
 *
 * The recorded runs of one route, one after the other.
 *
 * A read of memory that follows streaming stores waits for those whose addresses look like its own:
 * the CPU compares the offsets in a page first. They leave the core slowly, and two rows of stores
 * cover a page. So a run is read some runs before it is used, and waits in registers: two pairs of
 * words. */
#ifndef BANGC_HELPER_CPU_COPY_RUNS_H_
#define BANGC_HELPER_CPU_COPY_RUNS_H_

#include <stdint.h>

#include "copy/operation.h"

#define RUNS_INLINE static inline __attribute__((always_inline))

typedef struct QueuedRun {
  WordPair place, size;
} QueuedRun;

/* What is left of a run. */
typedef struct Run {
  char *dst;
  const char *src;
  size_t left;
} Run;

RUNS_INLINE void run_step(Run *run, size_t bytes) {
  run->dst += bytes;
  run->src += bytes;
  run->left -= bytes;
}

/* The first run of a route from op on, or the end. */
RUNS_INLINE const Operation *find_run(const Operation *op, unsigned route) {
  while (!(op->tag & (route | ROUTE_END))) ++op;
  return op;
}

/* Reads the next run of a route; one of no bytes at the end. */
RUNS_INLINE QueuedRun read_run(const Operation **next, unsigned route) {
  const WordPair *pairs = (const WordPair *)*next;
  if (!((*next)->tag & ROUTE_END)) *next = find_run(*next + 1, route);
  return (QueuedRun){pairs[0], pairs[1]};
}

RUNS_INLINE Run as_run(QueuedRun queued) {
  return (Run){(char *)queued.place[0], (const char *)queued.place[1], queued.size[0]};
}

/* Loads, and what will be loaded behind them. */
#define LOADS_AND_HINTS (ROUTE_LOAD | ROUTE_HINT)

/* Loads: the source of the third run from the current one on is being fetched. */
typedef struct LoadQueue {
  QueuedRun first, second, third, fourth;
  const Operation *next;
} LoadQueue;

RUNS_INLINE LoadQueue load_queue(const Operation *op) {
  LoadQueue queue;
  queue.next = find_run(op, LOADS_AND_HINTS);
  queue.first = read_run(&queue.next, LOADS_AND_HINTS);
  queue.second = read_run(&queue.next, LOADS_AND_HINTS);
  queue.third = read_run(&queue.next, LOADS_AND_HINTS);
  queue.fourth = read_run(&queue.next, LOADS_AND_HINTS);
  return queue;
}

RUNS_INLINE Run take_load(LoadQueue *queue) {
  Run run = as_run(queue->first);
  queue->first = queue->second;
  queue->second = queue->third;
  queue->third = queue->fourth;
  queue->fourth = read_run(&queue->next, LOADS_AND_HINTS);
  return run;
}

/* Where to fetch while `load` is copied: some runs ahead, or `beyond` bytes ahead where runs follow
 * each other. */
RUNS_INLINE const char *run_ahead(const LoadQueue *queue, const Run *load, size_t beyond) {
  const char *next = (const char *)queue->first.place[1],
             *ahead = (const char *)queue->third.place[1];
  return ahead && next != load->src + load->left ? ahead : load->src + beyond;
}

typedef struct StoreQueue {
  QueuedRun first, second;
  const Operation *next;
} StoreQueue;

RUNS_INLINE StoreQueue store_queue(const Operation *op) {
  StoreQueue queue;
  queue.next = find_run(op, ROUTE_STORE);
  queue.first = read_run(&queue.next, ROUTE_STORE);
  queue.second = read_run(&queue.next, ROUTE_STORE);
  return queue;
}

RUNS_INLINE Run take_store(StoreQueue *queue) {
  Run run = as_run(queue->first);
  queue->first = queue->second;
  queue->second = read_run(&queue->next, ROUTE_STORE);
  return run;
}

#endif /* BANGC_HELPER_CPU_COPY_RUNS_H_ */
