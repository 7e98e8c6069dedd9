/* SPDX-License-Identifier: MIT
 *
 * Atomic operations on global and shared memory; any lane may process an element, once. Included by
 * bang/vector_api.h.
 */
#ifndef BANG_VECTOR_ATOMIC_H_
#define BANG_VECTOR_ATOMIC_H_

#include "bang/atomic_codes.h"
#include "bang/operations.h"
#include "bang/task.h"

namespace bang_impl {

template <int op, class T>
BANG_INLINE T atomic_result(T old, T value, T compare) {
  typedef typename word_of<sizeof(T)>::type Word;
  if constexpr (op == BANG_ATOMIC_EXCH) return value;
  if constexpr (op == BANG_ATOMIC_CAS) {
    return same_bits<Word>(old) == same_bits<Word>(compare) ? value : old;
  }
  if constexpr (op == BANG_ATOMIC_AND || op == BANG_ATOMIC_OR || op == BANG_ATOMIC_XOR) {
    const Word a = same_bits<Word>(old), b = same_bits<Word>(value);
    return same_bits<T>((Word)(op == BANG_ATOMIC_AND  ? a & b
                               : op == BANG_ATOMIC_OR ? a | b
                                                      : a ^ b));
  }
  if constexpr (is_float_element<T>()) {
    float a = float(old), b = float(value);
    if constexpr (op == BANG_ATOMIC_ADD) return T(a + b);
    if constexpr (op == BANG_ATOMIC_SUB) return T(a - b);
    if constexpr (op == BANG_ATOMIC_MAX) return T(fmaxf(a, b));
    if constexpr (op == BANG_ATOMIC_MIN) return T(fminf(a, b));
    if constexpr (op == BANG_ATOMIC_NAN_MAX) return T(float_binary<BANG_NAN_MAX>(a, b));
    if constexpr (op == BANG_ATOMIC_NAN_MIN) return T(float_binary<BANG_NAN_MIN>(a, b));
    if constexpr (op == BANG_ATOMIC_INC) return T(a >= b ? 0.0f : a + 1.0f);
    if constexpr (op == BANG_ATOMIC_DEC) return T(a == 0.0f || a > b ? b : a - 1.0f);
    return value;
  } else {
    if constexpr (op == BANG_ATOMIC_ADD) return integer_binary<BANG_ADD, T>(old, value);
    if constexpr (op == BANG_ATOMIC_SUB) return integer_binary<BANG_SUB, T>(old, value);
    if constexpr (op == BANG_ATOMIC_MAX) return old > value ? old : value;
    if constexpr (op == BANG_ATOMIC_MIN) return old < value ? old : value;
    if constexpr (op == BANG_ATOMIC_INC) return old >= value ? (T)0 : (T)(old + 1);
    if constexpr (op == BANG_ATOMIC_DEC) return old == 0 || old > value ? value : (T)(old - 1);
    return value;
  }
}

/* Operations that the hardware has. */
template <int op, class T>
constexpr bool is_native_atomic() {
  const bool is_word = std::is_same<T, int32_t>::value || std::is_same<T, uint32_t>::value;
  return is_word && (op == BANG_ATOMIC_ADD || op == BANG_ATOMIC_MAX || op == BANG_ATOMIC_MIN ||
                     op == BANG_ATOMIC_AND || op == BANG_ATOMIC_OR || op == BANG_ATOMIC_XOR ||
                     op == BANG_ATOMIC_EXCH);
}
template <int op, class T>
BANG_INLINE T native_atomic(T *cell, T value) {
  if constexpr (op == BANG_ATOMIC_ADD) return (T)atomicAdd((unsigned *)cell, (unsigned)value);
  if constexpr (op == BANG_ATOMIC_MAX) return atomicMax(cell, value);
  if constexpr (op == BANG_ATOMIC_MIN) return atomicMin(cell, value);
  if constexpr (op == BANG_ATOMIC_AND) return atomicAnd(cell, value);
  if constexpr (op == BANG_ATOMIC_OR) return atomicOr(cell, value);
  if constexpr (op == BANG_ATOMIC_XOR) return atomicXor(cell, value);
  return atomicExch(cell, value);
}

/* Other operations: compare-and-swap of the word that contains the element. */
template <int op, class T>
BANG_INLINE T atomic_element(T *cell, T value, T compare) {
  typedef typename std::conditional<sizeof(T) == 8, unsigned long long, unsigned>::type Word;
  const uint64_t address = (uint64_t)cell;
  if (address % sizeof(T) != 0) {
    fault(fault_illegal_operand, "atomic: an element lies across words");
  }
  if constexpr (is_native_atomic<op, T>()) return native_atomic<op, T>(cell, value);
  Word *word = (Word *)(address & ~(uint64_t)(sizeof(Word) - 1));
  const int place = (int)(address & (sizeof(Word) - 1));
  Word seen = *(volatile Word *)word;
  for (;;) {
    Word next = seen;
    T old, result;
    memcpy(&old, (const char *)&seen + place, sizeof old);
    result = atomic_result<op, T>(old, value, compare);
    memcpy((char *)&next + place, &result, sizeof result);
    Word before = atomicCAS(word, seen, next);
    if (before == seen) return old;
    seen = before;
  }
}

/* An operation on one word in device memory whose old value is not needed: by one lane and without
 * a branch, it costs little more than a store. The hardware traps on an unaligned address. */
#define BANG_REDUCE(name)                                      \
  asm volatile(                                                \
      "{\n\t.reg .pred first;\n\t"                             \
      "setp.eq.s32 first, %2, 0;\n\t"                          \
      "@first red.relaxed.gpu.global." name                    \
      " [%0], %1;\n\t}" ::"l"(__cvta_generic_to_global(cell)), \
      "r"(value), "r"(lane_id())                               \
      : "memory")
template <int op, class T>
BANG_INLINE void reduce_word(T *cell, T value) {
  constexpr bool is_signed = std::is_same<T, int32_t>::value;
  if constexpr (op == BANG_ATOMIC_ADD) {
    BANG_REDUCE("add.u32");
  } else if constexpr (op == BANG_ATOMIC_MAX && is_signed) {
    BANG_REDUCE("max.s32");
  } else if constexpr (op == BANG_ATOMIC_MAX) {
    BANG_REDUCE("max.u32");
  } else if constexpr (op == BANG_ATOMIC_MIN && is_signed) {
    BANG_REDUCE("min.s32");
  } else if constexpr (op == BANG_ATOMIC_MIN) {
    BANG_REDUCE("min.u32");
  } else if constexpr (op == BANG_ATOMIC_AND) {
    BANG_REDUCE("and.b32");
  } else if constexpr (op == BANG_ATOMIC_OR) {
    BANG_REDUCE("or.b32");
  } else {
    static_assert(op == BANG_ATOMIC_XOR, "an operation without an answer");
    BANG_REDUCE("xor.b32");
  }
}
#undef BANG_REDUCE

template <int op, int code>
BANG_INLINE void vec_atomic(void *old, void *memory, const void *value, const void *compare,
                            int value_is_scalar, int64_t n) {
  typedef typename type_of<code>::type T;
  if (is_memory_core()) return; /* only compute cores have atomic operations */
  /* A scalar source is in memory local to the lanes, so all lanes have its value and one of them
   * acts. */
  __syncwarp();
  if (n == 1) {
    typedef typename word_of<sizeof(T)>::type Word;
    T operand = *(const T *)value, wanted = compare ? *(const T *)compare : T();
    if constexpr (is_native_atomic<op, T>() && op != BANG_ATOMIC_EXCH) {
      if (!old && __isGlobal(memory)) {
        reduce_word<op, T>((T *)memory, operand);
        __syncwarp();
        return;
      }
    }
    Word before = 0;
    if (lane_id() == 0) {
      before = same_bits<Word>(atomic_element<op, T>((T *)memory, operand, wanted));
    }
    if (!old) { /* no result to wait for */
      __syncwarp();
      return;
    }
    if constexpr (sizeof(T) == 8) {
      before = __shfl_sync(0xffffffffu, (unsigned long long)before, 0);
    } else {
      before = (Word)__shfl_sync(0xffffffffu, (unsigned)before, 0);
    }
    *(T *)old = same_bits<T>(before);
    __syncwarp();
    return;
  }
  for (int64_t i = lane_id(); i < n; i += warp_lanes) {
    int64_t k = value_is_scalar ? 0 : i;
    T before = atomic_element<op, T>((T *)memory + i, ((const T *)value)[k],
                                     compare ? ((const T *)compare)[k] : T());
    if (old) ((T *)old)[i] = before;
  }
  __syncwarp();
}

/* Locks by number, shared by all tasks of a launch. */
enum { lock_count = 64 };
static __device__ unsigned locks[lock_count];

}  // namespace bang_impl

BANG_INLINE void __bang_vec_lock(int id) {
  __syncwarp();
  if (bang_impl::lane_id() == 0) {
    while (atomicCAS(&bang_impl::locks[(unsigned)id % bang_impl::lock_count], 0u, 1u) != 0) {
      __nanosleep(100);
    }
    __threadfence();
  }
  __syncwarp();
}
BANG_INLINE void __bang_vec_unlock(int id) {
  __syncwarp();
  __threadfence();
  if (bang_impl::lane_id() == 0) {
    atomicExch(&bang_impl::locks[(unsigned)id % bang_impl::lock_count], 0u);
  }
  __syncwarp();
}

#define __bang_vec_atomic(op, type, ...) bang_impl::vec_atomic<(op), (type)>(__VA_ARGS__)

#endif /* BANG_VECTOR_ATOMIC_H_ */
