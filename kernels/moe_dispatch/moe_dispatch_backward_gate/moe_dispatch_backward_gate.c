/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_backward_gate: workspace, checks, task sizing, launch. */
#include "kernels/moe_dispatch/moe_dispatch_backward_gate/moe_dispatch_backward_gate.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/kernel.h"

#define API "[mluOpMoeDispatchBackwardGate]"
#define WORKSPACE_API "[mluOpGetMoeDispatchBackwardGateWorkspaceSize]"

/* A task should have at least this much to read, else starting it costs more than it saves. */
#define MIN_TASK_BYTES (32 * 1024)

typedef struct MoeDispatchBackwardGateArgs {
  mluOpTensorDescriptor_t indices_desc, locations_desc, input_desc, dispatch_desc, grad_gates_desc;
  int samples, capacity, hidden, num_experts;
} MoeDispatchBackwardGateArgs;

/* Tasks share the chunks of a sample only when there are fewer samples than tasks. */
static bool tasks_share_samples(mluOpHandle_t handle, int64_t samples, int64_t hidden) {
  return samples < mluop_context_core_num(handle) && samples <= GATE_MAX_SHARED_SAMPLES &&
         hidden > GATE_CHUNK;
}

static size_t needed_workspace(mluOpHandle_t handle, int64_t samples, int64_t hidden) {
  if (!tasks_share_samples(handle, samples, hidden)) return 0;
  return (size_t)samples * (size_t)CEIL_DIV(hidden, GATE_CHUNK) * sizeof(float);
}

static mluOpStatus_t check_tensors(mluOpHandle_t handle, const MoeDispatchBackwardGateArgs *args) {
  mluOpTensorDescriptor_t indices_desc = args->indices_desc, locations_desc = args->locations_desc;
  mluOpTensorDescriptor_t input_desc = args->input_desc, dispatch_desc = args->dispatch_desc;
  mluOpTensorDescriptor_t grad_gates_desc = args->grad_gates_desc;
  int samples = args->samples, capacity = args->capacity;
  int hidden = args->hidden, num_experts = args->num_experts;

  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, indices_desc);
  CHECK_DESC(API, locations_desc);
  CHECK_DESC(API, input_desc);
  CHECK_DESC(API, dispatch_desc);
  CHECK_DESC(API, grad_gates_desc);

  CHECK_RANK(API, indices_desc, 1);
  CHECK_RANK(API, locations_desc, 1);
  CHECK_RANK(API, input_desc, 2);
  CHECK_RANK(API, dispatch_desc, 2);
  CHECK_RANK(API, grad_gates_desc, 1);

  CHECK_DTYPE(API, input_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16);
  CHECK_SAME_DTYPE(API, dispatch_desc, input_desc);
  CHECK_SAME_DTYPE(API, grad_gates_desc, input_desc);
  CHECK_DTYPE(API, indices_desc, MLUOP_DTYPE_INT32);
  CHECK_DTYPE(API, locations_desc, MLUOP_DTYPE_INT32);

  CHECK_NOT_NEGATIVE(API, samples);
  CHECK_NOT_NEGATIVE(API, capacity);
  CHECK_NOT_NEGATIVE(API, hidden);
  CHECK_NOT_NEGATIVE(API, num_experts);
  CHECK_DIM(API, indices_desc, 0, samples);
  CHECK_DIM(API, locations_desc, 0, samples);
  CHECK_DIM(API, input_desc, 0, samples);
  CHECK_DIM(API, input_desc, 1, hidden);
  CHECK_DIM(API, dispatch_desc, 0, (int64_t)num_experts * capacity);
  CHECK_DIM(API, dispatch_desc, 1, hidden);
  CHECK_DIM(API, grad_gates_desc, 0, samples);

  CHECK_CONTIGUOUS(API, indices_desc);
  CHECK_CONTIGUOUS(API, locations_desc);
  CHECK_CONTIGUOUS(API, input_desc);
  CHECK_CONTIGUOUS(API, dispatch_desc);
  CHECK_CONTIGUOUS(API, grad_gates_desc);

  LARGE_TENSOR_CHECK(API, indices_desc);
  LARGE_TENSOR_CHECK(API, locations_desc);
  LARGE_TENSOR_CHECK(API, input_desc);
  LARGE_TENSOR_CHECK(API, dispatch_desc);
  LARGE_TENSOR_CHECK(API, grad_gates_desc);
  return MLUOP_STATUS_SUCCESS;
}

