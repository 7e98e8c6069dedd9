/* SPDX-License-Identifier: MIT
 *
 * Group O, second part: predicates. A predicate has one truth value per lane. name_m keeps the old
 * value of lanes where the predicate is false, name_z sets them to zero.
 */
#ifndef BANG_VV_MASK_H_
#define BANG_VV_MASK_H_

#include "bang/vv.h"
#include "bang/inline.h"

struct vv_bool {
  /* One slot per lane of the narrowest element type. */
  enum { slots = BANG_VV_BYTES / BANG_VV_THREADS };
  bool v[slots];
};

namespace bang_impl {

template <class T>
BANG_INLINE void keep_others(vv<T> &dst, const vv<T> &result, const vv_bool &mask) {
  for (int i = 0; i < vv<T>::slots; i++) {
    if (mask.v[i]) {
      dst.v[i] = result.v[i];
    }
  }
}
template <class T>
BANG_INLINE void clear_others(vv<T> &dst, const vv<T> &result, const vv_bool &mask) {
  for (int i = 0; i < vv<T>::slots; i++) {
    dst.v[i] = mask.v[i] ? result.v[i] : static_cast<T>(0);
  }
}

/* Integers may be widened when loaded and narrowed when stored. */
template <class Wide, class Narrow>
using widens =
    typename std::enable_if<std::is_integral<Wide>::value && std::is_integral<Narrow>::value &&
                            (sizeof(Narrow) < sizeof(Wide))>::type;

}  // namespace bang_impl

/* ---- operations without an unmasked form above ---- */

#define BANG_VV_BINARY(name, op, set)                                                            \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, (set)> name(bang_impl::vv<T> &dst, const bang_impl::vv<T> &a,   \
                                             const bang_impl::vv<T> &b) {                        \
    __bang_vv_binary(op, bang_impl::element<T>::code, dst.v, a.v, b.v, bang_impl::vv<T>::slots); \
  }                                                                                              \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, (set)> name(bang_impl::vv<T> &dst, const bang_impl::vv<T> &a,   \
                                             bang_impl::same<T> b) {                             \
    __bang_vv_scalar(op, bang_impl::element<T>::code, dst.v, a.v, &b, bang_impl::vv<T>::slots);  \
  }
BANG_VV_BINARY(__vv_rem, BANG_REM, BANG_SET_INT)
BANG_VV_BINARY(__vv_sll, BANG_SLL, BANG_SET_INT)
BANG_VV_BINARY(__vv_srl, BANG_SRL, BANG_SET_INT)
BANG_VV_BINARY(__vv_sra, BANG_SRA, BANG_SET_INT)
BANG_VV_BINARY(__vv_land, BANG_AND, BANG_SET_ALL)
BANG_VV_BINARY(__vv_lor, BANG_OR, BANG_SET_ALL)
BANG_VV_BINARY(__vv_lxor, BANG_XOR, BANG_SET_ALL)
BANG_VV_BINARY(__vv_eq, BANG_EQ, BANG_SET_ALL)
BANG_VV_BINARY(__vv_ne, BANG_NE, BANG_SET_ALL)
BANG_VV_BINARY(__vv_lt, BANG_LT, BANG_SET_ALL)
BANG_VV_BINARY(__vv_le, BANG_LE, BANG_SET_ALL)
BANG_VV_BINARY(__vv_gt, BANG_GT, BANG_SET_ALL)
BANG_VV_BINARY(__vv_ge, BANG_GE, BANG_SET_ALL)
#undef BANG_VV_BINARY

#define BANG_VV_UNARY(name, op, set)                                                               \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> name(bang_impl::vv<T> &dst, const bang_impl::vv<T> &src) { \
    __bang_vv_unary(op, bang_impl::element<T>::code, dst.v, src.v, bang_impl::vv<T>::slots);       \
  }                                                                                                \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> name##_m(                                                  \
      bang_impl::vv<T> &dst, const bang_impl::vv<T> &src, const vv_bool &mask) {                   \
    bang_impl::vv<T> result;                                                                       \
    name(result, src);                                                                             \
    bang_impl::keep_others(dst, result, mask);                                                     \
  }                                                                                                \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> name##_z(                                                  \
      bang_impl::vv<T> &dst, const bang_impl::vv<T> &src, const vv_bool &mask) {                   \
    bang_impl::vv<T> result;                                                                       \
    name(result, src);                                                                             \
    bang_impl::clear_others(dst, result, mask);                                                    \
  }
