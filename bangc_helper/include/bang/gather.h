/* SPDX-License-Identifier: MIT
 *
 * Group J: gather and scatter. Offsets are unsigned, in bytes. The mask holds one bit per transfer;
 * it may come before or after the offsets, as bytes or as void pointer.
 */
#ifndef BANG_GATHER_H_
#define BANG_GATHER_H_

#include "bang/inline.h"

#include "bang_runtime.h"
#include "bang/types.h"
#include "bang/vector_api.h"

namespace bang_impl {

BANG_INLINE bangTransfer transfer(void *dst, const void *src, const uint32_t *offset,
                                  const void *mask, int64_t bytes, int64_t stride, int64_t count) {
  return bangTransfer{static_cast<char *>(dst),
                      static_cast<const char *>(src),
                      offset,
                      static_cast<const uint8_t *>(mask),
                      bytes,
                      stride,
                      count};
}

/* A synchronous transfer runs after everything recorded on its pipe. */
BANG_INLINE void gather_now(int dir, const bangTransfer &transfer) {
  __bang_sync_pipes(__bang_copy_pipe(dir));
  __bang_vec_gather(&transfer);
}
BANG_INLINE void scatter_now(int dir, const bangTransfer &transfer) {
  __bang_sync_pipes(__bang_copy_pipe(dir));
  __bang_vec_scatter(&transfer);
}
BANG_INLINE void gather_later(int dir, const bangTransfer &transfer) {
  __bang_vec_gather_async(__bang_copy_pipe(dir), &transfer);
}
BANG_INLINE void scatter_later(int dir, const bangTransfer &transfer) {
  __bang_vec_scatter_async(__bang_copy_pipe(dir), &transfer);
}

}  // namespace bang_impl

/* (dst, src, offset, [mask,] bytes, dir, stride of the dense side, count) */
#define BANG_TRANSFER(name, perform)                                                               \
  BANG_INLINE void name(void *dst, const void *src, const uint32_t *offset, int64_t bytes,         \
                        mluMemcpyDirection_t dir, int64_t stride, int64_t count) {                 \
    bang_impl::perform(dir, bang_impl::transfer(dst, src, offset, nullptr, bytes, stride, count)); \
  }                                                                                                \
  BANG_INLINE void name(void *dst, const void *src, const uint32_t *offset, const void *mask,      \
                        int64_t bytes, mluMemcpyDirection_t dir, int64_t stride, int64_t count) {  \
    bang_impl::perform(dir, bang_impl::transfer(dst, src, offset, mask, bytes, stride, count));    \
  }                                                                                                \
  BANG_INLINE void name(void *dst, const void *src, const uint8_t *mask, const uint32_t *offset,   \
                        int64_t bytes, mluMemcpyDirection_t dir, int64_t stride, int64_t count) {  \
    bang_impl::perform(dir, bang_impl::transfer(dst, src, offset, mask, bytes, stride, count));    \
  }
BANG_TRANSFER(__gather, gather_now)
BANG_TRANSFER(__gather_async, gather_later)
BANG_TRANSFER(__scatter, scatter_now)
BANG_TRANSFER(__scatter_async, scatter_later)
#undef BANG_TRANSFER

/* By the compute unit, NRAM to NRAM: (dst, src, offset, [mask,] bytes, stride, count). */
#define BANG_COMPUTE_TRANSFER(name, statement)                                                    \
  BANG_INLINE void name(void *dst, const void *src, const uint32_t *offset, const void *mask,     \
                        int64_t bytes, int64_t stride, int64_t count) {                           \
    bangTransfer transfer = bang_impl::transfer(dst, src, offset, mask, bytes, stride, count);    \
    statement;                                                                                    \
  }                                                                                               \
  BANG_INLINE void name(void *dst, const void *src, const uint32_t *offset, int64_t bytes,        \
                        int64_t stride, int64_t count) {                                          \
    bangTransfer transfer = bang_impl::transfer(dst, src, offset, nullptr, bytes, stride, count); \
    statement;                                                                                    \
  }
BANG_COMPUTE_TRANSFER(__bang_gather, __bang_vec_gather(&transfer))
BANG_COMPUTE_TRANSFER(__bang_scatter, __bang_vec_scatter(&transfer))
BANG_COMPUTE_TRANSFER(__bang_gather_async, __bang_vec_gather_async(BANG_PIPE_COMPUTE, &transfer))
BANG_COMPUTE_TRANSFER(__bang_scatter_async, __bang_vec_scatter_async(BANG_PIPE_COMPUTE, &transfer))
#undef BANG_COMPUTE_TRANSFER

#endif /* BANG_GATHER_H_ */
