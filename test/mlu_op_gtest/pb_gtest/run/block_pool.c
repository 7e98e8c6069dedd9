/* SPDX-License-Identifier: MIT */
#include "run/block_pool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* Smaller blocks are cheap to allocate and are not kept. */
static const size_t worth_keeping = (size_t)4 << 20;

enum {
  IDLE_SHARE = 8, /* idle blocks may take an eighth of the machine's memory */
  SIZE_RATIO = 4, /* how many times larger than the request a reused block may be */
  HOST_ALIGNMENT = 64,
  DEVICE_ALIGNMENT = 4096,
};

void mluop_block_pool_open(mluopBlockPool *pool, int sharers) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  const size_t memory = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
  *pool = (mluopBlockPool){.idle_max = memory / IDLE_SHARE / (size_t)(sharers > 1 ? sharers : 1)};
}

static void *make(mluopBlockPool *pool, mluopBlockKind kind, size_t size) {
  void *start = NULL;
  pool->error = cnrtSuccess;
  if (kind == MLUOP_BLOCK_HOST) {
    start = mluop_memory_alloc(size);
  } else {
    pool->error =
        kind == MLUOP_BLOCK_DEVICE ? cnrtMalloc(&start, size) : cnrtMallocConstant(&start, size);
  }
  return pool->error == cnrtSuccess ? start : NULL;
}

static void release(mluopBlockPool *pool, size_t index) {
  const mluopBlock block = pool->blocks[index];
  if (block.kind == MLUOP_BLOCK_HOST) {
    free(block.start);
  } else {
    cnrtFree(block.start);
  }
  --pool->n;
  memmove(pool->blocks + index, pool->blocks + index + 1, (pool->n - index) * sizeof(block));
}

/* Frees idle blocks, the longest unused first, until at most `bytes` are left. */
static void shrink(mluopBlockPool *pool, size_t bytes) {
  size_t idle = 0;
  for (size_t i = 0; i < pool->n; ++i) {
    idle += pool->blocks[i].data ? 0 : pool->blocks[i].capacity;
  }
  for (size_t i = 0; i < pool->n && idle > bytes;) {
    if (pool->blocks[i].data) {
      ++i;
      continue;
    }
    idle -= pool->blocks[i].capacity;
    release(pool, i);
  }
}

void mluop_block_pool_close(mluopBlockPool *pool) {
  shrink(pool, 0);
  free(pool->blocks);
  *pool = (mluopBlockPool){0};
}

/* The smallest idle block that fits and is not far too large; pool->n: none. */
static size_t find_idle(const mluopBlockPool *pool, mluopBlockKind kind, size_t size) {
  size_t best = pool->n;
  for (size_t i = 0; i < pool->n && size >= worth_keeping; ++i) {
    const mluopBlock *block = &pool->blocks[i];
    const bool fits = block->capacity >= size && block->capacity / SIZE_RATIO <= size;
    if (!block->data && block->kind == kind && fits &&
        (best == pool->n || block->capacity < pool->blocks[best].capacity)) {
      best = i;
    }
  }
  return best;
}

static bool add_new(mluopBlockPool *pool, mluopBlockKind kind, size_t size) {
  mluopBlock *blocks = realloc(pool->blocks, (pool->n + 1) * sizeof(*blocks));
  if (!blocks) {
    pool->error = cnrtErrorSysNoMem;
    return false;
  }
  pool->blocks = blocks;
  void *start = make(pool, kind, size);
  if (!start) {
    shrink(pool, 0); /* idle blocks may hold the memory that is missing */
    start = make(pool, kind, size);
  }
  if (start) {
    pool->blocks[pool->n++] = (mluopBlock){kind, start, size, NULL};
  }
  return start != NULL;
}

void *mluop_block_take(mluopBlockPool *pool, mluopBlockKind kind, size_t size, bool *used) {
  size_t index = find_idle(pool, kind, size);
  if (used) {
    *used = index < pool->n;
  }
  if (index == pool->n) {
    if (!add_new(pool, kind, size)) {
      return NULL;
    }
    index = pool->n - 1;
  }
  mluopBlock *block = &pool->blocks[index];
  /* Places the data at the block's end, so that an overrun leaves the block. */
  const size_t unit = kind == MLUOP_BLOCK_HOST ? HOST_ALIGNMENT : DEVICE_ALIGNMENT;
  block->data = block->start + (block->capacity - size) / unit * unit;
  return block->data;
}

void mluop_block_give(mluopBlockPool *pool, void *data) {
  size_t index = 0;
  while (data && index < pool->n && pool->blocks[index].data != data) {
    ++index;
  }
  if (!data || index == pool->n) {
    return;
  }
  mluopBlock block = pool->blocks[index];
  block.data = NULL;
  memmove(pool->blocks + index, pool->blocks + index + 1, (pool->n - 1 - index) * sizeof(block));
  pool->blocks[pool->n - 1] = block;
  if (block.capacity < worth_keeping) {
    release(pool, pool->n - 1);
  } else {
    shrink(pool, pool->idle_max);
  }
}