static cnrtDim3_t task_dim(mluOpHandle_t handle, const MoeDispatchBackwardGateArgs *args) {
  size_t useful = CEIL_DIV(mluop_tensor_bytes(args->input_desc), MIN_TASK_BYTES);
  size_t cores = (size_t)mluop_context_core_num(handle);
  cnrtDim3_t dim = {(unsigned)(useful < cores ? useful : cores), 1, 1};
  return dim;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetMoeDispatchBackwardGateWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, size_t *workspace_size) {
  CHECK_HANDLE(WORKSPACE_API, handle);
  CHECK_ARCH(WORKSPACE_API, handle, MLUOP_MLU370);
  CHECK_DESC(WORKSPACE_API, input_desc);
  CHECK_NOT_NULL(WORKSPACE_API, workspace_size);
  CHECK_RANK(WORKSPACE_API, input_desc, 2);
  *workspace_size = needed_workspace(handle, input_desc->dims[0], input_desc->dims[1]);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardGate(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t input_desc, const void *input,
    const mluOpTensorDescriptor_t dispatch_desc, const void *dispatch, const int samples,
    const int capacity, const int hidden, const int num_experts, void *workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t grad_gates_desc, void *grad_gates) {
  const MoeDispatchBackwardGateArgs args = {indices_desc,  locations_desc,  input_desc,
                                            dispatch_desc, grad_gates_desc, samples,
                                            capacity,      hidden,          num_experts};
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, &args));
  if (ANY_TENSOR_EMPTY(API, grad_gates_desc)) return MLUOP_STATUS_SUCCESS;
  if (ANY_TENSOR_EMPTY(API, input_desc, dispatch_desc)) {
    /* Sums of nothing. */
    CHECK_DATA(API, grad_gates);
    INTERNAL_CHECK(API, cnrtMemsetAsync(grad_gates, 0, mluop_tensor_bytes(grad_gates_desc),
                                        handle->queue) == cnrtSuccess);
    return MLUOP_STATUS_SUCCESS;
  }
  size_t needed = needed_workspace(handle, samples, hidden);
  CHECK_WORKSPACE(API, workspace, workspace_size, needed);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, locations);
  CHECK_DATA(API, input);
  CHECK_DATA(API, dispatch);
  CHECK_DATA(API, grad_gates);

  GEN_CASE(gen_case, handle, "moe_dispatch_backward_gate", "MOE_DISPATCH_BACKWARD_GATE");
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "indices", indices_desc, indices, genCaseReal(0, num_experts - 1));
    genCaseInput(&gen_case, "locations", locations_desc, locations, genCaseReal(0, capacity - 1));
    genCaseInput(&gen_case, "input", input_desc, input, genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "dispatch", dispatch_desc, dispatch, genCaseUniform(-1, 1));
    genCaseOutput(&gen_case, "grad_gates", grad_gates_desc, grad_gates);
    genCaseParamInt(&gen_case, "samples", samples);
    genCaseParamInt(&gen_case, "capacity", capacity);
    genCaseParamInt(&gen_case, "hidden", hidden);
    genCaseParamInt(&gen_case, "num_experts", num_experts);
    genCaseTestParam(&gen_case, "DIFF1", 0.003);
    genCaseTestParam(&gen_case, "DIFF2", 0.003);
    genCaseWrite(&gen_case);
  }

  cnrtDim3_t k_dim = task_dim(handle, &args);
  cnrtFunctionType_t k_type = cnrtFuncTypeBlock;
  VLOG(5, API " %u tasks of type block, %zu bytes of workspace", k_dim.x, needed);
  return KernelMoeDispatchBackwardGate(k_dim, k_type, handle->queue, input_desc->dtype, indices,
                                       locations, input, dispatch, samples, capacity, hidden,
                                       num_experts, needed > 0 ? workspace : NULL, grad_gates);
}
