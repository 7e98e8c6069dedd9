/* SPDX-License-Identifier: MIT
 *
 * Inline-assembly instructions that cncc turns into calls. Included by bang.h, after its
 * types.
 */
#ifndef BANG_ASM_H_
#define BANG_ASM_H_

#include "bang/inline.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

/* ---- Registers ---- */

/* A register holds bits: an integer passed for a floating-point operand is not converted. */
template <typename T, typename From>
BANG_INLINE T __bang_asm_value(From from) {
  T value;
  if (std::is_integral<From>::value && !std::is_integral<T>::value && sizeof(From) >= sizeof(T)) {
    memcpy(static_cast<void *>(&value), &from, sizeof(T));
  } else {
    value = static_cast<T>(from);
  }
  return value;
}

/* A register as an address. */
template <typename T, typename From>
BANG_INLINE T *__bang_asm_pointer(From from) {
  return (T *)from;
}

/* Barriers of a cluster and of the whole union. The number of arrivals shows who takes part: the
 * compute cores, or the memory cores as well. The number of the hardware barrier is ignored. */
BANG_INLINE void __bang_asm_barrier_local(int arrivals) {
  if (arrivals > coreDim) {
    __sync_cluster();
  } else {
    __sync_all_ipu_within_cluster();
  }
}
BANG_INLINE void __bang_asm_barrier_global(int arrivals) {
  if (arrivals > clusterDim * coreDim) {
    __sync_all();
  } else {
    __sync_all_ipu();
  }
}

/* Index of the highest set bit; 0 for 0. */
BANG_INLINE uint32_t __bang_asm_findlast1(uint32_t bits) {
  return bits ? 31u - static_cast<uint32_t>(__builtin_clz(bits)) : 0u;
}

/* Writes base, base + step, ... to the lanes of a vector register. */
template <typename T, typename Register>
BANG_INLINE void __bang_asm_index(Register &dst, T base, T step) {
  T lanes[sizeof(Register) / sizeof(T)];
  for (size_t i = 0; i < sizeof(Register) / sizeof(T); ++i) {
    lanes[i] = static_cast<T>(base + static_cast<T>(i) * step);
  }
  memcpy(static_cast<void *>(&dst), lanes, sizeof(lanes));
}

/* ---- Element-wise operations ---- */

/* Integers wrap around; other types compute in their own type. */
template <typename T, bool integral = std::is_integral<T>::value>
struct __bang_asm_arithmetic {
  typedef T type;
};
template <typename T>
struct __bang_asm_arithmetic<T, true> {
  typedef typename std::make_unsigned<T>::type type;
};

/* Unsigned integer of the size of T, for bitwise operations. */
template <size_t size>
struct __bang_asm_word;
template <>
struct __bang_asm_word<1> {
  typedef uint8_t type;
};
template <>
struct __bang_asm_word<2> {
  typedef uint16_t type;
};
template <>
struct __bang_asm_word<4> {
  typedef uint32_t type;
};

#define __BANG_ASM_ARITHMETIC(name, op)                                              \
  struct __bang_asm_op_##name {                                                      \
    template <typename T>                                                            \
    BANG_MEMBER static T apply(T a, T b) {                                           \
      typedef typename __bang_asm_arithmetic<T>::type U;                             \
      return static_cast<T>(static_cast<U>(static_cast<U>(a) op static_cast<U>(b))); \
    }                                                                                \
  };
#define __BANG_ASM_COMPARE(name, op)         \
  struct __bang_asm_op_##name {              \
    template <typename T>                    \
    BANG_MEMBER static T apply(T a, T b) {   \
      return static_cast<T>(a op b ? 1 : 0); \
    }                                        \
  };
#define __BANG_ASM_BITS(name, op)                           \
  struct __bang_asm_op_##name {                             \
    template <typename T>                                   \
    BANG_MEMBER static T apply(T a, T b) {                  \
      typename __bang_asm_word<sizeof(T)>::type x, y;       \
      memcpy(&x, static_cast<const void *>(&a), sizeof(T)); \
      memcpy(&y, static_cast<const void *>(&b), sizeof(T)); \
      x = static_cast<decltype(x)>(x op y);                 \
      memcpy(static_cast<void *>(&a), &x, sizeof(T));       \
      return a;                                             \
    }                                                       \
  };
__BANG_ASM_ARITHMETIC(add, +)
__BANG_ASM_ARITHMETIC(sub, -)
__BANG_ASM_ARITHMETIC(mul, *)
__BANG_ASM_COMPARE(ge, >=)
__BANG_ASM_COMPARE(gt, >)
__BANG_ASM_COMPARE(le, <=)
__BANG_ASM_COMPARE(lt, <)
__BANG_ASM_COMPARE(eq, ==)
__BANG_ASM_COMPARE(ne, !=)
__BANG_ASM_BITS(and, &)
__BANG_ASM_BITS(or, |)
__BANG_ASM_BITS(xor, ^)
#undef __BANG_ASM_ARITHMETIC
#undef __BANG_ASM_COMPARE
#undef __BANG_ASM_BITS

struct __bang_asm_op_div {
  template <typename T>
  BANG_MEMBER static T apply(T a, T b) {
    return static_cast<T>(a / b);
  }
};
struct __bang_asm_op_max {
  template <typename T>
  BANG_MEMBER static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct __bang_asm_op_min {
  template <typename T>
  BANG_MEMBER static T apply(T a, T b) {
    return a < b ? a : b;
  }
};

/* One step of a chain, with one operand for all elements or one per element from memory. */
template <typename T, typename Op>
struct __bang_asm_value_step {
  T operand;
  BANG_MEMBER T operator()(T v, size_t) const { return Op::apply(v, operand); }
};
template <typename T, typename Op>
struct __bang_asm_memory_step {
  const T *operand;
  BANG_MEMBER T operator()(T v, size_t i) const { return Op::apply(v, operand[i]); }
};
template <typename T, typename Op>
BANG_INLINE __bang_asm_value_step<T, Op> __bang_asm_with_value(T operand) {
  return {operand};
}
template <typename T, typename Op>
BANG_INLINE __bang_asm_memory_step<T, Op> __bang_asm_with_memory(const T *operand) {
  return {operand};
}

template <typename T>
BANG_INLINE T __bang_asm_apply(T v, size_t) {
  return v;
}
template <typename T, typename Step, typename... Steps>
BANG_INLINE T __bang_asm_apply(T v, size_t i, const Step &step, const Steps &...steps) {
  return __bang_asm_apply<T>(step(v, i), i, steps...);
}

/* dst[i] = steps(src[i]), with rounding after every step. */
template <typename T, typename... Steps>
BANG_INLINE void __bang_asm_chain(T *dst, size_t n, const T *src, const Steps &...steps) {
  for (size_t i = 0; i < n; ++i) dst[i] = __bang_asm_apply<T>(src[i], i, steps...);
}

/* ---- Gather ---- */

/* Gathers elements of `bytes` bytes at byte offsets; results are `stride` bytes apart. */
BANG_INLINE void __bang_asm_gather(void *dst, const void *src, const uint32_t *offset, size_t bytes,
                                   size_t n, size_t stride) {
  for (size_t i = 0; i < n; ++i) {
    BANG_MEMMOVE(static_cast<char *>(dst) + i * stride, static_cast<const char *>(src) + offset[i],
                 bytes);
  }
}

#endif /* BANG_ASM_H_ */
