/* SPDX-License-Identifier: MIT
 *
 * bang::experimental::fusor: a chain of operations over one array, in one expression:
 *
 *     bang::experimental::fusor<float>(dst, src, n).mul(s).sqrt().add(s);
 */
#ifndef BANG_FUSOR_H_
#define BANG_FUSOR_H_

#include "bang.h"

namespace bang {
namespace experimental {

/* Each step writes dst immediately, and the first one reads src; a chain without steps copies. */
template <class T>
class fusor {
 public:
  BANG_MEMBER fusor(T *dst, const T *src, int64_t n) : dst_(dst), n_(n) {
    __bang_move(dst, src, n * int64_t(sizeof(T)));
  }

#define BANG_FUSOR_BINARY(name, op)                                              \
  BANG_MEMBER fusor &name(T scalar) {                                            \
    __bang_vec_scalar(op, bang_impl::element<T>::code, dst_, dst_, &scalar, n_); \
    return *this;                                                                \
  }                                                                              \
  BANG_MEMBER fusor &name(const T *vector) {                                     \
    __bang_vec_binary(op, bang_impl::element<T>::code, dst_, dst_, vector, n_);  \
    return *this;                                                                \
  }
  BANG_FUSOR_BINARY(add, BANG_ADD)
  BANG_FUSOR_BINARY(sub, BANG_SUB)
  BANG_FUSOR_BINARY(mul, BANG_MUL)
  BANG_FUSOR_BINARY(div, BANG_DIV)
  BANG_FUSOR_BINARY(max, BANG_MAX)
  BANG_FUSOR_BINARY(min, BANG_MIN)
  BANG_FUSOR_BINARY(eq, BANG_EQ)
  BANG_FUSOR_BINARY(ne, BANG_NE)
  BANG_FUSOR_BINARY(lt, BANG_LT)
  BANG_FUSOR_BINARY(le, BANG_LE)
  BANG_FUSOR_BINARY(gt, BANG_GT)
  BANG_FUSOR_BINARY(ge, BANG_GE)
#undef BANG_FUSOR_BINARY

#define BANG_FUSOR_UNARY(name, op)                                     \
  BANG_MEMBER fusor &name() {                                          \
    __bang_vec_unary(op, bang_impl::element<T>::code, dst_, dst_, n_); \
    return *this;                                                      \
  }
  BANG_FUSOR_UNARY(abs, BANG_ABS)
  BANG_FUSOR_UNARY(neg, BANG_NEG)
  BANG_FUSOR_UNARY(square, BANG_SQUARE)
  BANG_FUSOR_UNARY(sqrt, BANG_SQRT)
  BANG_FUSOR_UNARY(rsqrt, BANG_RSQRT)
  BANG_FUSOR_UNARY(recip, BANG_RECIP)
  BANG_FUSOR_UNARY(exp, BANG_EXP)
  BANG_FUSOR_UNARY(pow2, BANG_EXP2)
  BANG_FUSOR_UNARY(log2, BANG_LOG2)
#undef BANG_FUSOR_UNARY

 private:
  T *dst_;
  int64_t n_;
};

}  // namespace experimental
}  // namespace bang

#endif /* BANG_FUSOR_H_ */
