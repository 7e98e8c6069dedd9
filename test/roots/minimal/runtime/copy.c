/* SPDX-License-Identifier: MIT
 *
 * Copies in kernels are done at once; a kernel that waits for them where it must sees no
 * difference.
 */
#include "bang_runtime.h"

#include <string.h>

#include "cn_api.h"
#include "common.h"
#include "copy/engine.h"
#include "copy/segments.h"

/* Directions in the order of mluMemcpyDirection_t. Those of memory cores involve no core's own
 * memory. */
enum { GDRAM2SRAM = 11, SRAM2LDRAM = 14, GDRAM2GDRAM = 19, SRAM2SRAM = 23 };

static bool is_for_memory_core(int dir) {
  return (dir >= GDRAM2SRAM && dir <= SRAM2LDRAM) || dir >= GDRAM2GDRAM;
}

RT_EXPORT int __bang_copy_pipe(int dir) {
  const bool moves_on_chip =
      (dir >= 8 && dir < GDRAM2SRAM) || (dir > SRAM2LDRAM && dir < GDRAM2GDRAM) || dir == SRAM2SRAM;
  return moves_on_chip ? BANG_PIPE_MOVE : BANG_PIPE_IO;
}

RT_EXPORT void __bang_copy(void *dst, const void *src, size_t size, int dir,
                           const bangCopyShape *shape, int is_async) {
  (void)is_async;
  if (size == 0 || dir < 0 || dir > SRAM2SRAM ||
      (__bang_coreId == BANG_MPU_CORE_ID && !is_for_memory_core(dir))) {
    return;
  }
  if (shape == NULL) {
    memmove(dst, src, size);
    return;
  }
  const Copy copy = {.dst = dst,
                     .src = src,
                     .size = size,
                     .count = (shape->dst_segnum1 + 1) * (shape->dst_segnum2 + 1),
                     .dst_side = {shape->dst_stride0, shape->dst_stride1, shape->dst_segnum1 + 1},
                     .src_side = {shape->src_stride0, shape->src_stride1, shape->src_segnum1 + 1}};
  if (copy.count != (shape->src_segnum1 + 1) * (shape->src_segnum2 + 1)) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND, "copy of different numbers of segments");
    return;
  }
  for (CopyCursor at = copy_begin(&copy); !copy_at_end(&at); copy_next(&at)) {
    memmove(at.dst, at.src, size);
  }
}

RT_EXPORT void __bang_defer(int pipe, void (*fn)(const void *args), const void *args, size_t size) {
  (void)pipe;
  (void)size;
  fn(args);
}

RT_EXPORT void __bang_sync_pipes(int pipe_mask) {
  (void)pipe_mask;
}

int bang_copy_engine_gather(const bangTransfer *transfer) {
  (void)transfer;
  return 0; /* __bang_defer handles it */
}
