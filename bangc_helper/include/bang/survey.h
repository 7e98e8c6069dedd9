/* SPDX-License-Identifier: MIT
 *
 * How cncc learns the operand types of the calls of language functions. It puts
 *
 *   ::__bang_survey::call<place, decltype(::__bang_survey::given(operands))>::note()
 *
 * next to each call. The C++ compiler then warns that seen<place, type, type, ...> is deprecated,
 * once per template instantiation, and cncc reads the numbers from the warning. gcc prints them for
 * a deprecated function of the class, clang for a deprecated class; so both are marked.
 */
#ifndef BANG_SURVEY_H_
#define BANG_SURVEY_H_

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "bang/operands.h"

namespace __bang_survey {

template <class T>
struct number {
  static constexpr int value =
      std::is_enum<T>::value ? BANG_OPERAND_ENUM : static_cast<int>(BANG_OPERAND_OTHER);
};
#define BANG_OPERAND_NUMBER(tag, type)               \
  template <>                                        \
  struct number<type> {                              \
    static constexpr int value = BANG_OPERAND_##tag; \
  };
BANG_OPERAND_LIST(BANG_OPERAND_NUMBER)
BANG_OPERAND_NUMBER(S64, long long)
BANG_OPERAND_NUMBER(U64, unsigned long long)
#undef BANG_OPERAND_NUMBER
template <class T>
struct number<T *> {
  static constexpr int value =
      BANG_OPERAND_POINTER + (std::is_pointer<T>::value
                                  ? static_cast<int>(BANG_OPERAND_OTHER)
                                  : number<typename std::remove_cv<T>::type>::value);
};
/* std::remove_cv does not remove __restrict__. */
template <class T>
struct number<T *__restrict__> : number<T *> {};

template <class... Given>
struct list {};
template <class... Given>
list<Given...> given(const Given &...operands);

template <int... numbers>
struct [[deprecated]] seen {
  [[deprecated]] static void note();
};
template <int place, class Given>
struct call;
template <int place, class... Given>
struct call<place, list<Given...>>
    : seen<place, number<typename std::decay<Given>::type>::value...> {};

/* Reports an on-chip variable and its size in bytes. */
template <int variable, size_t bytes>
struct size : seen<BANG_SURVEY_SIZE, variable, static_cast<int>(bytes)> {};

/* True if an operand of an arithmetic operator is double or long double. */
template <class... Operands>
struct is_double {
  static constexpr bool value = false;
};
template <class First, class... Others>
struct is_double<First, Others...> {
  typedef typename std::remove_cv<First>::type type;
  static constexpr bool value = std::is_same<type, double>::value ||
                                std::is_same<type, long double>::value ||
                                is_double<Others...>::value;
};

}  // namespace __bang_survey

#endif /* BANG_SURVEY_H_ */
