/* SPDX-License-Identifier: MIT
 *
 * Tells a root that checks kernels what the host does with device memory. The CPU root ignores it.
 */
#ifndef RUNTIME_MEMORY_WATCH_H_
#define RUNTIME_MEMORY_WATCH_H_

#include <stddef.h>

/* Memory of a device was allocated, or is about to be freed. */
void rt_memory_watch_taken(const void *start, size_t bytes);
void rt_memory_watch_freed(const void *start, size_t bytes);
/* The host, or a copy in a queue, is about to write to an address. */
void rt_memory_watch_written(const void *start, size_t bytes);

#endif /* RUNTIME_MEMORY_WATCH_H_ */
