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

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

/* The rule of the routing map. */
#define MOE_ROUTING_MAP                                                              \
  MLUOP_TYPES(MLUOP_DTYPE_INT8, MLUOP_DTYPE_BOOL), MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), \
      MLUOP_REAL(0, 1)

/* Fewer tokens and experts than the limit. The rank was checked before. */
mluOpStatus_t moe_check_map_limits(const char *api, mluOpTensorDescriptor_t routing_map_desc);

/* Rows are numbered in int32; a token has MOE_MAX_ROWS_PER_TOKEN slots at most. NOT_SUPPORTED.
 * `name` is the argument that says how many there are. */
mluOpStatus_t moe_check_row_limits(const char *api, const char *name, int64_t rows,
                                   int64_t rows_per_token);

/* Tables of the inverse operators have one size, the number of permuted rows, and these tensors. */
enum { PERMUTED_ROWS };
#define MOE_INVERSE_SIZE_NAMES \
  { "rows" }
#define MOE_SORTED_INDICES MLUOP_INT32, MLUOP_DIMS(PERMUTED_ROWS), MLUOP_BELOW(PERMUTED_ROWS)
typedef struct MoeInverseRows {
  int permuted, sorted_indices, routing_map, tokens; /* places in the table */
} MoeInverseRows;

/* Everything that is asked of the tensors of an inverse operator before their data. Its permuted
 * rows are whole slots of every token, or whole experts. Sets the size and fills `args` but for
 * probs and lists. */
mluOpStatus_t moe_check_inverse(mluopTensors *tensors, const MoeInverseRows *rows,
                                bool drop_and_pad, MoeTokenRowsArgs *args);

/* Then its workspace, args->lists, which is there when it has lists, and its data. */
mluOpStatus_t moe_check_inverse_data(mluopTensors *tensors, const MoeTokenRowsArgs *args,
                                     bool has_lists, size_t workspace_size);

/* Defines their workspace query: bytes of the lists that they make of sorted_indices. */
#define MOE_LISTS_QUERY(name, has_lists)                                                \
  mluOpStatus_t MLUOP_WIN_API name(mluOpHandle_t handle,                                \
                                   const mluOpTensorDescriptor_t sorted_indices_desc,   \
                                   const bool drop_and_pad, size_t *workspace_size) {   \
    (void)drop_and_pad;                                                                 \
    return moe_get_lists_bytes("[" #name "]", handle, sorted_indices_desc, (has_lists), \
                               workspace_size);                                         \
  }
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
