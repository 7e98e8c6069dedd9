/* SPDX-License-Identifier: MIT
 *
 * Access to elements whose data type the reference implementations know only at run time. */
#ifndef TEST_COMMON_REF_ELEMENT_H_
#define TEST_COMMON_REF_ELEMENT_H_

#include <stdint.h>

#include "mlu_op.h"
#include "test/common/ref_float.h"

/* Bytes of an element of float, half or bfloat16. */
static inline int64_t ref_element_bytes(mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_FLOAT ? 4 : 2;
}

static inline float ref_load(mluOpDataType_t dtype, const void *data, int64_t index) {
  if (dtype == MLUOP_DTYPE_FLOAT) return ((const float *)data)[index];
  uint16_t bits = ((const uint16_t *)data)[index];
  return dtype == MLUOP_DTYPE_HALF ? ref_half_to_float(bits) : ref_bfloat16_to_float(bits);
}

/* Rounds to nearest even. */
static inline void ref_store(mluOpDataType_t dtype, void *data, int64_t index, float value) {
  if (dtype == MLUOP_DTYPE_FLOAT) {
    ((float *)data)[index] = value;
  } else {
    ((uint16_t *)data)[index] =
        dtype == MLUOP_DTYPE_HALF ? ref_float_to_half(value) : ref_float_to_bfloat16(value);
  }
}

#endif /* TEST_COMMON_REF_ELEMENT_H_ */
