/* SPDX-License-Identifier: MIT
 *
 * Overloads of the elementwise functions, generated from the tables. The destination decides the
 * type; scalar operands convert to it, and counts may have any integer type.
 */
#ifndef BANG_VECTOR_H_
#define BANG_VECTOR_H_

#include "bang/inline.h"

#include "bang/element.h"
#include "bang/vector_api.h"

#define BANG_UNARY(name, op, set, limits, note)                                                  \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, (set)> name(T *dst, const bang_impl::same<T> *src, int64_t n) { \
    __bang_vec_unary(BANG_##op, bang_impl::element<T>::code, dst, src, n);                       \
  }
#define BANG_BINARY(name, op, set, limits, note)                                                  \
  template <class T, class U>                                                                     \
  BANG_INLINE bang_impl::only_vector<T, U, (set)> name(T *dst, const bang_impl::same<T> *a, U *b, \
                                                       int64_t n) {                               \
    __bang_vec_binary(BANG_##op, bang_impl::element<T>::code, dst, a, b, n);                      \
  }
#define BANG_SCALAR(name, op, set, limits, note)                                     \
  template <class T>                                                                 \
  BANG_INLINE bang_impl::only<T, (set)> name(T *dst, const bang_impl::same<T> *src,  \
                                             bang_impl::same<T> scalar, int64_t n) { \
    __bang_vec_scalar(BANG_##op, bang_impl::element<T>::code, dst, src, &scalar, n); \
  }
#define BANG_CYCLE(name, op, set, limits, note)                                                \
  template <class T>                                                                           \
  BANG_INLINE bang_impl::only<T, (set)> name(T *dst, const bang_impl::same<T> *src,            \
                                             const bang_impl::same<T> *segment, int64_t n,     \
                                             int64_t segment_n) {                              \
    __bang_vec_cycle(BANG_##op, bang_impl::element<T>::code, dst, src, segment, n, segment_n); \
  }
#define BANG_BITINDEX(name, op, set, limits, note)                                               \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, (set)> name(void *dst, const T *a, const bang_impl::same<T> *b, \
                                             int64_t n) {                                        \
    __bang_vec_bitindex(BANG_##op, bang_impl::element<T>::code, dst, a, b, 0, n);                \
  }
#define BANG_BITINDEX_SCALAR(name, op, set, limits, note)                                        \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, (set)> name(void *dst, const T *src, bang_impl::same<T> scalar, \
                                             int64_t n) {                                        \
    __bang_vec_bitindex(BANG_##op, bang_impl::element<T>::code, dst, src, &scalar, 1, n);        \
  }

namespace bang_impl {

/* A pointer to elements with one type code, whichever C++ type the caller uses (char or int8_t). It
 * avoids templates, so the conversions below compile quickly. */
template <int code>
struct out {
  void *p;
  template <class T, class = typename std::enable_if<element<T>::code == code>::type>
  BANG_MEMBER out(T *pointer) : p(pointer) {}
};
template <int code>
struct in {
  const void *p;
  template <class T, class = typename std::enable_if<element<T>::code == code>::type>
  BANG_MEMBER in(const T *pointer) : p(pointer) {}
};

/* A position scales up when converting from integers and down when converting to integers. */
constexpr int shift_of(int src_code, int position) {
  return in_set(src_code, BANG_SET_INT) ? position : -position;
}

/* How a single number is passed. */
template <int code>
struct operand_of : type_of<code> {};
template <>
struct operand_of<BANG_F16> {
  typedef half_operand type;
};

/* What loops of scalar code mostly need takes no call. */
template <int dst_code, int src_code, int round>
BANG_INLINE typename type_of<dst_code>::type convert_one(typename operand_of<src_code>::type x) {
  typedef typename type_of<dst_code>::type Number;
  if constexpr (dst_code == BANG_F32 && src_code == BANG_F16) {
    return float_of_number(x);
  } else if constexpr (dst_code == BANG_F16 && src_code == BANG_F32 && round == BANG_RN) {
    return half_of_number(x);
  } else if constexpr ((dst_code == BANG_F32 && src_code == BANG_BF16) ||
                       (dst_code == BANG_BF16 && src_code == BANG_F32 && round == BANG_RN)) {
    return static_cast<Number>(x);
  } else {
    Number y;
    __bang_vec_convert(dst_code, &y, src_code, &x, 1, 0, round);
    return y;
  }
}

}  // namespace bang_impl

/* BANG_IF_NAMED(name, function) is the function. It is nothing if cncc names the conversions of the
 * unit, by __BANG_NAMES__ and a macro __BANG_NAMED_<name> for each, and this is none of them. */
#ifdef __BANG_NAMES__
#define BANG_NAMED , BANG_KEEP
#define BANG_KEEP(...) __VA_ARGS__
#define BANG_DROP(...)
#define BANG_SECOND(first, second, ...) second
#define BANG_KEEP_OR_DROP(...) BANG_SECOND(__VA_ARGS__, BANG_DROP, )
#define BANG_IF_NAMED(name, ...) BANG_KEEP_OR_DROP(__BANG_NAMED_##name)(__VA_ARGS__)
#else
#define BANG_IF_NAMED(name, ...) __VA_ARGS__
#endif

/* With strides (in bytes): `segments` + 1 segments of n elements. */
#define BANG_CONVERT(name, dst_code, src_code, round, note)                                   \
  BANG_IF_NAMED(                                                                              \
      name, BANG_ON_CALL void name(bang_impl::out<dst_code> dst, bang_impl::in<src_code> src, \
                                   int64_t n, int64_t dst_stride = 0, int64_t src_stride = 0, \
                                   int64_t segments = 0) {                                    \
        __bang_vec_convert_strided(dst_code, dst.p, src_code, src.p, n, 0, BANG_##round,      \
                                   dst_stride, src_stride, segments);                         \
      })
#define BANG_CONVERT_FIX(name, dst_code, src_code, round, note)                               \
  BANG_IF_NAMED(                                                                              \
      name, BANG_ON_CALL void name(bang_impl::out<dst_code> dst, bang_impl::in<src_code> src, \
                                   int64_t n, int position = 0, int64_t dst_stride = 0,       \
                                   int64_t src_stride = 0, int64_t segments = 0) {            \
        __bang_vec_convert_strided(dst_code, dst.p, src_code, src.p, n,                       \
                                   bang_impl::shift_of(src_code, position), BANG_##round,     \
                                   dst_stride, src_stride, segments);                         \
      })
#define BANG_CONVERT_FIX2(name, dst_code, src_code, round, note)                              \
  BANG_IF_NAMED(                                                                              \
      name, BANG_ON_CALL void name(bang_impl::out<dst_code> dst, bang_impl::in<src_code> src, \
                                   int64_t n, int dst_position = 0, int src_position = 0) {   \
        __bang_vec_convert(dst_code, dst.p, src_code, src.p, n, src_position - dst_position,  \
                           BANG_##round);                                                     \
      })
#define BANG_ONE(name, dst_code, src_code, round, note)                     \
  BANG_IF_NAMED(                                                            \
      name, BANG_ON_CALL bang_impl::type_of<dst_code>::type name(           \
                bang_impl::operand_of<src_code>::type x) {                  \
        return bang_impl::convert_one<dst_code, src_code, BANG_##round>(x); \
      })

#include "bang/all.def"

#endif /* BANG_VECTOR_H_ */
