/* SPDX-License-Identifier: MIT
 *
 * Groups G and I: filters, tables, reductions to one number.
 */
#ifndef BANG_SELECT_H_
#define BANG_SELECT_H_

#include "bang/inline.h"

#include "bang/element.h"
#include "bang/fill.h"
#include "bang/vector_api.h"

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT | BANG_SET_SIGNED> __bang_relun(
    T *dst, const bang_impl::same<T> *src, int64_t n, bang_impl::same<T> limit) {
  __bang_vec_unary(BANG_RELU, bang_impl::element<T>::code, dst, src, n);
  __bang_vec_scalar(BANG_MIN, bang_impl::element<T>::code, dst, dst, &limit, n);
}

/* ---- filters ---- */

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL, uint32_t> __bang_filter(T *dst,
                                                                     const bang_impl::same<T> *src,
                                                                     const bang_impl::same<T> *mask,
                                                                     int64_t n) {
  return __bang_vec_filter(bang_impl::element<T>::code, dst, src, mask, n);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL, uint32_t> __bang_filter_bitindex(
    T *dst, const bang_impl::same<T> *src, const void *bits, int64_t n) {
  return __bang_vec_filter_bits(bang_impl::element<T>::code, dst, src, bits, n);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_collect(T *dst, const bang_impl::same<T> *src,
                                                            const bang_impl::same<T> *mask,
                                                            int64_t n) {
  __bang_vec_filter(bang_impl::element<T>::code, dst, src, mask, n);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_collect_bitindex(T *dst,
                                                                     const bang_impl::same<T> *src,
                                                                     const void *bits, int64_t n) {
  __bang_vec_filter_bits(bang_impl::element<T>::code, dst, src, bits, n);
}

namespace bang_impl {
/* The older form: a 32-bit count first, then the elements from byte 128 on. */
enum { select_header = 128 };
template <class T>
BANG_INLINE T *selected(T *dst) {
  return reinterpret_cast<T *>(reinterpret_cast<char *>(dst) + select_header);
}
BANG_INLINE void put_count(void *dst, uint32_t count) {
  memcpy(dst, &count, sizeof count);
}
}  // namespace bang_impl

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_select(T *dst, const bang_impl::same<T> *src,
                                                           const bang_impl::same<T> *mask,
                                                           int64_t n) {
  bang_impl::put_count(
      dst, __bang_vec_filter(bang_impl::element<T>::code, bang_impl::selected(dst), src, mask, n));
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_select_bitindex(T *dst,
                                                                    const bang_impl::same<T> *src,
                                                                    const void *bits, int64_t n) {
  bang_impl::put_count(dst, __bang_vec_filter_bits(bang_impl::element<T>::code,
                                                   bang_impl::selected(dst), src, bits, n));
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_maskmove(T *dst, const bang_impl::same<T> *src,
                                                             const bang_impl::same<T> *mask,
                                                             int64_t n) {
  __bang_vec_maskmove(bang_impl::element<T>::code, dst, src, mask, 0, n);
}
/* For other types: bytes, with one mask bit per byte. */
BANG_INLINE void __bang_maskmove(void *dst, const void *src, const void *bits, int64_t bytes) {
  __bang_vec_maskmove(BANG_S8, dst, src, bits, 1, bytes);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_maskmove_bitindex(T *dst,
                                                                      const bang_impl::same<T> *src,
                                                                      const void *bits, int64_t n) {
  __bang_vec_maskmove(bang_impl::element<T>::code, dst, src, bits, 1, n);
}

/* ---- tables: an index is read as an unsigned integer, not wider than an element ---- */

template <class T, class Index>
BANG_INLINE
    typename std::enable_if<bang_impl::in_set(bang_impl::element<T>::code, BANG_SET_ALL) &&
                            std::is_integral<Index>::value && sizeof(Index) <= sizeof(T)>::type
    __bang_lut(T *dst, const Index *index, const bang_impl::same<T> *table, int64_t n,
               int64_t table_n) {
  __bang_vec_lut(bang_impl::element<T>::code, dst, index, sizeof(Index), table, n, table_n);
}
template <class Index>
BANG_INLINE typename std::enable_if<sizeof(Index) == 4>::type __bang_lut_s32(
    int32_t *dst, const Index *index, const int32_t *table, int64_t n, int64_t table_n) {
  __bang_vec_lut(BANG_S32, dst, index, sizeof(Index), table, n, table_n);
}
template <class Index>
BANG_INLINE typename std::enable_if<sizeof(Index) == 2>::type __bang_lut_s16(
    int16_t *dst, const Index *index, const int16_t *table, int64_t n, int64_t table_n) {
  __bang_vec_lut(BANG_S16, dst, index, sizeof(Index), table, n, table_n);
}

/* ---- one number ---- */

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL, T> __bang_sum(const T *src, int64_t n) {
  T sum;
  __bang_vec_sum(bang_impl::element<T>::code, &sum, src, n);
  return sum;
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_reduce_sum(T *dst,
                                                               const bang_impl::same<T> *src,
                                                               int64_t n) {
  __bang_vec_reduce_sum(bang_impl::element<T>::code, dst, src, n);
}

#define BANG_EXTREME(name, entry)                                                          \
  template <class T>                                                                       \
  BANG_INLINE bang_impl::only<T, BANG_SET_ALL> name(T *dst, const bang_impl::same<T> *src, \
                                                    int64_t n) {                           \
    entry(bang_impl::element<T>::code, dst, src, n);                                       \
  }
BANG_EXTREME(__bang_argmax, __bang_vec_argmax)
BANG_EXTREME(__bang_argmin, __bang_vec_argmin)
BANG_EXTREME(__bang_max, __bang_vec_argmax)
BANG_EXTREME(__bang_min, __bang_vec_argmin)
#undef BANG_EXTREME

/* Returns the first NaN if there is one. */
#define BANG_EXTREME_OR_NAN(name, entry)                                                     \
  template <class T>                                                                         \
  BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> name(T *dst, const bang_impl::same<T> *src, \
                                                      int64_t n) {                           \
    int64_t first = 0;                                                                       \
    while (first < n && static_cast<float>(src[first]) == static_cast<float>(src[first])) {  \
      first++;                                                                               \
    }                                                                                        \
    if (first >= n) {                                                                        \
      entry(bang_impl::element<T>::code, dst, src, n);                                       \
    } else {                                                                                 \
      const uint32_t index = static_cast<uint32_t>(first);                                   \
      entry(bang_impl::element<T>::code, dst, src + first, 1);                               \
      memcpy(reinterpret_cast<char *>(dst) + sizeof(T), &index, sizeof index);               \
    }                                                                                        \
  }
BANG_EXTREME_OR_NAN(__bang_nan_argmax, __bang_vec_argmax)
BANG_EXTREME_OR_NAN(__bang_nan_argmin, __bang_vec_argmin)
#undef BANG_EXTREME_OR_NAN

/* Returns the index; the older form writes it to memory. */
#define BANG_POSITION(name, entry)                                                            \
  template <class T>                                                                          \
  BANG_INLINE bang_impl::only<T, BANG_SET_ALL, uint32_t> name(const T *src, int64_t n) {      \
    return entry(bang_impl::element<T>::code, src, n);                                        \
  }                                                                                           \
  template <class T>                                                                          \
  BANG_INLINE bang_impl::only<T, BANG_SET_ALL> name(uint32_t *dst, const T *src, int64_t n) { \
    *dst = entry(bang_impl::element<T>::code, src, n);                                        \
  }
BANG_POSITION(__bang_count, __bang_vec_count)
BANG_POSITION(__bang_findfirst1, __bang_vec_findfirst1)
BANG_POSITION(__bang_findlast1, __bang_vec_findlast1)
#undef BANG_POSITION

BANG_INLINE uint32_t __bang_count_bitindex(const void *bits, int64_t n) {
  return __bang_vec_count_bits(bits, n);
}
BANG_INLINE void __bang_count_bitindex(uint32_t *dst, const void *bits, int64_t n) {
  *dst = __bang_vec_count_bits(bits, n);
}

/* Writes 0, 1, 2, ... */
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_incseq(T *dst, int64_t n) {
  __bang_vec_iota(bang_impl::element<T>::code, dst, n);
}

#endif /* BANG_SELECT_H_ */
