/* SPDX-License-Identifier: MIT
 *
 * A cache of one block of memory. It serves blocks that one thread allocates and another frees
 * again and again, which malloc would have to hand back from thread to thread.
 */
#ifndef RUNTIME_BLOCK_CACHE_H_
#define RUNTIME_BLOCK_CACHE_H_

#include <stdlib.h>

#include "common.h"

/* Place it beside a lock that its users take: then it is in a cache line they have already. */
struct rt_block_cache {
  void *_Atomic block;
};

/* NULL when the cache is empty. */
static inline void *rt_block_cache_take(struct rt_block_cache *cache) {
  return atomic_exchange(&cache->block, NULL);
}

/* Caches the block, or frees it when the cache is full. */
static inline void rt_block_cache_put(struct rt_block_cache *cache, void *block) {
  void *none = NULL;
  if (!atomic_compare_exchange_strong(&cache->block, &none, block)) {
    free(block);
  }
}

#endif /* RUNTIME_BLOCK_CACHE_H_ */
