/* SPDX-License-Identifier: MIT
 *
 * Limits of tasks with one token each. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_SMALL_TASKS_TOKEN_SLOTS_H_
#define KERNELS_MOE_TOKEN_PERMUTE_SMALL_TASKS_TOKEN_SLOTS_H_

#include <stddef.h>

#include "kernels/kernel.h"
#include "kernels/moe_token_permute/token_rows.h"

/* n elements of 16 bits are widened to float from this many elements before the first one on, at a
 * multiple of 16 bytes. */
#define WIDENED_DISTANCE(n) ALIGN_UP(n, 8)

#define TOKEN_MAX_SLOTS 64
#define TOKEN_MAX_EXPERTS 512

/* Why such tasks cannot do a call with up to max_slots slots and rows of row_bytes bytes, or NULL.
 */
static inline const char *token_slots_refusal(const MoeTokenRowsArgs *args, int max_slots,
                                              bool has_map, int64_t row_bytes) {
  if (args->drop_and_pad) return "there is padding";
  if (args->per_token > max_slots) return "a token has too many slots";
  if (has_map && args->num_experts > TOKEN_MAX_EXPERTS) return "there are too many experts";
  return args->rows_num > GATHER_SPAN_BYTES / row_bytes
             ? "the rows are larger than a gather reaches"
             : NULL;
}

#endif /* KERNELS_MOE_TOKEN_PERMUTE_SMALL_TASKS_TOKEN_SLOTS_H_ */