BANG_VV_UNARY(__vv_neg, BANG_NEG, BANG_SET_ALL)
BANG_VV_UNARY(__vv_abs, BANG_ABS, BANG_SET_FLOAT | BANG_SET_SIGNED)
BANG_VV_UNARY(__vv_not, BANG_BNOT, BANG_SET_INT)
BANG_VV_UNARY(__vv_lnot, BANG_NOT, BANG_SET_ALL)
#undef BANG_VV_UNARY

/* ---- forms with a scalar first operand, and masked forms ---- */

#define BANG_VV_FORMS(name)                                                                       \
  template <class T>                                                                              \
  BANG_INLINE void name(bang_impl::vv<T> &dst, bang_impl::same<T> a, const bang_impl::vv<T> &b) { \
    bang_impl::vv<T> all;                                                                         \
    __vv_move(all, a);                                                                            \
    name(dst, all, b);                                                                            \
  }                                                                                               \
  template <class T, class A, class B>                                                            \
  BANG_INLINE void name##_m(bang_impl::vv<T> &dst, const A &a, const B &b, const vv_bool &mask) { \
    bang_impl::vv<T> result;                                                                      \
    name(result, a, b);                                                                           \
    bang_impl::keep_others(dst, result, mask);                                                    \
  }                                                                                               \
  template <class T, class A, class B>                                                            \
  BANG_INLINE void name##_z(bang_impl::vv<T> &dst, const A &a, const B &b, const vv_bool &mask) { \
    bang_impl::vv<T> result;                                                                      \
    name(result, a, b);                                                                           \
    bang_impl::clear_others(dst, result, mask);                                                   \
  }
BANG_VV_FORMS(__vv_add)
BANG_VV_FORMS(__vv_sub)
BANG_VV_FORMS(__vv_mul)
BANG_VV_FORMS(__vv_div)
BANG_VV_FORMS(__vv_rem)
BANG_VV_FORMS(__vv_max)
BANG_VV_FORMS(__vv_min)
BANG_VV_FORMS(__vv_and)
BANG_VV_FORMS(__vv_or)
BANG_VV_FORMS(__vv_xor)
BANG_VV_FORMS(__vv_sll)
BANG_VV_FORMS(__vv_srl)
BANG_VV_FORMS(__vv_sra)
BANG_VV_FORMS(__vv_land)
BANG_VV_FORMS(__vv_lor)
BANG_VV_FORMS(__vv_lxor)
BANG_VV_FORMS(__vv_eq)
BANG_VV_FORMS(__vv_ne)
BANG_VV_FORMS(__vv_lt)
BANG_VV_FORMS(__vv_le)
BANG_VV_FORMS(__vv_gt)
BANG_VV_FORMS(__vv_ge)
#undef BANG_VV_FORMS

template <class T, class A>
BANG_INLINE void __vv_move_m(bang_impl::vv<T> &dst, const A &src, const vv_bool &mask) {
  bang_impl::vv<T> result;
  __vv_move(result, src);
  bang_impl::keep_others(dst, result, mask);
}
template <class T, class A>
BANG_INLINE void __vv_move_z(bang_impl::vv<T> &dst, const A &src, const vv_bool &mask) {
  bang_impl::vv<T> result;
  __vv_move(result, src);
  bang_impl::clear_others(dst, result, mask);
}

/* ---- predicates ---- */

