/* SPDX-License-Identifier: MIT
 *
 * Fills. The width of an element is that of the VALUE, not that of the pointer's type.
 */
#ifndef BANG_FILL_H_
#define BANG_FILL_H_

#include "bang/inline.h"

#include "bang_runtime.h"
#include "bang/types.h"
#include "bang/vector_api.h"

namespace bang_impl {

/* Element type of a value: double becomes float, bool and enums become integers, other types stay.
 */
template <class V, bool is_enum = std::is_enum<V>::value>
struct fill_element {
  typedef V type;
};
template <class V>
struct fill_element<V, true> {
  typedef int type;
};
template <>
struct fill_element<double, false> {
  typedef float type;
};

}  // namespace bang_impl

#define BANG_FILL(name, before)                                                            \
  template <class V>                                                                       \
  BANG_INLINE void name(void *dst, int64_t count, V value, int64_t stride = 0,             \
                        int64_t segnum = 0) {                                              \
    typename bang_impl::fill_element<V>::type element = value;                             \
    before;                                                                                \
    __bang_vec_fill(dst, count, &element, sizeof element, stride, segnum, 0, 0);           \
  }                                                                                        \
  template <class V>                                                                       \
  BANG_INLINE void name(void *dst, int64_t count, V value, int64_t stride0, int64_t iter1, \
                        int64_t stride1, int64_t iter2) {                                  \
    typename bang_impl::fill_element<V>::type element = value;                             \
    before;                                                                                \
    __bang_vec_fill(dst, count, &element, sizeof element, stride0, iter1, stride1, iter2); \
  }

#define BANG_FILL_ASYNC(name, pipe)                                                          \
  template <class V>                                                                         \
  BANG_INLINE void name(void *dst, int64_t count, V value, int64_t stride = 0,               \
                        int64_t segnum = 0) {                                                \
    typename bang_impl::fill_element<V>::type element = value;                               \
    __bang_vec_fill_async(pipe, dst, count, &element, sizeof element, stride, segnum, 0, 0); \
  }

/* On-chip fills run in the compute unit; a fill of DRAM or SRAM runs after everything recorded on
 * its pipe. */
BANG_FILL(__bang_write_value, (void)0)
BANG_FILL(__memset_nram, (void)0)
BANG_FILL(__nramset, (void)0)
BANG_FILL(__wramset, (void)0)
BANG_FILL(__sramset, __bang_sync_pipes(BANG_PIPE_MOVE))
BANG_FILL(__memset_sram, __bang_sync_pipes(BANG_PIPE_MOVE))
BANG_FILL(__gdramset, __bang_sync_pipes(BANG_PIPE_IO))
BANG_FILL(__ldramset, __bang_sync_pipes(BANG_PIPE_IO))
BANG_FILL_ASYNC(__nramset_async, BANG_PIPE_MOVE)
BANG_FILL_ASYNC(__memset_nram_async, BANG_PIPE_MOVE)
BANG_FILL_ASYNC(__sramset_async, BANG_PIPE_MOVE)
BANG_FILL_ASYNC(__gdramset_async, BANG_PIPE_IO)

#undef BANG_FILL
#undef BANG_FILL_ASYNC

/* Older spellings, with the type in the name or taken from the pointer. */
BANG_INLINE void __nramset_half(half *dst, int64_t count, half value) {
  __nramset(dst, count, value);
}
BANG_INLINE void __nramset_float(float *dst, int64_t count, float value) {
  __nramset(dst, count, value);
}
BANG_INLINE void __nramset_unsigned_int(unsigned *dst, int64_t count, unsigned value) {
  __nramset(dst, count, value);
}
BANG_INLINE void __nramset_unsigned_short(unsigned short *dst, int64_t count,
                                          unsigned short value) {
  __nramset(dst, count, value);
}
BANG_INLINE void __nramset_int(int *dst, int64_t count, int value) {
  __nramset(dst, count, value);
}
BANG_INLINE void __nramset_short(short *dst, int64_t count, short value) {
  __nramset(dst, count, value);
}
BANG_INLINE void __nramset_char(char *dst, int64_t count, char value) {
  __nramset(dst, count, value);
}
template <class T>
BANG_INLINE void __bang_write_zero(T *dst, int64_t count) {
  uint64_t zero[2] = {0, 0};
  static_assert(sizeof(T) <= sizeof zero, "an element is at most 16 bytes");
  __bang_vec_fill(dst, count, zero, sizeof(T), 0, 0, 0, 0);
}

#endif /* BANG_FILL_H_ */
