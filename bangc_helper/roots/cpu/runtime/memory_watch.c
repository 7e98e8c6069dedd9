/* SPDX-License-Identifier: MIT */
#include "memory_watch.h"

void rt_memory_watch_taken(const void *start, size_t bytes) {
  (void)start;
  (void)bytes;
}

void rt_memory_watch_freed(const void *start, size_t bytes) {
  (void)start;
  (void)bytes;
}

void rt_memory_watch_written(const void *start, size_t bytes) {
  (void)start;
  (void)bytes;
}
