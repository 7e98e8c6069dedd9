/* SPDX-License-Identifier: MIT
 *
 * random_data of a tensor, turned into elements of its type.
 *
 * UNIFORM: real values in [lower_bound, upper_bound); the double bounds are used when
 * lower_bound_double is given.
 *
 * GAUSSIAN: mean mu, deviation sigma (mu_double, sigma_double likewise).
 *
 * DISCRETE_UNIFORM: integers in [lower_bound, upper_bound], both ends included.
 *
 * SAMPLE: integers of [lower_bound, upper_bound) without replacement; a new round starts when all
 * are used.
 *
 * BINOMIAL: the tensor is cut into dim_shape equal rows (1 by default); a row has true_number ones
 * in random places and zeros elsewhere. Without true_number each element is 1 with probability 1/2.
 *
 * CERTAIN: begin_index, begin_index + 1, ... end_index - 1, again and again; without indices the
 * constant lower_bound.
 *
 * UNIQUE_INDEX: the tensor is cut into dim_shape equal rows (1 by default); a row holds distinct
 * integers of [begin_index, end_index). negative_ratio of the elements then become -1.
 *
 * sorted_status 1 or 2 sorts SAMPLE and each row of UNIQUE_INDEX ascending or descending (before
 * the -1 are set).
 *
 * Real values become integers by floor for 32-bit and wider and for unsigned types (UINT64: of the
 * absolute value), for INT8 and INT16 by floor with convert_dtype and else by rounding half away
 * from zero, for BOOL by truncation. */
#ifndef MLUOP_TEST_DATA_DISTRIBUTION_H_
#define MLUOP_TEST_DATA_DISTRIBUTION_H_

#include "base/text.h"
#include "data/dtype.h"
#include "data/write.h"

/* Fills `count` elements. Returns 0, or -1 with one reason added to `errors`. */
int mluop_random_fill(const Mluoptest__RandomData *spec, const mluopDtypeInfo *info,
                      const mluopWrite *write, size_t count, mluopTestText *errors);

/* True if drawing again takes no longer than copying, so that large tensors need no copy. */
bool mluop_random_is_quick(const Mluoptest__RandomData *spec, const mluopDtypeInfo *info);

#endif /* MLUOP_TEST_DATA_DISTRIBUTION_H_ */
