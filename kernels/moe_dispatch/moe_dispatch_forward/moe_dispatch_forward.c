/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_forward: checks, and the call handed to a form of the kernel. */
#include "kernels/moe_dispatch/moe_dispatch_forward/moe_dispatch_forward.h"

#include "core/tensor_rules.h"
#include "kernels/moe_dispatch/dispatch_checks.h"

#define API "[mluOpMoeDispatchForward]"

enum { GATES, INDICES, LOCATIONS, INPUT, DISPATCH };
static const mluopTensorRule rules[] = {
    MLUOP_IN(gates, MLUOP_TYPE_OF(INPUT), MLUOP_DIMS(SAMPLES), MLUOP_UNIFORM(0, 1)),
    MLUOP_IN(indices, DISPATCH_INDICES),
    MLUOP_IN(locations, DISPATCH_LOCATIONS),
    MLUOP_IN(input, MLUOP_FLOATS, DISPATCH_SAMPLE_ROWS, MLUOP_UNIFORM(-100, 100)),
    MLUOP_UPDATED(dispatch, MLUOP_TYPE_OF(INPUT), DISPATCH_SLOT_ROWS, MLUOP_UNIFORM(-100, 100)),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("moe_dispatch_forward", rules, .op_type = "MOE_DISPATCH_FORWARD",
                       .base = INPUT, .size_names = DISPATCH_SIZE_NAMES);

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void *gates,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t input_desc, const void *input, const int samples,
    const int capacity, const int hidden, const int num_experts,
    const mluOpTensorDescriptor_t dispatch_desc, void *dispatch) {
  DISPATCH_SIZES(sizes);
  const mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, sizes, gates, indices, locations, input, dispatch);
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(&tensors));
  DISPATCH_LOG_CALL(&tensors);
  if (ANY_TENSOR_EMPTY(API, gates_desc, input_desc, dispatch_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA);
  const bool is_in_place = dispatch == input && (int64_t)num_experts * capacity == samples;
  if (is_in_place) {
    CHECK_VALUE(API, samples, samples <= DISPATCH_IN_PLACE_MAX_SAMPLES,
                "at most %d where dispatch is input", DISPATCH_IN_PLACE_MAX_SAMPLES);
  }
  /* Tasks read other rows of input than the ones they write to dispatch. */
  CHECK_TENSORS(&tensors, is_in_place ? MLUOP_EXCEPT(INPUT) : MLUOP_ALL, APART);
  RECORD_CASE(gen_case, &tensors, dispatch_record_scalars(&gen_case, &tensors));

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
