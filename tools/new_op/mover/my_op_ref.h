/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MY_OP_REF_H_
#define ZOO_MY_OP_REF_H_

#include <stdint.h>

#include "mlu_op.h"

/* The definition of the operator on host memory: rows of row_bytes bytes. */
void my_op_ref(const void *input, const int32_t *indices, int64_t input_rows, int64_t output_rows,
               int64_t row_bytes, void *output);

/* Minimum of bytes moved: the indices, and every output row in and out. */
int64_t my_op_theory_bytes(int64_t output_rows, int64_t row_bytes);

#endif /* ZOO_MY_OP_REF_H_ */
