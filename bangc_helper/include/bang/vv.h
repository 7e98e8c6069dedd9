/* SPDX-License-Identifier: MIT
 *
 * Group O: vector registers. A register holds __vv_get_length() bytes.
 */
#ifndef BANG_VV_H_
#define BANG_VV_H_

#include "bang/inline.h"

#include "bang/element.h"
#include "bang/vv_threads.h"

#define BANG_VV_BYTES 256

namespace bang_impl {

template <class T>
struct vv {
  typedef T element;
  enum { lanes = BANG_VV_BYTES / sizeof(T), slots = lanes / BANG_VV_THREADS };
  T v[slots]; /* the slots of one thread */
};

template <class V>
BANG_INLINE int64_t bounded(int64_t n) {
  return n < 0 ? 0 : n > V::lanes ? static_cast<int64_t>(V::lanes) : n;
}

}  // namespace bang_impl

typedef bang_impl::vv<float> vv_float;
typedef bang_impl::vv<half> vv_half;
typedef bang_impl::vv<bfloat16_t> vv_bfloat16;
typedef bang_impl::vv<int8_t> vv_int8;
typedef bang_impl::vv<uint8_t> vv_uint8;
typedef bang_impl::vv<int16_t> vv_int16;
typedef bang_impl::vv<uint16_t> vv_uint16;
typedef bang_impl::vv<int32_t> vv_int32;
typedef bang_impl::vv<uint32_t> vv_uint32;
typedef bang_impl::vv<int64_t> vv_int64;
typedef bang_impl::vv<uint64_t> vv_uint64;

BANG_INLINE int __vv_get_length() {
  return BANG_VV_BYTES;
}

/* Broadcast, lane i = base + i * step, and loads and stores. */
template <class T>
BANG_INLINE void __vv_move(bang_impl::vv<T> &dst, bang_impl::same<T> value) {
  for (T &lane : dst.v) {
    lane = value;
  }
}
template <class T>
BANG_INLINE void __vv_move(bang_impl::vv<T> &dst, const bang_impl::vv<T> &src) {
  dst = src;
}
template <class T>
BANG_INLINE void __vv_index(bang_impl::vv<T> &dst, bang_impl::same<T> base,
                            bang_impl::same<T> step) {
  for (int i = 0; i < bang_impl::vv<T>::slots; i++) {
    dst.v[i] =
        static_cast<T>(base + static_cast<T>(static_cast<T>(bang_impl::vv_number(i)) * step));
  }
}
template <class T>
BANG_INLINE void __vv_load(bang_impl::vv<T> &dst, const bang_impl::same<T> *src,
                           int64_t n = bang_impl::vv<T>::lanes) {
  bang_impl::load_register(dst.v, src, bang_impl::bounded<bang_impl::vv<T>>(n));
}
template <class T>
BANG_INLINE void __vv_store(bang_impl::same<T> *dst, const bang_impl::vv<T> &src,
                            int64_t n = bang_impl::vv<T>::lanes) {
  bang_impl::store_register(dst, src.v, bang_impl::bounded<bang_impl::vv<T>>(n));
}

#define BANG_VV_BINARY(name, op)                                                                  \
  template <class T>                                                                              \
  BANG_INLINE void name(bang_impl::vv<T> &dst, const bang_impl::vv<T> &a,                         \
                        const bang_impl::vv<T> &b) {                                              \
    __bang_vv_binary(op, bang_impl::element<T>::code, dst.v, a.v, b.v, bang_impl::vv<T>::slots);  \
  }                                                                                               \
  template <class T>                                                                              \
  BANG_INLINE void name(bang_impl::vv<T> &dst, const bang_impl::vv<T> &a, bang_impl::same<T> b) { \
    __bang_vv_scalar(op, bang_impl::element<T>::code, dst.v, a.v, &b, bang_impl::vv<T>::slots);   \
  }
BANG_VV_BINARY(__vv_add, BANG_ADD)
BANG_VV_BINARY(__vv_sub, BANG_SUB)
BANG_VV_BINARY(__vv_mul, BANG_MUL)
BANG_VV_BINARY(__vv_div, BANG_DIV)
BANG_VV_BINARY(__vv_max, BANG_MAX)
BANG_VV_BINARY(__vv_min, BANG_MIN)
BANG_VV_BINARY(__vv_and, BANG_BAND)
BANG_VV_BINARY(__vv_or, BANG_BOR)
BANG_VV_BINARY(__vv_xor, BANG_BXOR)
#undef BANG_VV_BINARY

/* Upper 32 bits of the product of two 32-bit integers. */
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET(BANG_S32) | BANG_SET(BANG_U32)> __vv_mulh(
    bang_impl::vv<T> &dst, const bang_impl::vv<T> &a, const bang_impl::vv<T> &b) {
  typedef typename std::conditional<std::is_signed<T>::value, int64_t, uint64_t>::type Wide;
  for (int i = 0; i < bang_impl::vv<T>::slots; i++) {
    dst.v[i] = static_cast<T>((static_cast<Wide>(a.v[i]) * static_cast<Wide>(b.v[i])) >> 32);
  }
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET(BANG_S32) | BANG_SET(BANG_U32)> __vv_mulh(
    bang_impl::vv<T> &dst, const bang_impl::vv<T> &a, bang_impl::same<T> b) {
  bang_impl::vv<T> all;
  __vv_move(all, b);
  __vv_mulh(dst, a, all);
}
/* a ^ b ^ c; the operands after the first are registers or scalars */
template <class T, class B, class C>
BANG_INLINE bang_impl::only<T, BANG_SET_INT> __vv_trixor(bang_impl::vv<T> &dst,
                                                         const bang_impl::vv<T> &a, const B &b,
                                                         const C &c) {
  __vv_xor(dst, a, b);
  __vv_xor(dst, dst, c);
}

#endif /* BANG_VV_H_ */
