/* SPDX-License-Identifier: MIT
 *
 * Sets of live handles, so that an invalid or destroyed handle gives an error instead of a crash.
 */
#ifndef RUNTIME_HANDLES_H_
#define RUNTIME_HANDLES_H_

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct rt_handles {
  pthread_mutex_t lock;
  const void **slots;
  size_t capacity; /* a power of two, or 0 */
  size_t count;
};

#define RT_HANDLES_INITIALIZER \
  { .lock = PTHREAD_MUTEX_INITIALIZER }

/* Makes a handle known; false when memory is short. */
bool rt_handles_add(struct rt_handles *set, const void *handle);
/* Makes a handle unknown; false when it was not known. */
bool rt_handles_remove(struct rt_handles *set, const void *handle);
/* Calls retain(handle) if the handle is known, before anyone else can remove it. */
bool rt_handles_retain(struct rt_handles *set, void *handle, void (*retain)(void *handle));

#endif /* RUNTIME_HANDLES_H_ */
