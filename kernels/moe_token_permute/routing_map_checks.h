/* SPDX-License-Identifier: MIT
 *
 * Checks of the operators with a routing map. A check that fails logs one line and returns its
 * status; `api` is the public function's name in brackets. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_ROUTING_MAP_CHECKS_H_
#define KERNELS_MOE_TOKEN_PERMUTE_ROUTING_MAP_CHECKS_H_

#include <stddef.h>

#include "kernels/moe_token_permute/inverse_call.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most slots of a token without padding. */
#define MOE_MAX_ROWS_PER_TOKEN 512

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

/* Rule of the routing map. */
#define MOE_ROUTING_MAP                                                              \
  MLUOP_TYPES(MLUOP_DTYPE_INT8, MLUOP_DTYPE_BOOL), MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), \
      MLUOP_REAL(0, 1)

/* Limits of tokens and experts. The rank has been checked. */
mluOpStatus_t moe_check_map_limits(const char *api, mluOpTensorDescriptor_t routing_map_desc);

/* NOT_SUPPORTED for more rows than int32 can number, or more than MOE_MAX_ROWS_PER_TOKEN slots of a
 * token. `name` is the argument that determines them. */
mluOpStatus_t moe_check_row_limits(const char *api, const char *name, int64_t rows,
                                   int64_t rows_per_token);

/* The inverse operators' tables have one size, the number of permuted rows, and these tensors. */
enum { PERMUTED_ROWS };
#define MOE_INVERSE_SIZE_NAMES \
  { "rows" }
#define MOE_SORTED_INDICES MLUOP_INT32, MLUOP_DIMS(PERMUTED_ROWS), MLUOP_BELOW(PERMUTED_ROWS)
typedef struct MoeInverseRows {
  int permuted, sorted_indices, routing_map, tokens, probs; /* rows of the table */
} MoeInverseRows;

/* All checks of an inverse operator before those of the data. The permuted rows are whole slots of
 * every token, or whole experts. Sets the size and the call, except for its data. */
mluOpStatus_t moe_check_inverse(mluopTensors *tensors, const MoeInverseRows *rows,
                                bool drop_and_pad, MoeInverseCall *call);

/* Checks the workspace, args.lists with list_words words per row, and the data. */
mluOpStatus_t moe_check_inverse_data(mluopTensors *tensors, const MoeInverseCall *call,
                                     int list_words, size_t workspace_size);

/* Defines the workspace query of an inverse operator: bytes of the lists made from sorted_indices.
 */
#define MOE_LISTS_QUERY(name, list_words)                                                       \
  mluOpStatus_t MLUOP_WIN_API name(mluOpHandle_t handle,                                        \
                                   const mluOpTensorDescriptor_t sorted_indices_desc,           \
                                   const bool drop_and_pad, size_t *workspace_size) {           \
    (void)drop_and_pad;                                                                         \
    mluopTensors tensors =                                                                      \
        MLUOP_TENSOR_QUERY("[" #name "]", handle, &table, SORTED_INDICES, sorted_indices_desc); \
    return moe_get_lists_bytes(&tensors, SORTED_INDICES, (list_words), workspace_size);         \
  }
mluOpStatus_t moe_get_lists_bytes(mluopTensors *tensors, int sorted_indices, int list_words,
                                  size_t *workspace_size);

/* Words per row of an operator that sums rows. */
#define MOE_SUM_LIST_WORDS(drop_and_pad) ((drop_and_pad) ? PADDED_LIST_WORDS : 0)

/* Tasks for so many bytes, at most one per core and token. */
cnrtDim3_t moe_task_dim(mluOpHandle_t handle, size_t bytes, int64_t tokens_num);
cnrtDim3_t moe_inverse_task_dim(mluOpHandle_t handle, const MoeInverseCall *call);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_ROUTING_MAP_CHECKS_H_ */
