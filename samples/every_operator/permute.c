/* SPDX-License-Identifier: MIT
 *
 * Orders tokens by expert, restores their order, and computes the gradients of both. */
#include "sample.h"

static int show_forward(mluOpHandle_t handle) {
  enum { TOKENS = 3, EXPERTS = 4, ROWS = 6 };
  const int8_t map[TOKENS * EXPERTS] = {1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1};
  size_t size;
  Tensor tokens = FLOATS(((float[]){10, 11, 12}), TOKENS, 1);
  Tensor routing = tensor(MLUOP_DTYPE_INT8, map, (int[]){TOKENS, EXPERTS, 0});
  Tensor rows = FLOATS(NULL, ROWS, 1), indices = INTS(NULL, ROWS);
  CHECK(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle, routing.desc, &size));
  Tensor extra = workspace(size);
  CHECK(mluOpMoeTokenPermuteWithRoutingMap(
      handle, tokens.desc, tokens.data, routing.desc, routing.data, NULL, NULL, ROWS, false,
      extra.data, size, rows.desc, rows.data, NULL, NULL, indices.desc, indices.data));
  int wrong = !is_right("moe_token_permute_with_routing_map", handle, &rows,
                        (float[]){10, 12, 11, 10, 11, 12});
  wrong |= !is_right("  its sorted_indices", handle, &indices, (int[]){0, 3, 2, 4, 1, 5});
  FREE(tokens, routing, rows, indices, extra);
  return wrong;
}

static int show_back(mluOpHandle_t handle) {
  enum { TOKENS = 2, EXPERTS = 2, ROWS = 4 };
  const int8_t map[TOKENS * EXPERTS] = {1, 1, 1, 1};
  size_t size;
  Tensor rows = FLOATS(((float[]){1, 2, 3, 4}), ROWS, 1);
  Tensor indices = INTS(((int[]){0, 2, 1, 3}), ROWS);
  Tensor routing = tensor(MLUOP_DTYPE_INT8, map, (int[]){TOKENS, EXPERTS, 0});
  Tensor probs = FLOATS(((float[]){0.5f, 0.5f, 1, 0.25f}), TOKENS, EXPERTS);
  Tensor tokens = FLOATS(NULL, TOKENS, 1);
  CHECK(mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize(handle, indices.desc, false, &size));
  Tensor extra = workspace(size);
  CHECK(mluOpMoeTokenUnpermuteWithRoutingMap(
      handle, rows.desc, rows.data, indices.desc, indices.data, routing.desc, routing.data,
      probs.desc, probs.data, false, extra.data, size, tokens.desc, tokens.data));
  int wrong = !is_right("moe_token_unpermute_with_routing_map", handle, &tokens, (float[]){2, 3});
  FREE(rows, indices, routing, probs, tokens, extra);
  return wrong;
}

static int show_gradients(mluOpHandle_t handle) {
  enum { TOKENS = 2, EXPERTS = 2, ROWS = 2 };
  const int8_t map[TOKENS * EXPERTS] = {0, 1, 1, 0};
  size_t size;
  Tensor routing = tensor(MLUOP_DTYPE_INT8, map, (int[]){TOKENS, EXPERTS, 0});
  Tensor indices = INTS(((int[]){1, 0}), ROWS);
  Tensor rows_grad = FLOATS(((float[]){1, 2}), ROWS, 1);
  Tensor row_probs_grad = FLOATS(((float[]){5, 6}), ROWS);
  Tensor tokens_grad = FLOATS(NULL, TOKENS, 1), probs_grad = FLOATS(NULL, TOKENS, EXPERTS);
  CHECK(mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize(handle, indices.desc, false, &size));
  Tensor extra = workspace(size);
  CHECK(mluOpMoeTokenPermuteWithRoutingMapGrad(
      handle, rows_grad.desc, rows_grad.data, row_probs_grad.desc, row_probs_grad.data,
      indices.desc, indices.data, routing.desc, routing.data, false, extra.data, size,
      tokens_grad.desc, tokens_grad.data, probs_grad.desc, probs_grad.data));
  int wrong =
      !is_right("moe_token_permute_with_routing_map_grad", handle, &tokens_grad, (float[]){2, 1});
  wrong |= !is_right("  its probs_grad", handle, &probs_grad, (float[]){0, 6, 5, 0});
  FREE(extra);

  Tensor grad = FLOATS(((float[]){3, 4}), TOKENS, 1), rows = FLOATS(((float[]){5, 6}), ROWS, 1);
  Tensor probs = FLOATS(((float[]){0, 0.5f, 2, 0}), TOKENS, EXPERTS);
  CHECK(
      mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(handle, indices.desc, false, &size));
  extra = workspace(size);
  CHECK(mluOpMoeTokenUnpermuteWithRoutingMapGrad(
      handle, grad.desc, grad.data, rows.desc, rows.data, indices.desc, indices.data, routing.desc,
      routing.data, probs.desc, probs.data, false, extra.data, size, rows_grad.desc, rows_grad.data,
      probs_grad.desc, probs_grad.data));
  int wrong_too = !is_right("moe_token_unpermute_with_routing_map_grad", handle, &rows_grad,
                            (float[]){8, 1.5f});
  wrong_too |= !is_right("  its probs_grad", handle, &probs_grad, (float[]){0, 18, 20, 0});
  FREE(routing, indices, rows_grad, row_probs_grad, tokens_grad, probs_grad, extra, grad, rows,
       probs);
  return wrong + wrong_too;
}

int show_permute(mluOpHandle_t handle) {
  return show_forward(handle) + show_back(handle) + show_gradients(handle);
}
