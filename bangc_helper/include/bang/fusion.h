/* SPDX-License-Identifier: MIT
 *
 * Group K: two operations in one. The second and third source are vectors or scalars; vectors
 * repeat every segment_n elements.
 */
#ifndef BANG_FUSION_H_
#define BANG_FUSION_H_

#include "bang/inline.h"

#include "bang/element.h"
#include "bang/vector_api.h"

namespace bang_impl {

template <class T>
BANG_INLINE void fusion(mluFusionOpCode op, T *dst, const T *a, const T *b, bool b_is_scalar,
                        const T *c, bool c_is_scalar, int64_t n, int64_t segment_n) {
  __bang_vec_fusion(op, element<T>::code, dst, a, b, b_is_scalar, c, c_is_scalar, n, segment_n);
}

}  // namespace bang_impl

template <class T, class B, class C>
BANG_INLINE typename std::enable_if<std::is_same<typename std::remove_cv<C>::type, T>::value,
                                    bang_impl::only_vector<T, B, BANG_SET_ALL>>::type
__bang_fusion(mluFusionOpCode op, T *dst, const bang_impl::same<T> *a, B *b, C *c, int64_t n,
              int64_t segment_n) {
  bang_impl::fusion<T>(op, dst, a, b, false, c, false, n, segment_n);
}
template <class T, class B>
BANG_INLINE bang_impl::only_vector<T, B, BANG_SET_ALL> __bang_fusion(mluFusionOpCode op, T *dst,
                                                                     const bang_impl::same<T> *a,
                                                                     B *b, bang_impl::same<T> c,
                                                                     int64_t n, int64_t segment_n) {
  bang_impl::fusion<T>(op, dst, a, b, false, &c, true, n, segment_n);
}
template <class T, class C>
BANG_INLINE bang_impl::only_vector<T, C, BANG_SET_ALL> __bang_fusion(mluFusionOpCode op, T *dst,
                                                                     const bang_impl::same<T> *a,
                                                                     bang_impl::same<T> b, C *c,
                                                                     int64_t n, int64_t segment_n) {
  bang_impl::fusion<T>(op, dst, a, &b, true, c, false, n, segment_n);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_fusion(mluFusionOpCode op, T *dst,
                                                           const bang_impl::same<T> *a,
                                                           bang_impl::same<T> b,
                                                           bang_impl::same<T> c, int64_t n) {
  bang_impl::fusion<T>(op, dst, a, &b, true, &c, true, n, n);
}
/* Without segment_n the vectors have n elements. */
template <class T, class B, class C>
BANG_INLINE typename std::enable_if<std::is_same<typename std::remove_cv<C>::type, T>::value,
                                    bang_impl::only_vector<T, B, BANG_SET_ALL>>::type
__bang_fusion(mluFusionOpCode op, T *dst, const bang_impl::same<T> *a, B *b, C *c, int64_t n) {
  bang_impl::fusion<T>(op, dst, a, b, false, c, false, n, n);
}
template <class T, class B>
BANG_INLINE bang_impl::only_vector<T, B, BANG_SET_ALL> __bang_fusion(mluFusionOpCode op, T *dst,
                                                                     const bang_impl::same<T> *a,
                                                                     B *b, bang_impl::same<T> c,
                                                                     int64_t n) {
  bang_impl::fusion<T>(op, dst, a, b, false, &c, true, n, n);
}
template <class T, class C>
BANG_INLINE bang_impl::only_vector<T, C, BANG_SET_ALL> __bang_fusion(mluFusionOpCode op, T *dst,
                                                                     const bang_impl::same<T> *a,
                                                                     bang_impl::same<T> b, C *c,
                                                                     int64_t n) {
  bang_impl::fusion<T>(op, dst, a, &b, true, c, false, n, n);
}

#endif /* BANG_FUSION_H_ */
