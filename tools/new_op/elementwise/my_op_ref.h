/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MY_OP_REF_H_
#define ZOO_MY_OP_REF_H_

#include <stdint.h>

#include "mlu_op.h"

/* The definition of the operator on host memory of `dtype` (float, half or bfloat16). */
void my_op_ref(mluOpDataType_t dtype, const void *input, float factor, int64_t count, void *output);

/* Minimum of bytes moved: input once, output once. */
int64_t my_op_theory_bytes(mluOpDataType_t dtype, int64_t count);

#endif /* ZOO_MY_OP_REF_H_ */
