/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_forward: checks, and the call handed to a form of the kernel. */
#include "kernels/moe_dispatch/moe_dispatch_forward/moe_dispatch_forward.h"

#include "core/check.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/moe_dispatch/dispatch_checks.h"

#define API "[mluOpMoeDispatchForward]"

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void *gates,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t input_desc, const void *input, const int samples,
    const int capacity, const int hidden, const int num_experts,
    const mluOpTensorDescriptor_t dispatch_desc, void *dispatch) {
  const DispatchArgs args = {.tensor = {{"gates_desc", gates_desc},
                                        {"indices_desc", indices_desc},
                                        {"locations_desc", locations_desc},
                                        {"input_desc", input_desc},
                                        {"dispatch_desc", dispatch_desc}},
                             .typed = DISPATCH_SAMPLES,
                             .samples = samples,
                             .capacity = capacity,
                             .hidden = hidden,
                             .num_experts = num_experts};
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(API, handle, &args));
  DISPATCH_LOG_CALL(API, &args);
  if (ANY_TENSOR_EMPTY(API, gates_desc, input_desc, dispatch_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_DATA(API, gates);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, locations);
  CHECK_DATA(API, input);
  CHECK_DATA(API, dispatch);
  const bool is_in_place = dispatch == input && (int64_t)num_experts * capacity == samples;
  if (is_in_place) {
    CHECK_VALUE(API, samples, samples <= DISPATCH_IN_PLACE_MAX_SAMPLES,
                "at most %d where dispatch is input", DISPATCH_IN_PLACE_MAX_SAMPLES);
  }
  /* Tasks read other rows of input than the ones they write to dispatch. */
  CHECK_APART(API, MLUOP_WRITTEN(dispatch, dispatch_desc), MLUOP_READ(gates, gates_desc),
              MLUOP_READ(indices, indices_desc), MLUOP_READ(locations, locations_desc),
              MLUOP_READ(input, is_in_place ? NULL : input_desc));

  GEN_CASE(gen_case, handle, "moe_dispatch_forward", "MOE_DISPATCH_FORWARD");
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "gates", gates_desc, gates, genCaseUniform(0, 1));
    genCaseInput(&gen_case, "indices", indices_desc, indices, genCaseReal(0, num_experts - 1));
    genCaseInput(&gen_case, "locations", locations_desc, locations, genCaseReal(0, capacity - 1));
    genCaseInput(&gen_case, "input", input_desc, input, genCaseUniform(-100, 100));
    if (dispatch != input) {
      genCaseInput(&gen_case, "dispatch", dispatch_desc, dispatch, genCaseUniform(-100, 100));
    }
    genCaseOutput(&gen_case, "dispatch", dispatch_desc, dispatch);
    dispatch_record_sizes(&gen_case, &args);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  const MoeDispatchForwardCall call = {
      .dtype = input_desc->dtype,
      .routing = {indices, locations, capacity, num_experts},
      .gates = gates,
      .input = input,
      .samples = samples,
      .hidden = hidden,
      .row_bytes = hidden * (int64_t)mluop_dtype_size(input_desc->dtype),
      .dispatch = dispatch};
  return mluop_variant_launch(&moe_dispatch_forward_variants, handle, &call);
}
