/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_backward_data: checks, and the call handed to a form of the kernel. */
#include "kernels/moe_dispatch/moe_dispatch_backward_data/moe_dispatch_backward_data.h"

#include "core/check.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeDispatchBackwardData]"

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardData(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void *gates,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t dispatch_desc, const void *dispatch, const int samples,
    const int capacity, const int hidden, const int num_experts,
    const mluOpTensorDescriptor_t grad_input_desc, void *grad_input) {
  const DispatchArgs args = {.tensor = {{"gates_desc", gates_desc},
                                        {"indices_desc", indices_desc},
                                        {"locations_desc", locations_desc},
                                        {"grad_input_desc", grad_input_desc},
                                        {"dispatch_desc", dispatch_desc}},
                             .typed = DISPATCH_SLOTS,
                             .samples = samples,
                             .capacity = capacity,
                             .hidden = hidden,
                             .num_experts = num_experts};
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(API, handle, &args));
  DISPATCH_LOG_CALL(API, &args);
  if (ANY_TENSOR_EMPTY(API, grad_input_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_DATA(API, grad_input);
  if (ANY_TENSOR_EMPTY(API, dispatch_desc)) {
    /* No slots: no sample is in dispatch. */
    return mluop_zero_fill(handle, grad_input_desc, grad_input);
  }
  CHECK_DATA(API, gates);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, locations);
  CHECK_DATA(API, dispatch);
  /* Tasks write other rows than the ones they read. */
  CHECK_APART(API, MLUOP_WRITTEN(grad_input, grad_input_desc), MLUOP_READ(gates, gates_desc),
              MLUOP_READ(indices, indices_desc), MLUOP_READ(locations, locations_desc),
              MLUOP_READ(dispatch, dispatch_desc));

  GEN_CASE(gen_case, handle, "moe_dispatch_backward_data", "MOE_DISPATCH_BACKWARD_DATA");
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "gates", gates_desc, gates, genCaseUniform(0, 1));
    genCaseInput(&gen_case, "indices", indices_desc, indices, genCaseReal(0, num_experts - 1));
    genCaseInput(&gen_case, "locations", locations_desc, locations, genCaseReal(0, capacity - 1));
    genCaseInput(&gen_case, "dispatch", dispatch_desc, dispatch, genCaseUniform(-1, 1));
    genCaseOutput(&gen_case, "grad_input", grad_input_desc, grad_input);
    dispatch_record_sizes(&gen_case, &args);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  const MoeDispatchBackwardDataCall call = {
      .dtype = dispatch_desc->dtype,
      .routing = {indices, locations, capacity, num_experts},
      .gates = gates,
      .dispatch = dispatch,
      .samples = samples,
      .hidden = hidden,
      .row_bytes = hidden * (int64_t)mluop_dtype_size(dispatch_desc->dtype),
      .grad_input = grad_input};
  return mluop_variant_launch(&moe_dispatch_backward_data_variants, handle, &call);
}
