/* SPDX-License-Identifier: MIT
 *
 * Group L, third part: atomics on scattered elements, each at its own byte offset.
 */
#ifndef BANG_DISCRETE_ATOMIC_H_
#define BANG_DISCRETE_ATOMIC_H_

#include "bang/inline.h"

#include "bang_runtime.h"
#include "bang/element.h"
#include "bang/vector_api.h"

namespace bang_impl {

/* Offsets are read as unsigned, even from a signed type. */
template <class T, class Offset, unsigned set>
using only_discrete =
    typename std::enable_if<in_set(element<T>::code, set) && std::is_integral<Offset>::value &&
                            sizeof(Offset) <= 4>::type;

template <int op, class T, class Offset>
BANG_INLINE void discrete_atomic(T *old, const T *base, const Offset *offset, const T *src,
                                 const T *compare, const void *bits, int64_t n) {
  typedef typename std::make_unsigned<Offset>::type Distance;
  __bang_sync_pipes(BANG_PIPE_IO);
  for (int64_t i = 0; i < n; i++) {
    if (bits != nullptr && !(static_cast<const uint8_t *>(bits)[i / 8] >> (i % 8) & 1)) continue;
    const char *place = reinterpret_cast<const char *>(base) + static_cast<Distance>(offset[i]);
    __bang_vec_atomic(op, element<T>::code, old + i, const_cast<char *>(place), src + i, compare, 0,
                      1);
  }
}

}  // namespace bang_impl

#define BANG_DISCRETE_ATOMIC(name, op, set)                                                        \
  template <class T, class Offset>                                                                 \
  BANG_INLINE bang_impl::only_discrete<T, Offset, (set)> name(                                     \
      T *old, const bang_impl::same<T> *base, const Offset *offset, const bang_impl::same<T> *src, \
      int64_t n) {                                                                                 \
    bang_impl::discrete_atomic<op, T>(old, base, offset, src, nullptr, nullptr, n);                \
  }                                                                                                \
  template <class T, class Offset>                                                                 \
  BANG_INLINE bang_impl::only_discrete<T, Offset, (set)> name(                                     \
      T *old, const bang_impl::same<T> *base, const Offset *offset, const bang_impl::same<T> *src, \
      const void *bits, int64_t n) {                                                               \
    bang_impl::discrete_atomic<op, T>(old, base, offset, src, nullptr, bits, n);                   \
  }
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_add, BANG_ATOMIC_ADD, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_and, BANG_ATOMIC_AND, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_or, BANG_ATOMIC_OR, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_xor, BANG_ATOMIC_XOR, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_max, BANG_ATOMIC_MAX, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_min, BANG_ATOMIC_MIN, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_exch, BANG_ATOMIC_EXCH, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_inc, BANG_ATOMIC_INC, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_dec, BANG_ATOMIC_DEC, BANG_SET_ALL)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_nan_max, BANG_ATOMIC_NAN_MAX, BANG_SET_FLOAT)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_nan_min, BANG_ATOMIC_NAN_MIN, BANG_SET_FLOAT)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_number_max, BANG_ATOMIC_MAX, BANG_SET_FLOAT)
BANG_DISCRETE_ATOMIC(__bang_discrete_atomic_number_min, BANG_ATOMIC_MIN, BANG_SET_FLOAT)
#undef BANG_DISCRETE_ATOMIC

/* Stores src where the element equals `compare`. */
template <class T, class Offset>
BANG_INLINE bang_impl::only_discrete<T, Offset, BANG_SET_ALL> __bang_discrete_atomic_cas(
    T *old, const bang_impl::same<T> *base, const Offset *offset, const bang_impl::same<T> *src,
    const void *bits, bang_impl::same<T> compare, int64_t n) {
  bang_impl::discrete_atomic<BANG_ATOMIC_CAS, T>(old, base, offset, src, &compare, bits, n);
}
template <class T, class Offset>
BANG_INLINE bang_impl::only_discrete<T, Offset, BANG_SET_ALL> __bang_discrete_atomic_cas(
    T *old, const bang_impl::same<T> *base, const Offset *offset, const bang_impl::same<T> *src,
    bang_impl::same<T> compare, int64_t n) {
  bang_impl::discrete_atomic<BANG_ATOMIC_CAS, T>(old, base, offset, src, &compare, nullptr, n);
}

#endif /* BANG_DISCRETE_ATOMIC_H_ */
