/* SPDX-License-Identifier: MIT
 *
 * Arrays of floats rounded to the 16-bit types, nearest even, in loops a compiler can vectorise:
 * the bits of mluop_half_from_double and mluop_bfloat16_from_double. */
#ifndef MLUOP_TEST_DATA_NARROW_H_
#define MLUOP_TEST_DATA_NARROW_H_

#include <stddef.h>
#include <stdint.h>

void mluop_floats_to_half(const float *values, uint16_t *bits, size_t n);
void mluop_floats_to_bfloat16(const float *values, uint16_t *bits, size_t n);

#endif /* MLUOP_TEST_DATA_NARROW_H_ */
