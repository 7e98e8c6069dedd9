/* SPDX-License-Identifier: MIT
 *
 * A paged cache: writing rows, reading rows, and attention scores directly from the pages. */
#include <math.h>

#include "sample.h"

static int show_gather(mluOpHandle_t handle) {
  Tensor param = FLOATS(((float[]){0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51}), 6, 2);
  Tensor indices = INTS(((int[]){0, 4, 3}), 1, 3), table = INTS(((int[]){0, 2, 1}), 1, 3);
  Tensor output = FLOATS(NULL, 3, 2);
  CHECK(mluOpGatherInUb(handle, param.desc, param.data, indices.desc, indices.data, table.desc,
                        table.data, 2, -2, output.desc, output.data));
  int wrong = !is_right("gather_in_ub", handle, &output, (float[]){0, 1, 20, 21, 50, 51});
  FREE(param, indices, table, output);
  return wrong;
}

static int show_gather_batched(mluOpHandle_t handle) {
  Tensor param = FLOATS(((float[]){0, 10, 20, 30}), 4, 1);
  Tensor indices = INTS(((int[]){0, 2, 3, 0}), 2, 2), table = INTS(((int[]){1, 0, 0, -1}), 2, 2);
  Tensor requests = INTS(((int[]){1, 0}), 2), counts = INTS(((int[]){2, 1}), 2);
  Tensor output = FLOATS(NULL, 2, 2, 1);
  CHECK(mluOpGatherInUbBatched(handle, param.desc, param.data, indices.desc, indices.data,
                               table.desc, table.data, requests.desc, requests.data, counts.desc,
                               counts.data, 2, -2, output.desc, output.data));
  int wrong = !is_right("gather_in_ub_batched", handle, &output, (float[]){0, 0, 10, 0});
  FREE(param, indices, table, requests, counts, output);
  return wrong;
}

static int show_write(mluOpHandle_t handle) {
  Tensor input = FLOATS(((float[]){7, 8, 9}), 3, 1), positions = INTS(((int[]){0, -1, 3}), 3);
  Tensor table = INTS(((int[]){1, 0}), 1, 2), cache = FLOATS(((float[]){-1, -1, -1, -1}), 4, 1);
  CHECK(mluOpPagedCacheWrite(handle, input.desc, input.data, positions.desc, positions.data, NULL,
                             NULL, table.desc, table.data, 2, cache.desc, cache.data));
  int wrong = !is_right("paged_cache_write", handle, &cache, (float[]){-1, 9, 7, -1});
  FREE(input, positions, table, cache);
  return wrong;
}

static int show_scores(mluOpHandle_t handle) {
  Tensor query = FLOATS(((float[]){2, 4}), 1, 1, 2), param = FLOATS(((float[]){1, 1, 3, 1}), 2, 2);
  Tensor indices = INTS(((int[]){0, 1, -1}), 1, 3), table = INTS(((int[]){1, 0}), 1, 2);
  Tensor scores = FLOATS(NULL, 1, 1, 3);
  CHECK(mluOpSparseAttentionScores(handle, query.desc, query.data, param.desc, param.data,
                                   indices.desc, indices.data, table.desc, table.data, NULL, NULL,
                                   NULL, NULL, 1, 0.5f, scores.desc, scores.data));
  int wrong = !is_right("sparse_attention_scores", handle, &scores, (float[]){5, 3, -INFINITY});
  FREE(query, param, indices, table, scores);
  return wrong;
}

int show_paged(mluOpHandle_t handle) {
  return show_gather(handle) + show_gather_batched(handle) + show_write(handle) +
         show_scores(handle);
}
