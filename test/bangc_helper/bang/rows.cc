// SPDX-License-Identifier: MIT
//
// Expands the tables into calls of the header's overloads, which need C++.
#include "rows.h"

#include <vector>

#include "bang.h"

namespace {

std::vector<Row> rows;

template <class T>
struct Tag {
  typedef T type;
};

// Adds a row if T is in the set; make(Tag<T>()) returns its call.
template <unsigned set, class T, class Make>
void add_type(const char *name, RowKind kind, int op, Make make) {
  if constexpr (bang_impl::in_set(bang_impl::element<T>::code, set)) {
    rows.push_back(
        {name, kind, op, bang_impl::element<T>::code, bang_impl::element<T>::code, make(Tag<T>())});
  } else {
    (void)name, (void)kind, (void)op, (void)make;
  }
}
template <unsigned set, class Make>
void add(const char *name, RowKind kind, int op, Make make) {
#define ADD_TYPE(code, tag, type) add_type<set, type>(name, kind, op, make);
  BANG_TYPE_LIST(ADD_TYPE)
#undef ADD_TYPE
}

template <int code>
using TypeOf = typename bang_impl::type_of<code>::type;

#define CALL(expression)                                                                         \
  [](auto tag) -> RowCall {                                                                      \
    using T = typename decltype(tag)::type;                                                      \
    return                                                                                       \
        [](void *dst, const void *a, const void *b, int64_t n, int64_t extra0, int64_t extra1) { \
          T *d = static_cast<T *>(dst);                                                          \
          const T *x = static_cast<const T *>(a), *y = static_cast<const T *>(b);                \
          (void)y, (void)d, (void)extra0, (void)extra1;                                          \
          expression;                                                                            \
        };                                                                                       \
  }
// A scalar operand may be unaligned.
template <class T>
T scalar(const T *p) {
  T x;
  memcpy(&x, p, sizeof x);
  return x;
}

#define CONVERT_ROW(name, kind, dst_code, src_code, round, expression)                         \
  rows.push_back(                                                                              \
      {#name, kind, BANG_##round, src_code, dst_code,                                          \
       [](void *dst, const void *a, const void *, int64_t n, int64_t extra0, int64_t extra1) { \
         TypeOf<dst_code> *d = static_cast<TypeOf<dst_code> *>(dst);                           \
         const TypeOf<src_code> *x = static_cast<const TypeOf<src_code> *>(a);                 \
         (void)extra0, (void)extra1, (void)n;                                                  \
         expression;                                                                           \
       }});

// One function per kind of row: a single large one would compile very slowly.
void add_elementwise() {
#define BANG_UNARY(name, op, set, limits, note) \
  add<(set)>(#name, ROW_UNARY, BANG_##op, CALL(name(d, x, n)));
#define BANG_BINARY(name, op, set, limits, note) \
  add<(set)>(#name, ROW_BINARY, BANG_##op, CALL(name(d, x, y, n)));
#define BANG_SCALAR(name, op, set, limits, note) \
  add<(set)>(#name, ROW_SCALAR, BANG_##op, CALL(name(d, x, scalar(y), n)));
#include "bang/all.def"
}

void add_segments_and_bits() {
#define BANG_CYCLE(name, op, set, limits, note) \
  add<(set)>(#name, ROW_CYCLE, BANG_##op, CALL(name(d, x, y, n, extra0)));
#define BANG_BITINDEX(name, op, set, limits, note) \
  add<(set)>(#name, ROW_BITINDEX, BANG_##op, CALL(name(dst, x, y, n)));
#define BANG_BITINDEX_SCALAR(name, op, set, limits, note) \
  add<(set)>(#name, ROW_BITINDEX_SCALAR, BANG_##op, CALL(name(dst, x, scalar(y), n)));
#include "bang/all.def"
}

void add_conversions() {
#define BANG_CONVERT(name, dst_code, src_code, round, note) \
  CONVERT_ROW(name, ROW_CONVERT, dst_code, src_code, round, name(d, x, n))
#define BANG_CONVERT_FIX(name, dst_code, src_code, round, note) \
  CONVERT_ROW(name, ROW_CONVERT_FIX, dst_code, src_code, round, \
              name(d, x, n, static_cast<int>(extra0)))
#define BANG_CONVERT_FIX2(name, dst_code, src_code, round, note) \
  CONVERT_ROW(name, ROW_CONVERT_FIX2, dst_code, src_code, round, \
              name(d, x, n, static_cast<int>(extra0), static_cast<int>(extra1)))
#include "bang/all.def"
}

void add_single_numbers() {
#define BANG_ONE(name, dst_code, src_code, round, note)   \
  CONVERT_ROW(name, ROW_ONE, dst_code, src_code, round, { \
    for (int64_t i = 0; i < n; i++) {                     \
      TypeOf<dst_code> result = name(scalar(x + i));      \
      memcpy(d + i, &result, sizeof result);              \
    }                                                     \
  })
#include "bang/all.def"
}

}  // namespace

extern "C" const Row *test_rows(int *count) {
  if (rows.empty()) {
    add_elementwise();
    add_segments_and_bits();
    add_conversions();
    add_single_numbers();
  }
  *count = static_cast<int>(rows.size());
  return rows.data();
}
