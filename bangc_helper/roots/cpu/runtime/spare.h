/* SPDX-License-Identifier: MIT
 *
 * A block of memory that is kept for the next one who wants such a block. What one thread allocates
 * and another frees, again and again, malloc has to carry back from thread to thread.
 */
#ifndef RUNTIME_SPARE_H_
#define RUNTIME_SPARE_H_

#include <stdlib.h>

#include "common.h"

/* Beside a lock that its users want, too, it costs nothing to reach. */
struct rt_spare {
  void *_Atomic block;
};

/* NULL when none is kept. */
static inline void *rt_spare_take(struct rt_spare *spare) {
  return atomic_exchange(&spare->block, NULL);
}

/* Keeps the block, or frees it when one is kept already. */
static inline void rt_spare_put(struct rt_spare *spare, void *block) {
  void *none = NULL;
  if (!atomic_compare_exchange_strong(&spare->block, &none, block)) {
    free(block);
  }
}

#endif /* RUNTIME_SPARE_H_ */
