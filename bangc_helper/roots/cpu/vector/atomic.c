/* SPDX-License-Identifier: MIT
 *
 * Atomic operations on DRAM and shared RAM, and the locks.
 */
#include <pthread.h>
#include <string.h>

#include "bang_runtime.h"
#include "vector/scalar_float.h"
#include "vector/vector.h"

/* ---- new value from the old value and the operand, as bits ---- */

#define INT_RESULT(tag, element)                                                     \
  static element result_##tag(int op, element old, element value, element compare) { \
    switch (op) {                                                                    \
      case BANG_ATOMIC_ADD:                                                          \
        return (element)((uint64_t)old + (uint64_t)value);                           \
      case BANG_ATOMIC_SUB:                                                          \
        return (element)((uint64_t)old - (uint64_t)value);                           \
      case BANG_ATOMIC_AND:                                                          \
        return old & value;                                                          \
      case BANG_ATOMIC_OR:                                                           \
        return old | value;                                                          \
      case BANG_ATOMIC_XOR:                                                          \
        return old ^ value;                                                          \
      case BANG_ATOMIC_MAX:                                                          \
        return old > value ? old : value;                                            \
      case BANG_ATOMIC_MIN:                                                          \
        return old < value ? old : value;                                            \
      case BANG_ATOMIC_INC:                                                          \
        return old >= value ? 0 : (element)(old + 1);                                \
      case BANG_ATOMIC_DEC:                                                          \
        return old == 0 || old > value ? value : (element)(old - 1);                 \
      case BANG_ATOMIC_CAS:                                                          \
        return old == compare ? value : old;                                         \
      default:                                                                       \
        return value;                                                                \
    }                                                                                \
  }
INT_RESULT(s8, int8_t)
INT_RESULT(u8, uint8_t)
INT_RESULT(s16, int16_t)
INT_RESULT(u16, uint16_t)
INT_RESULT(s32, int32_t)
INT_RESULT(u32, uint32_t)
INT_RESULT(s64, int64_t)
INT_RESULT(u64, uint64_t)

static float float_result(int op, float old, float value) {
  switch (op) {
    case BANG_ATOMIC_ADD:
      return old + value;
    case BANG_ATOMIC_SUB:
      return old - value;
    case BANG_ATOMIC_MAX:
      return fmaxf(old, value);
    case BANG_ATOMIC_MIN:
      return fminf(old, value);
    case BANG_ATOMIC_NAN_MAX:
      return old != old || old > value ? old : value;
    case BANG_ATOMIC_NAN_MIN:
      return old != old || old < value ? old : value;
    case BANG_ATOMIC_INC:
      return old >= value ? 0 : old + 1;
    case BANG_ATOMIC_DEC:
      return old == 0 || old > value ? value : old - 1;
    default:
      return value;
  }
}
/* Logic, exchange and compare use the bits of floats; arithmetic is done in float and rounded once.
 */
static int is_of_bits(int op) {
  return op == BANG_ATOMIC_AND || op == BANG_ATOMIC_OR || op == BANG_ATOMIC_XOR ||
         op == BANG_ATOMIC_CAS || op == BANG_ATOMIC_EXCH;
}
static uint16_t result_f16(int op, uint16_t old, uint16_t value, uint16_t compare) {
  if (is_of_bits(op)) {
    return result_u16(op, old, value, compare);
  }
  return bang_float_to_half(float_result(op, bang_half_to_float(old), bang_half_to_float(value)));
}
static uint16_t result_bf16(int op, uint16_t old, uint16_t value, uint16_t compare) {
  if (is_of_bits(op)) {
    return result_u16(op, old, value, compare);
  }
  return bang_float_to_bfloat(
      float_result(op, bang_bfloat_to_float(old), bang_bfloat_to_float(value)));
}
static uint32_t result_f32(int op, uint32_t old, uint32_t value, uint32_t compare) {
  if (is_of_bits(op)) {
    return result_u32(op, old, value, compare);
  }
  return bang_float_bits(float_result(op, bang_bits_float(old), bang_bits_float(value)));
}

/* ---- over arrays ---- */

/* No single instruction exchanges an unaligned element. Such elements use locks, selected by
 * address. */
enum { UNALIGNED_LOCKS = 16 };
static pthread_mutex_t unaligned_locks[UNALIGNED_LOCKS] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER};

