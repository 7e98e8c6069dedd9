/* SPDX-License-Identifier: MIT
 *
 * bfloat16: the upper half of a float. Operands convert to float, and storing a result
 * rounds once, to nearest even. The type is trivial, so that on-chip arrays of it are
 * allowed.
 */
#ifndef BANG_BFLOAT16_H_
#define BANG_BFLOAT16_H_

#include "bang/small_float.h"

BANG_SMALL_FLOAT(bfloat16_t, bfloat_bits_of, float_of_bfloat)
typedef bfloat16_t __bang_bfloat16;

namespace std {
BANG_SMALL_LIMITS(bfloat16_t, 8, 2, -125, 128, -37, 38, 0x0080, 0x7f7f, 0xff7f, 0x3c00, 0x7f80,
                  0x7fc0, 0x3f00)
}  // namespace std

BANG_BOTH bfloat16_t __float2bfloat16__(float number) {
  return bfloat16_t(number);
}

#endif /* BANG_BFLOAT16_H_ */
