/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_JUDGE_BITS_H_
#define MLUOP_TEST_JUDGE_BITS_H_

#include <stdbool.h>
#include <stddef.h>

#include "data/dtype.h"

typedef struct mluopBitsResult {
  size_t n_different;
  size_t first; /* index of the first different part */
} mluopBitsResult;

/* Compares arrays part by part. With `any_nan` two NaN are equal whatever their payload. */
mluopBitsResult mluop_bits_compare(const mluopDtypeInfo *info, const void *a, const void *b,
                                   size_t n_parts, bool any_nan);

/* Equality of plain bytes by several threads. */
bool mluop_bytes_equal(const void *a, const void *b, size_t size);

#endif /* MLUOP_TEST_JUDGE_BITS_H_ */
