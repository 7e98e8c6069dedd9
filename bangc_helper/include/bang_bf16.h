/* SPDX-License-Identifier: MIT
 *
 * bfloat16_t, also called __bang_bfloat16, for host compilers as well as for cncc.
 */
#ifndef BANG_BF16_H_
#define BANG_BF16_H_

#include "bang/bfloat16.h"

#ifndef BANG_H_
/* The same functions that bang.h gives to kernels. */
inline bfloat16_t __float2bfloat16(float number) {
  return bfloat16_t(number);
}
inline bfloat16_t __float2bfloat16_rn(float number) {
  return bfloat16_t(number);
}
inline float __bfloat162float(bfloat16_t number) {
  return number;
}
#endif

#endif /* BANG_BF16_H_ */