/* Additions and exchanges are one instruction: a separate load would fetch the cache line twice. */
#define DEFINE_ATOMIC(tag, element, is_integer)                                                   \
  static void atomic_##tag(int op, char *old_out, char *memory, const char *value,                \
                           const char *compare, int step, int64_t n) {                            \
    for (int64_t i = 0; i < n; i++) {                                                             \
      element operand, wanted = 0, before;                                                        \
      char *target = memory + i * (int64_t)sizeof(element);                                       \
      memcpy(&operand, value + i * step, sizeof operand);                                         \
      if (compare != NULL) {                                                                      \
        memcpy(&wanted, compare + i * step, sizeof wanted);                                       \
      }                                                                                           \
      if ((uintptr_t)target % sizeof(element) == 0) {                                             \
        element *cell = (element *)(void *)target;                                                \
        if (is_integer && op == BANG_ATOMIC_ADD) {                                                \
          before = __atomic_fetch_add(cell, operand, __ATOMIC_ACQ_REL);                           \
        } else if (op == BANG_ATOMIC_EXCH) {                                                      \
          before = __atomic_exchange_n(cell, operand, __ATOMIC_ACQ_REL);                          \
        } else {                                                                                  \
          before = __atomic_load_n(cell, __ATOMIC_RELAXED);                                       \
          while (!__atomic_compare_exchange_n(cell, &before,                                      \
                                              (element)result_##tag(op, before, operand, wanted), \
                                              1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {           \
          }                                                                                       \
        }                                                                                         \
      } else {                                                                                    \
        pthread_mutex_t *lock = &unaligned_locks[(uintptr_t)target / 64 % UNALIGNED_LOCKS];       \
        pthread_mutex_lock(lock);                                                                 \
        memcpy(&before, target, sizeof before);                                                   \
        element after = (element)result_##tag(op, before, operand, wanted);                       \
        memcpy(target, &after, sizeof after);                                                     \
        pthread_mutex_unlock(lock);                                                               \
      }                                                                                           \
      if (old_out != NULL) {                                                                      \
        memcpy(old_out + i * (int64_t)sizeof(element), &before, sizeof before);                   \
      }                                                                                           \
    }                                                                                             \
  }
DEFINE_ATOMIC(f16, uint16_t, 0)
DEFINE_ATOMIC(bf16, uint16_t, 0)
DEFINE_ATOMIC(f32, uint32_t, 0)
DEFINE_ATOMIC(s8, int8_t, 1)
DEFINE_ATOMIC(u8, uint8_t, 1)
DEFINE_ATOMIC(s16, int16_t, 1)
DEFINE_ATOMIC(u16, uint16_t, 1)
DEFINE_ATOMIC(s32, int32_t, 1)
DEFINE_ATOMIC(u32, uint32_t, 1)
DEFINE_ATOMIC(s64, int64_t, 1)
DEFINE_ATOMIC(u64, uint64_t, 1)

BANG_API void __bang_vec_atomic(int op, int type, void *old, void *memory, const void *value,
                                const void *compare, int value_is_scalar, int64_t n) {
  typedef void (*AtomicFn)(int, char *, char *, const char *, const char *, int, int64_t);
  static const AtomicFn kernels[BANG_TYPE_COUNT] = {
#define KERNEL(code, tag, type) [code] = atomic_##tag,
      BANG_TYPE_LIST(KERNEL)
#undef KERNEL
  };
  if (__bang_coreId == BANG_MPU_CORE_ID) {
    return; /* only compute cores have atomic operations */
  }
  kernels[type](op, old, memory, value, compare, value_is_scalar ? 0 : bang_type_size(type), n);
}

/* ---- locks ---- */

enum { LOCKS = 256 };
static pthread_mutex_t lock_guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t lock_freed = PTHREAD_COND_INITIALIZER;
static unsigned char lock_taken[LOCKS];

static int known_lock(int id) {
  if (id >= 0 && id < LOCKS) {
    return 1;
  }
  __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND, "lock %d: ids are 0 to %d", id, LOCKS - 1);
  return 0;
}

BANG_API void __bang_vec_lock(int id) {
  if (!known_lock(id)) {
    return;
  }
  __bang_sync_pipes(BANG_PIPE_ALL);
  pthread_mutex_lock(&lock_guard);
  while (lock_taken[id]) {
    pthread_cond_wait(&lock_freed, &lock_guard);
  }
  lock_taken[id] = 1;
  pthread_mutex_unlock(&lock_guard);
}

BANG_API void __bang_vec_unlock(int id) {
  if (!known_lock(id)) {
    return;
  }
  __bang_sync_pipes(BANG_PIPE_ALL);
  pthread_mutex_lock(&lock_guard);
  lock_taken[id] = 0;
  pthread_cond_broadcast(&lock_freed);
  pthread_mutex_unlock(&lock_guard);
}
