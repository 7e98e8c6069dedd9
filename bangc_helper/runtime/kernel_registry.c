/* SPDX-License-Identifier: MIT */
#include "kernel_registry.h"

#include <pthread.h>
#include <stdlib.h>

#include "bang_runtime.h"

struct entry {
  struct entry *next;
  const void *function;
  rt_kernel_invoke_t invoke;
};

enum { BUCKETS = 256 };

/* Entries live as long as the process: nothing ever unregisters a kernel. */
static struct {
  pthread_mutex_t lock;
  struct entry *buckets[BUCKETS];
  _Atomic unsigned generation;
} kernels = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct entry **bucket_of(const void *function) {
  return &kernels.buckets[((uintptr_t)function >> 4) % BUCKETS];
}

static struct entry *find_locked(const void *function) {
  struct entry *entry = *bucket_of(function);
  while (entry != NULL && entry->function != function) {
    entry = entry->next;
  }
  return entry;
}

rt_kernel_invoke_t rt_kernel_find(const void *function) {
  pthread_mutex_lock(&kernels.lock);
  const struct entry *entry = find_locked(function);
  pthread_mutex_unlock(&kernels.lock);
  return entry != NULL ? entry->invoke : NULL;
}

unsigned rt_kernel_generation(void) {
  return atomic_load_explicit(&kernels.generation, memory_order_relaxed);
}

RT_EXPORT void __bang_register_kernel(const void *stub, const char *name,
                                      void (*invoke)(void **args)) {
  (void)name;
  pthread_mutex_lock(&kernels.lock);
  struct entry *entry = find_locked(stub);
  if (entry == NULL) {
    entry = malloc(sizeof(*entry));
    if (entry != NULL) {
      entry->function = stub;
      entry->next = *bucket_of(stub);
      *bucket_of(stub) = entry;
    }
  } else { /* a library loaded again may bring the same address */
    atomic_fetch_add_explicit(&kernels.generation, 1, memory_order_relaxed);
  }
  if (entry != NULL) {
    entry->invoke = invoke;
  }
  pthread_mutex_unlock(&kernels.lock);
}
