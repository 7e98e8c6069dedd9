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

/* The rest of a run. */
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

/* Reads the next run of a route; an empty one at the end. */
RUNS_INLINE QueuedRun read_run(const Operation **next, unsigned route) {
  const WordPair *pairs = (const WordPair *)*next;
  if (!((*next)->tag & ROUTE_END)) *next = find_run(*next + 1, route);
  return (QueuedRun){pairs[0], pairs[1]};
}

RUNS_INLINE Run as_run(QueuedRun queued) {
  return (Run){(char *)queued.place[0], (const char *)queued.place[1], queued.size[0]};
}

/* Prefetch distance: while a run is loaded, the source about this many bytes later is fetched,
 * within these numbers of runs. Arm: a tile has few long runs, and prefetched data stays in the
 * large cache. */
#if defined(__aarch64__)
#define FETCHED_AHEAD 4096
#define RUNS_AHEAD_MIN 1
#define RUNS_AHEAD_MAX 12
#else
#define FETCHED_AHEAD 3456
#define RUNS_AHEAD_MIN 3
#define RUNS_AHEAD_MAX 6
#endif

typedef struct LoadQueue {
  QueuedRun first, second;
  WordPair fetched; /* run to prefetch while the first one is loaded */
  const Operation *next, *next_fetched;
} LoadQueue;

RUNS_INLINE LoadQueue load_queue(const Operation *op) {
  LoadQueue queue;
  queue.next = find_run(op, ROUTE_LOAD);
  queue.next_fetched = queue.next;
  const size_t size = queue.next->size;
  size_t ahead = size;
  for (int i = 0; i < RUNS_AHEAD_MIN || (i < RUNS_AHEAD_MAX && ahead <= FETCHED_AHEAD); ++i) {
    read_run(&queue.next_fetched, ROUTE_LOAD);
    ahead += size;
  }
  queue.fetched = read_run(&queue.next_fetched, ROUTE_LOAD).place;
  queue.first = read_run(&queue.next, ROUTE_LOAD);
  queue.second = read_run(&queue.next, ROUTE_LOAD);
  return queue;
}

/* Takes the next load. *ahead is what to prefetch meanwhile: in a later run, or `beyond` bytes
 * ahead where runs are contiguous. */
RUNS_INLINE Run take_load(LoadQueue *queue, size_t beyond, const char **ahead) {
  const Run run = as_run(queue->first);
  /* As integers, since nothing comes after the last load. */
  const uint64_t src = (uintptr_t)run.src, later = queue->fetched[1];
  const int is_followed = queue->second.place[1] == src + run.left;
  *ahead = (const char *)(uintptr_t)(later && !is_followed ? later : src + beyond);
  queue->first = queue->second;
  queue->second = read_run(&queue->next, ROUTE_LOAD);
  queue->fetched = read_run(&queue->next_fetched, ROUTE_LOAD).place;
  return run;
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

/* Cores of Arm look up the page of a line when they store it, and wait. Those of a long run are
 * looked up while the run before it is stored. */
RUNS_INLINE void look_up_pages(QueuedRun queued) {
#if defined(__aarch64__)
  enum { PAGE = 4096 };
  const Run run = as_run(queued);
  if (run.left < PAGE) return;
  for (size_t i = 0; i < run.left; i += PAGE) __builtin_prefetch(run.dst + i, 1, 2);
#else
  (void)queued;
#endif
}

RUNS_INLINE Run take_store(StoreQueue *queue) {
  Run run = as_run(queue->first);
  look_up_pages(queue->second);
  queue->first = queue->second;
  queue->second = read_run(&queue->next, ROUTE_STORE);
  return run;
}

#endif /* BANGC_HELPER_CPU_COPY_RUNS_H_ */
