/* SPDX-License-Identifier: MIT
 *
 * Tests of the functions that are not elementwise rows of the tables. Each test runs as a kernel.
 */
#ifndef TEST_BANG_FUNCTIONS_H_
#define TEST_BANG_FUNCTIONS_H_

#include <string.h>

#include <vector>

#include "bang.h"
extern "C" {
#include "harness.h"
#include "oracle.h"
}

struct FunctionTest {
  void (*body)();
  bool is_union;     /* true: four cores and their memory core; false: one task */
  const char *names; /* names of the tested functions, separated by spaces */
};

/* One array per file; a null body ends it. */
extern const FunctionTest memory_tests[], sync_tests[], layout_tests[], reduce_tests[],
    pool_tests[], select_tests[], gather_tests[], fusion_tests[], atomic_tests[], tensor_tests[],
    register_tests[], libdevice_tests[], device_math_tests[], mask_tests[], older_tests[],
    integer_tests[], discrete_atomic_tests[];

extern long functions_checked;

template <class T>
struct TypeTag {
  typedef T type;
};

/* Calls body(TypeTag<T>()) for every element type T in the set. */
template <unsigned set, class Body>
void for_types(Body body) {
#define FOR_TYPE(code, tag, cxx)                \
  if constexpr (bang_impl::in_set(code, set)) { \
    body(TypeTag<cxx>());                       \
  }
  BANG_TYPE_LIST(FOR_TYPE)
#undef FOR_TYPE
}

template <class T>
std::vector<T> numbers(int64_t n) {
  std::vector<T> x(static_cast<size_t>(n));
  test_numbers(bang_impl::element<T>::code, x.data(), n);
  return x;
}
template <class T>
std::vector<T> moderate_numbers(int64_t n) {
  std::vector<T> x(static_cast<size_t>(n));
  for (T &value : x) {
    value =
        static_cast<T>(static_cast<int>(test_random() % 17) - (std::is_unsigned<T>::value ? 0 : 8));
  }
  return x;
}
template <class T>
Exact exact(const T &x) {
  return oracle_get(bang_impl::element<T>::code, &x);
}
template <class T>
T rounded(Exact x) {
  T y;
  oracle_put(bang_impl::element<T>::code, &y, x, BANG_RN);
  return y;
}

template <class T>
void expect_near(const char *what, int64_t i, const T &got, const T &want, int64_t tolerance) {
  functions_checked++;
  if (oracle_distance(bang_impl::element<T>::code, &got, &want) > tolerance) {
    test_fail("%s<%s>, element %lld: %Lg, want %Lg", what,
              oracle_type_name(bang_impl::element<T>::code), static_cast<long long>(i), exact(got),
              exact(want));
  }
}
template <class T>
void expect_all(const char *what, const T *got, const T *want, int64_t n, int64_t tolerance = 0) {
  for (int64_t i = 0; i < n; i++) {
    expect_near(what, i, got[i], want[i], tolerance);
  }
}
/* Like memcmp() == 0, but with 0 bytes the pointers may be null. */
inline bool same_bytes(const void *a, const void *b, size_t bytes) {
  return bytes == 0 || memcmp(a, b, bytes) == 0;
}
inline void expect(const char *what, bool holds) {
  functions_checked++;
  if (!holds) {
    test_fail("%s", what);
  }
}

#endif /* TEST_BANG_FUNCTIONS_H_ */
