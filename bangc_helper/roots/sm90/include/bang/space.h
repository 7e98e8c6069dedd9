/* SPDX-License-Identifier: MIT
 *
 * Group Q: loads and stores that name their memory, and queries which memory a pointer refers to.
 */
#ifndef BANG_SPACE_H_
#define BANG_SPACE_H_

#include "bang/space_access.h"
#include "bang/task.h"
#include "bang/types.h"

namespace bang_impl {
BANG_INLINE bool is_in_scratch(const void *address, const char *scratch, size_t stride) {
  const char *p = (const char *)address;
  return scratch && p >= scratch && p < scratch + stride * gridDim.x;
}
}  // namespace bang_impl

/* True for memory allocated by cnrt; false for on-chip variables and the stack. */
BANG_INLINE bool __is_dram(const void *address) {
  const bangSm90Frame &frame = bang_impl::control.frame;
  return __isGlobal(address) &&
         !bang_impl::is_in_scratch(address, frame.task_scratch, frame.task_scratch_stride) &&
         !bang_impl::is_in_scratch(address, frame.cluster_scratch, frame.cluster_scratch_stride);
}

#endif /* BANG_SPACE_H_ */
