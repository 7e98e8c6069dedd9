/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MY_OP_MY_OP_H_
#define KERNELS_MY_OP_MY_OP_H_

#include <stdint.h>

#include "cnrt.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MyOpRows {
  const void *input;
  const int32_t *indices;
  void *output;
  int64_t input_rows, output_rows, row_bytes; /* the last two are positive */
} MyOpRows;

/* Launches the kernel, which moves bytes of any type. */
mluOpStatus_t KernelMyOp(mluOpHandle_t handle, cnrtDim3_t dim, const MyOpRows *rows);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MY_OP_MY_OP_H_ */
