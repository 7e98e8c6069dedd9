/* SPDX-License-Identifier: MIT
 *
 * Codes of the atomic operations on DRAM or shared RAM, and the arguments of an asynchronous one.
 */
#ifndef BANG_ATOMIC_CODES_H_
#define BANG_ATOMIC_CODES_H_

#include <stdint.h>

enum {
  BANG_ATOMIC_ADD,
  BANG_ATOMIC_SUB,
  BANG_ATOMIC_AND,
  BANG_ATOMIC_OR,
  BANG_ATOMIC_XOR,
  BANG_ATOMIC_MAX,
  BANG_ATOMIC_MIN,
  BANG_ATOMIC_EXCH,
  BANG_ATOMIC_INC, /* old >= value ? 0 : old + 1 */
  BANG_ATOMIC_DEC, /* old == 0 || old > value ? value : old - 1 */
  BANG_ATOMIC_CAS,
  BANG_ATOMIC_NAN_MAX, /* NaN if either operand is NaN */
  BANG_ATOMIC_NAN_MIN,
  BANG_ATOMIC_COUNT
};

/* Segments of n elements in two more dimensions; strides in bytes, iter = count - 1. Without a
 * source, every element is combined with `value`. */
typedef struct bangAtomicSegments {
  int op, type;
  uint64_t value;
  char *old, *memory;
  const char *src;
  int64_t n, iter1, iter2;
  int64_t dst_stride0, dst_stride1, src_stride0, src_stride1;
} bangAtomicSegments;

#endif /* BANG_ATOMIC_CODES_H_ */
