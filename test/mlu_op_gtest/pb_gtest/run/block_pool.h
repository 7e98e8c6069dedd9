/* SPDX-License-Identifier: MIT
 *
 * Large blocks of memory, kept from one case to the next: the system clears every page it hands
 * out, which takes longer than filling it. One thread uses a pool. */
#ifndef MLUOP_TEST_RUN_BLOCK_POOL_H_
#define MLUOP_TEST_RUN_BLOCK_POOL_H_

#include <stdbool.h>
#include <stddef.h>

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mluopBlockKind {
  MLUOP_BLOCK_HOST,
  MLUOP_BLOCK_DEVICE,
  MLUOP_BLOCK_CONSTANT, /* device memory that kernels only read */
} mluopBlockKind;

typedef struct mluopBlock {
  mluopBlockKind kind;
  char *start;
  size_t capacity;
  void *data; /* address the user was given; NULL: idle */
} mluopBlock;

typedef struct mluopBlockPool {
  mluopBlock *blocks; /* idle blocks are ordered by when they were returned, the latest last */
  size_t n;
  size_t idle_max; /* bytes */
  cnrtRet_t error; /* of the last request that failed */
} mluopBlockPool;

/* `sharers`: number of pools in the process that share the machine's memory. */
void mluop_block_pool_open(mluopBlockPool *pool, int sharers);
/* All blocks must have been returned before. */
void mluop_block_pool_close(mluopBlockPool *pool);

/* Returns NULL when memory is short. Sets `*used`, unless `used` is NULL, if the block was used
 * before: it has pages then, with any content. Memory past the block's end is out of bounds, as
 * for a block of its own. */
void *mluop_block_take(mluopBlockPool *pool, mluopBlockKind kind, size_t size, bool *used);
void mluop_block_give(mluopBlockPool *pool, void *data); /* or NULL */

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_BLOCK_POOL_H_ */
