/* SPDX-License-Identifier: MIT
 *
 * Shared by random cases on paged caches: a cache, tables, queries, mistakes. */
#ifndef ZOO_PAGED_DRAW_H_
#define ZOO_PAGED_DRAW_H_

#include <stddef.h>

#include "tools/case_draw.h"

/* Most values are valid, some slightly and some far out of range, some all equal. */
static inline void paged_draw_range(mluopCaseDraw *draw, mluopDrawTensor *tensor, int64_t count) {
  switch (mluop_draw_between(draw, 0, 7)) {
    case 0:
      mluop_draw_integers(draw, tensor, -1, count);
      break;
    case 1:
      mluop_draw_integers(draw, tensor, INT32_MIN, INT32_MAX);
      break;
    case 2:
      mluop_draw_integers(draw, tensor, count - 1, count - 1);
      break;
    default:
      mluop_draw_integers(draw, tensor, 0, count - 1);
      break;
  }
}

/* What a batch of queries reads: each reads k rows of a cache through the table of its request. */
typedef struct PagedDraw {
  mluopDrawTensor param, indices, block_table, request_ids, valid_counts;
  int64_t queries, k, hidden, block_size;
} PagedDraw;

static inline mluopDrawTensor paged_draw_ids(const char *id, int rank, int64_t rows,
                                             int64_t columns) {
  return (mluopDrawTensor){.id = id, .dtype = "DTYPE_INT32", .rank = rank, .dims = {rows, columns}};
}

/* `work` limits queries * k * hidden. */
static inline PagedDraw paged_draw_queries(mluopCaseDraw *draw, const char *dtype, int64_t hidden,
                                           int64_t work) {
  PagedDraw d = {.queries = mluop_draw_size(draw, 1, 40),
                 .k = mluop_draw_size(draw, 1, 1500),
                 .hidden = hidden,
                 .block_size = mluop_draw_size(draw, 1, 300)};
  const int64_t requests = mluop_draw_size(draw, 1, 10), entries = mluop_draw_size(draw, 1, 200);
  int64_t token_size = mluop_draw_size(draw, 1, 3000);
  if (d.queries * d.k * hidden > work) d.k = work / (d.queries * hidden) + 1;
  if (token_size * hidden > 800000) token_size = 800000 / hidden;
  d.param =
      (mluopDrawTensor){.id = "param", .dtype = dtype, .rank = 2, .dims = {token_size, hidden}};
  d.indices = paged_draw_ids("indices", 2, d.queries, d.k);
  d.block_table = paged_draw_ids("block_table", 2, requests, entries);
  d.request_ids =
      paged_draw_ids(mluop_draw_chance(draw, 50) ? "NULL" : "request_ids", 1, d.queries, 0);
  d.valid_counts =
      paged_draw_ids(mluop_draw_chance(draw, 50) ? "NULL" : "valid_counts", 1, d.queries, 0);
  paged_draw_range(draw, &d.indices, entries * d.block_size);
  paged_draw_range(draw, &d.block_table, token_size / d.block_size + 1);
  paged_draw_range(draw, &d.request_ids, requests);
  paged_draw_range(draw, &d.valid_counts, d.k + 1);
  return d;
}

/* Makes one thing invalid, so that the call is BAD_PARAM; `any` is a required tensor. */
static inline void paged_draw_spoil(mluopCaseDraw *draw, mluopDrawTensor *any,
                                    int64_t *block_size) {
  switch (mluop_draw_between(draw, 0, 3)) {
    case 0:
      any->id = "NULL";
      break;
    case 1:
      any->dims[any->rank++] = 1;
      any->has_strides = false;
      break;
    case 2:
      any->dtype = "DTYPE_INT64";
      mluop_draw_integers(draw, any, 0, 3);
      break;
    default:
      *block_size = -mluop_draw_between(draw, 0, 5);
      break;
  }
}

#endif /* ZOO_PAGED_DRAW_H_ */
