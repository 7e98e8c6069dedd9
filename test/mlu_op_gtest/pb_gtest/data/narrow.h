/* SPDX-License-Identifier: MIT
 *
 * Rounds arrays of floats to the 16-bit types, to nearest even, in loops that compilers vectorise.
 * The bits equal those of mluop_half_from_double and mluop_bfloat16_from_double. */
#ifndef MLUOP_TEST_DATA_NARROW_H_
#define MLUOP_TEST_DATA_NARROW_H_

#include <stddef.h>
#include <stdint.h>

void mluop_floats_to_half(const float *values, uint16_t *bits, size_t n);
void mluop_floats_to_bfloat16(const float *values, uint16_t *bits, size_t n);

#endif /* MLUOP_TEST_DATA_NARROW_H_ */
