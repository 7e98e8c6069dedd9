/* SPDX-License-Identifier: MIT
 *
 * Checks that the operators with a routing map share. Each prints one line and returns the status
 * when it fails; `api` is the public function's name in brackets. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_ROUTING_MAP_CHECKS_H_
#define KERNELS_MOE_TOKEN_PERMUTE_ROUTING_MAP_CHECKS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most slots of one token without padding. */
#define MOE_MAX_ROWS_PER_TOKEN 512

/* Two descriptors are both given or both NULL. */
mluOpStatus_t moe_check_both_or_none(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, const char *other_name,
                                     mluOpTensorDescriptor_t other);

/* int8 or bool, and fewer tokens and experts than the limit. The rank was checked before. */
mluOpStatus_t moe_check_map_dtype(const char *api, mluOpTensorDescriptor_t routing_map_desc);
mluOpStatus_t moe_check_map_limits(const char *api, mluOpTensorDescriptor_t routing_map_desc);

/* The type of tokens, or float beside tokens of bfloat16. */
mluOpStatus_t moe_check_probs_dtype(const char *api, const char *name,
                                    mluOpTensorDescriptor_t probs_desc, const char *tokens_name,
                                    mluOpTensorDescriptor_t tokens_desc);

/* Rows are numbered in int32; a token has MOE_MAX_ROWS_PER_TOKEN slots at most. NOT_SUPPORTED.
 * `name` is the argument that says how many there are. */
mluOpStatus_t moe_check_row_limits(const char *api, const char *name, int64_t rows,
                                   int64_t rows_per_token);

/* Permuted rows as the inverse operators get them: whole slots of every token, or whole experts.
 * Fills tokens_num, num_experts, rows_num, drop_and_pad, per_token and capacity. */
mluOpStatus_t moe_check_permuted_rows(const char *api, const char *rows_name,
                                      mluOpTensorDescriptor_t rows_desc,
                                      mluOpTensorDescriptor_t sorted_indices_desc,
                                      mluOpTensorDescriptor_t routing_map_desc, bool drop_and_pad,
                                      MoeTokenRowsArgs *args);

/* Bytes of the lists that the inverse operators make of sorted_indices. */
size_t moe_lists_bytes(int64_t rows, bool has_lists);

/* Body of their workspace queries. */
mluOpStatus_t moe_get_lists_bytes(const char *api, mluOpHandle_t handle,
                                  mluOpTensorDescriptor_t sorted_indices_desc, bool has_lists,
                                  size_t *workspace_size);

/* Tasks for this many bytes to move, not more than the device has cores or than there are tokens.
 */
cnrtDim3_t moe_task_dim(mluOpHandle_t handle, size_t bytes, int64_t tokens_num);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_ROUTING_MAP_CHECKS_H_ */
