/* SPDX-License-Identifier: MIT */
#include "runtime/memory_watch.h"

#include "checks/allocations.h"
#include "checks/check.h"
#include "checks/device.h"

/* Allocations may come before the first launch, so the environment is read here. */
void rt_memory_watch_taken(const void *start, size_t bytes) {
  card_checks_begin();
  if (card_checks_on != 0) {
    card_device_forget((uintptr_t)start, bytes);
    card_allocations_add((uintptr_t)start, bytes);
  }
}

void rt_memory_watch_freed(const void *start, size_t bytes) {
  if (card_checks_on != 0) {
    card_allocations_free((uintptr_t)start, bytes);
  }
}

void rt_memory_watch_written(const void *start, size_t bytes) {
  if (card_checks_on != 0) {
    card_check_host_write((uintptr_t)start, bytes);
    card_device_set_written((uintptr_t)start, bytes);
  }
}
