/* SPDX-License-Identifier: MIT
 *
 * Gather and scatter by byte offsets, at once or in the order of a pipe.
 */
#include <string.h>

#include "bang_runtime.h"
#include "copy/engine.h"
#include "vector/transfer.h"
#include "vector/vector.h"

/* Constant sizes compile to single moves. */
static inline void move(char *dst, const char *src, int64_t bytes) {
  switch (bytes) {
    case 2:
      memcpy(dst, src, 2);
      break;
    case 4:
      memcpy(dst, src, 4);
      break;
    case 8:
      memcpy(dst, src, 8);
      break;
    default:
      memmove(dst, src, (size_t)bytes);
      break;
  }
}

/* One side of a transfer is always NRAM, which a memory core does not have. */
static int core_has_nram(void) {
  return __bang_coreId != BANG_MPU_CORE_ID;
}

BANG_API void __bang_vec_gather(const bangTransfer *transfer) {
  if (!core_has_nram()) {
    return;
  }
  if (transfer->bytes > 0) {
    bang_isa->gather(transfer);
  }
}

BANG_API void __bang_vec_scatter(const bangTransfer *transfer) {
  if (!core_has_nram()) {
    return;
  }
  for (int64_t i = 0; transfer->bytes > 0 && i < transfer->count; i++) {
    if (transfer_selects(transfer, i)) {
      move(transfer->dst + transfer_offset(transfer, i), transfer->src + i * transfer->stride,
           transfer->bytes);
    }
  }
}

static void run_gather(const void *args) {
  __bang_vec_gather(args);
}
static void run_scatter(const void *args) {
  __bang_vec_scatter(args);
}

/* Prefetches the first rows, so that they have arrived when the gather is done. */
BANG_API void __bang_vec_gather_async(int pipe, const bangTransfer *transfer) {
  if (!core_has_nram()) {
    return;
  }
  if (pipe == BANG_PIPE_IO && bang_copy_engine_gather(transfer)) {
    return;
  }
  int64_t rows = transfer_rows_ahead(transfer);
  for (int64_t i = 0; i < rows; i++) {
    transfer_fetch(transfer, i);
  }
  __bang_defer(pipe, run_gather, transfer, sizeof *transfer);
}
BANG_API void __bang_vec_scatter_async(int pipe, const bangTransfer *transfer) {
  __bang_defer(pipe, run_scatter, transfer, sizeof *transfer);
}