#define BANG_VV_PREDICATE(name, compare)                                         \
  template <class T, class B>                                                    \
  BANG_INLINE void name(vv_bool &dst, const bang_impl::vv<T> &a, const B &b) {   \
    bang_impl::vv<T> truth;                                                      \
    compare(truth, a, b);                                                        \
    for (int i = 0; i < vv_bool::slots; i++) {                                   \
      dst.v[i] = i < bang_impl::vv<T>::slots && truth.v[i] != static_cast<T>(0); \
    }                                                                            \
  }
BANG_VV_PREDICATE(__vv_setp_eq, __vv_eq)
BANG_VV_PREDICATE(__vv_setp_ne, __vv_ne)
BANG_VV_PREDICATE(__vv_setp_lt, __vv_lt)
BANG_VV_PREDICATE(__vv_setp_le, __vv_le)
BANG_VV_PREDICATE(__vv_setp_gt, __vv_gt)
BANG_VV_PREDICATE(__vv_setp_ge, __vv_ge)
#undef BANG_VV_PREDICATE

#define BANG_VV_LOGIC(name, expression)                                     \
  BANG_INLINE void name(vv_bool &dst, const vv_bool &a, const vv_bool &b) { \
    for (int i = 0; i < vv_bool::slots; i++) {                              \
      dst.v[i] = expression;                                                \
    }                                                                       \
  }
BANG_VV_LOGIC(__vv_and, a.v[i] && b.v[i])
BANG_VV_LOGIC(__vv_or, a.v[i] || b.v[i])
BANG_VV_LOGIC(__vv_xor, a.v[i] != b.v[i])
#undef BANG_VV_LOGIC
BANG_INLINE void __vv_not(vv_bool &dst, const vv_bool &src) {
  for (int i = 0; i < vv_bool::slots; i++) {
    dst.v[i] = !src.v[i];
  }
}
BANG_INLINE void __vv_move(vv_bool &dst, const vv_bool &src) {
  dst = src;
}

/* mask ? a : b */
template <class T>
BANG_INLINE void __vv_select(bang_impl::vv<T> &dst, const bang_impl::vv<T> &a,
                             const bang_impl::vv<T> &b, const vv_bool &mask) {
  bang_impl::vv<T> result = b;
  bang_impl::keep_others(result, a, mask);
  dst = result;
}

/* ---- memory ---- */

template <class T, class S, class = bang_impl::widens<T, S>>
BANG_INLINE void __vv_load(bang_impl::vv<T> &dst, const S *src,
                           int64_t n = bang_impl::vv<T>::lanes) {
  bang_impl::load_register_as(dst.v, src, bang_impl::bounded<bang_impl::vv<T>>(n));
}
template <class T, class D, class = bang_impl::widens<T, D>>
BANG_INLINE void __vv_store(D *dst, const bang_impl::vv<T> &src,
                            int64_t n = bang_impl::vv<T>::lanes) {
  bang_impl::store_register_as(dst, src.v, bang_impl::bounded<bang_impl::vv<T>>(n));
}
/* Memory of lanes whose predicate is false is not accessed. */
template <class T, class S>
BANG_INLINE void __vv_load_m(bang_impl::vv<T> &dst, const S *src, int64_t n, const vv_bool &mask) {
  bang_impl::load_register_as(dst.v, src, bang_impl::bounded<bang_impl::vv<T>>(n), mask.v);
}
template <class T, class S>
BANG_INLINE void __vv_load_m(bang_impl::vv<T> &dst, const S *src, const vv_bool &mask) {
  __vv_load_m(dst, src, bang_impl::vv<T>::lanes, mask);
}
template <class T, class D>
BANG_INLINE void __vv_store_m(D *dst, const bang_impl::vv<T> &src, int64_t n, const vv_bool &mask) {
  bang_impl::store_register_as(dst, src.v, bang_impl::bounded<bang_impl::vv<T>>(n), mask.v);
}
template <class T, class D>
BANG_INLINE void __vv_store_m(D *dst, const bang_impl::vv<T> &src, const vv_bool &mask) {
  __vv_store_m(dst, src, bang_impl::vv<T>::lanes, mask);
}

#endif /* BANG_VV_MASK_H_ */
