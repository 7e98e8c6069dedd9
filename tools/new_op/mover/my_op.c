/* SPDX-License-Identifier: MIT
 *
 * Host side of my_op: checks, task sizing, launch. The macros of the checks, and the order they
 * come in, stand in core/check.h. */
#include "kernels/my_op/my_op.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "core/tool.h"

#define API "[mluOpMyOp]"

/* A task should have at least this much to move, else starting it costs more than it saves. */
#define MIN_TASK_BYTES (32 * 1024)

static mluOpStatus_t check_tensors(mluOpHandle_t handle, mluOpTensorDescriptor_t input_desc,
                                   mluOpTensorDescriptor_t indices_desc,
                                   mluOpTensorDescriptor_t output_desc) {
  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, input_desc);
  CHECK_DESC(API, indices_desc);
  CHECK_DESC(API, output_desc);
  CHECK_RANK(API, input_desc, 2);
  CHECK_RANK(API, indices_desc, 1);
  CHECK_RANK(API, output_desc, 2);
  CHECK_DTYPE(API, input_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16,
              MLUOP_DTYPE_INT32, MLUOP_DTYPE_INT8);
  CHECK_DTYPE(API, indices_desc, MLUOP_DTYPE_INT32);
  CHECK_SAME_DTYPE(API, output_desc, input_desc);
  CHECK_DIM(API, output_desc, 0, indices_desc->dims[0]);
  CHECK_DIM(API, output_desc, 1, input_desc->dims[1]);
  CHECK_CONTIGUOUS(API, input_desc);
  CHECK_CONTIGUOUS(API, indices_desc);
  CHECK_CONTIGUOUS(API, output_desc);
  LARGE_TENSOR_CHECK(API, input_desc);
  LARGE_TENSOR_CHECK(API, output_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpMyOp(mluOpHandle_t handle,
                                      const mluOpTensorDescriptor_t input_desc, const void *input,
                                      const mluOpTensorDescriptor_t indices_desc,
                                      const void *indices,
                                      const mluOpTensorDescriptor_t output_desc, void *output) {
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, input_desc, indices_desc, output_desc));
  if (ANY_TENSOR_EMPTY(API, output_desc)) return MLUOP_STATUS_SUCCESS;
  if (!ANY_TENSOR_EMPTY(API, input_desc)) CHECK_DATA(API, input);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, output);
  CHECK_APART(API, MLUOP_WRITTEN(output, output_desc), MLUOP_READ(input, input_desc),
              MLUOP_READ(indices, indices_desc));

  GEN_CASE(gen_case, handle, "my_op", NULL);
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "input", input_desc, input, genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "indices", indices_desc, indices,
                 genCaseReal(0, (double)input_desc->dims[0] - 1));
    genCaseOutput(&gen_case, "output", output_desc, output);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  const MyOpRows rows = {
      .input = input,
      .indices = indices,
      .output = output,
      .input_rows = input_desc->dims[0],
      .output_rows = output_desc->dims[0],
      .row_bytes = output_desc->dims[1] * (int64_t)mluop_dtype_size(output_desc->dtype)};
  const cnrtDim3_t dim = mluop_context_task_dim(handle, mluop_tensor_bytes(output_desc),
                                                MIN_TASK_BYTES, rows.output_rows);
  return KernelMyOp(handle, dim, &rows);
}
