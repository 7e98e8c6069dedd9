/* SPDX-License-Identifier: MIT
 *
 * Codes of the atomic operations on DRAM or shared RAM.
 */
#ifndef BANG_ATOMIC_CODES_H_
#define BANG_ATOMIC_CODES_H_

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
  BANG_ATOMIC_NAN_MAX, /* a NaN wins */
  BANG_ATOMIC_NAN_MIN,
  BANG_ATOMIC_COUNT
};

#endif /* BANG_ATOMIC_CODES_H_ */
