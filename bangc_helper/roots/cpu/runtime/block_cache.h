/* SPDX-License-Identifier: MIT
 *
 * A cache of one block of memory, for blocks that one thread allocates and another frees
 * repeatedly, which is slow with malloc.
 */
#ifndef RUNTIME_BLOCK_CACHE_H_
#define RUNTIME_BLOCK_CACHE_H_

#include <stdlib.h>

#include "common.h"

/* Place it next to a lock that its users take, so that both share a cache line. */
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
