/* SPDX-License-Identifier: MIT */
#include "my_op_ref.h"

#include "test/common/ref_element.h"

void my_op_ref(mluOpDataType_t dtype, const void *input, float factor, int64_t count,
               void *output) {
  for (int64_t i = 0; i < count; ++i)
    ref_store(dtype, output, i, ref_load(dtype, input, i) * factor);
}

int64_t my_op_theory_bytes(mluOpDataType_t dtype, int64_t count) {
  return 2 * count * ref_element_bytes(dtype);
}
