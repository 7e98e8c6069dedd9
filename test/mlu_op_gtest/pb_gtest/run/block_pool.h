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
  void *data; /* what its user has; NULL: nobody */
} mluopBlock;

typedef struct mluopBlockPool {
  mluopBlock *blocks; /* what was given back last comes last */
  size_t n;
  size_t idle_max; /* bytes */
  cnrtRet_t error; /* of the last block that could not be had */
} mluopBlockPool;

/* `sharers`: pools like this one in the process. */
void mluop_block_pool_open(mluopBlockPool *pool, int sharers);
/* Everything must have been given back. */
void mluop_block_pool_close(mluopBlockPool *pool);

/* NULL when there is no memory. `*used` (or NULL) tells whether it was in use before and has pages,
 * with any content. What lies past the block's end is out of bounds as for memory of its own. */
void *mluop_block_take(mluopBlockPool *pool, mluopBlockKind kind, size_t size, bool *used);
void mluop_block_give(mluopBlockPool *pool, void *data); /* or NULL */

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_BLOCK_POOL_H_ */
