/* SPDX-License-Identifier: MIT */
#include "my_op_ref.h"

#include <string.h>

void my_op_ref(const void *input, const int32_t *indices, int64_t input_rows, int64_t output_rows,
               int64_t row_bytes, void *output) {
  for (int64_t i = 0; i < output_rows; ++i) {
    char *to = (char *)output + i * row_bytes;
    if (indices[i] >= 0 && indices[i] < input_rows)
      memcpy(to, (const char *)input + indices[i] * row_bytes, (size_t)row_bytes);
    else
      memset(to, 0, (size_t)row_bytes);
  }
}

int64_t my_op_theory_bytes(int64_t output_rows, int64_t row_bytes) {
  return output_rows * ((int64_t)sizeof(int32_t) + 2 * row_bytes);
}
