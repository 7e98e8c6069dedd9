/* SPDX-License-Identifier: MIT
 *
 * Integer functions: widening products, single bits of words, bit counts, random numbers, and a
 * prefetch hint that has no effect here.
 */
#ifndef BANG_INTEGER_H_
#define BANG_INTEGER_H_

#include "bang/inline.h"

#include "bang/element.h"
#include "bang/vector_api.h"

namespace bang_impl {

/* Type of a product of two factors of 8 or 16 bits. */
template <int code>
struct product_of {
  typedef void type;
};
template <>
struct product_of<BANG_S8> {
  typedef int16_t type;
};
template <>
struct product_of<BANG_U8> {
  typedef uint16_t type;
};
template <>
struct product_of<BANG_S16> {
  typedef int32_t type;
};
template <>
struct product_of<BANG_U16> {
  typedef uint32_t type;
};
template <class D, class T>
using only_product = typename std::enable_if<
    std::is_same<D, typename product_of<element<T>::code>::type>::value>::type;

}  // namespace bang_impl

template <class D, class T>
BANG_INLINE bang_impl::only_product<D, T> __bang_square(D *dst, const T *src, int64_t n) {
  __bang_vec_product(bang_impl::element<T>::code, dst, src, src, n, n);
}
template <class D, class T>
BANG_INLINE bang_impl::only_product<D, T> __bang_muls(D *dst, const T *a,
                                                      const bang_impl::same<T> *b, int64_t n) {
  __bang_vec_product(bang_impl::element<T>::code, dst, a, b, n, n);
}
template <class D, class T>
BANG_INLINE bang_impl::only_product<D, T> __bang_muls_scalar(D *dst, const T *src,
                                                             bang_impl::same<T> scalar, int64_t n) {
  __bang_vec_product(bang_impl::element<T>::code, dst, src, &scalar, 1, n);
}
template <class D, class T>
BANG_INLINE bang_impl::only_product<D, T> __bang_cycle_muls(D *dst, const T *src,
                                                            const bang_impl::same<T> *segment,
                                                            int64_t n, int64_t segment_n) {
  __bang_vec_product(bang_impl::element<T>::code, dst, src, segment, segment_n, n);
}

/* Clears or sets one bit of each 32-bit word. */
BANG_INLINE void __bang_set0in32(void *dst, const void *src, int position, int64_t n) {
  const uint32_t others = ~(1u << (position & 31));
  __bang_vec_scalar(BANG_BAND, BANG_U32, dst, src, &others, n);
}
BANG_INLINE void __bang_set1in32(void *dst, const void *src, int position, int64_t n) {
  const uint32_t bit = 1u << (position & 31);
  __bang_vec_scalar(BANG_BOR, BANG_U32, dst, src, &bit, n);
}

/* Uniform over all 65536 values. */
BANG_INLINE void __bang_rand(int16_t *dst, int64_t n) {
  __bang_vec_random(dst, n);
}

BANG_INLINE int __popcnt(unsigned x) {
  return __builtin_popcount(x);
}

/* Prefetches entries of the address translation tables. */
BANG_INLINE void __prefetch_smmu(const void *src, int64_t bytes) {
  (void)src;
  (void)bytes;
}

#endif /* BANG_INTEGER_H_ */
