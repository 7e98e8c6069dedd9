/* SPDX-License-Identifier: MIT */
#include "my_op_ref.h"

#include <math.h>

#include "test/common/ref_element.h"

typedef float Result;

static Result reduce_row(mluOpDataType_t dtype, const void *input, int64_t first, int64_t columns) {
  float best = -INFINITY;
  for (int64_t i = 0; i < columns; ++i) {
    const float x = ref_load(dtype, input, first + i);
    if (x > best) {
      best = x;
    }
  }
  return best;
}

void my_op_ref(mluOpDataType_t dtype, const void *input, int64_t rows, int64_t columns,
               void *output) {
  for (int64_t row = 0; row < rows; ++row)
    ((Result *)output)[row] = reduce_row(dtype, input, row * columns, columns);
}

int64_t my_op_theory_bytes(mluOpDataType_t dtype, int64_t rows, int64_t columns) {
  return rows * columns * ref_element_bytes(dtype) + rows * (int64_t)sizeof(Result);
}
