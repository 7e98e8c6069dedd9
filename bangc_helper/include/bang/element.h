/* SPDX-License-Identifier: MIT
 *
 * How overloads are selected by element type. Each type has a code, and one template serves all
 * types whose codes are in its set; it does not match any other type.
 */
#ifndef BANG_ELEMENT_H_
#define BANG_ELEMENT_H_

#include "bang/table.h"
#include "bang/types.h"
#include "bang/vector_api.h"

namespace bang_impl {

/* Type code of an element type, or -1. */
template <class T>
struct element {
  static constexpr int code = -1;
};
#define BANG_ELEMENT(type_code, tag, type) \
  template <>                              \
  struct element<type> {                   \
    static constexpr int code = type_code; \
  };
BANG_TYPE_LIST(BANG_ELEMENT)
/* Other C++ types of the same widths. */
BANG_ELEMENT(BANG_S8, s8, char)
BANG_ELEMENT(BANG_S64, s64, long long)
BANG_ELEMENT(BANG_U64, u64, unsigned long long)
/* A float that the tensor unit rounds to TF32. */
struct tf32 {
  float number;
};
BANG_ELEMENT(BANG_TF32, tf32, tf32)
#undef BANG_ELEMENT

constexpr bool in_set(int code, unsigned set) {
  return code >= 0 && ((set >> code) & 1u) != 0;
}

/* `result` when T is in the set; otherwise the overload drops out (SFINAE). */
template <class T, unsigned set, class Result = void>
using only = typename std::enable_if<in_set(element<T>::code, set), Result>::type;

/* T in a non-deduced context, so that the argument converts to it. */
template <class T>
struct identity {
  typedef T type;
};
template <class T>
using same = typename identity<T>::type;

/* A vector operand: a pointer to T, but not a literal 0, which would convert to a null pointer. */
template <class T, class U, unsigned set, class Result = void>
using only_vector =
    typename std::enable_if<in_set(element<T>::code, set) &&
                                std::is_same<typename std::remove_cv<U>::type, T>::value,
                            Result>::type;

/* The C++ type of a code. */
template <int code>
struct type_of;
#define BANG_TYPE_OF(type_code, tag, cxx) \
  template <>                             \
  struct type_of<type_code> {             \
    typedef cxx type;                     \
  };
BANG_TYPE_LIST(BANG_TYPE_OF)
BANG_TYPE_OF(BANG_TF32, tf32, tf32)
#undef BANG_TYPE_OF

}  // namespace bang_impl

#endif /* BANG_ELEMENT_H_ */
