/* SPDX-License-Identifier: MIT */
#include "kernels/utils/zero_fill.h"

#include "core/context.h"
#include "core/tensor.h"

/* Fewer bytes are not worth a task. */
#define MIN_TASK_BYTES (16 * 1024)

mluOpStatus_t mluop_zero_fill(mluOpHandle_t handle, const mluOpTensorDescriptor_t desc,
                              void *data) {
  const size_t bytes = desc != NULL ? mluop_tensor_bytes(desc) : 0;
  if (bytes == 0) return MLUOP_STATUS_SUCCESS;
  const cnrtDim3_t k_dim = {mluop_context_tasks(handle, bytes, MIN_TASK_BYTES), 1, 1};
  return KernelZeroFill(k_dim, cnrtFuncTypeBlock, handle->queue, data, bytes);
}
