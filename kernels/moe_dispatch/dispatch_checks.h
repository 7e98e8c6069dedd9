/* SPDX-License-Identifier: MIT
 *
 * Scalars, tensor rules and checks that the host files of this family share. */
#ifndef KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_
#define KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_

#include "core/call_log.h"
#include "kernels/moe_dispatch/dispatch_call.h"
#include "mlu_op.h"

/* Sizes in the tensor tables (core/tensor_rules.h). The scalars of a call come first, in the order
 * of its parameters. */
enum { SAMPLES, CAPACITY, HIDDEN, NUM_EXPERTS, DISPATCH_SCALARS, SLOTS = DISPATCH_SCALARS };
#define DISPATCH_SIZE_NAMES \
  { "samples", "capacity", "hidden", "num_experts", "num_experts * capacity" }
#define DISPATCH_SIZES(sizes) \
  int64_t sizes[] = {DISPATCH_SCALAR_NAMES, (int64_t)num_experts * capacity}
#define DISPATCH_SCALAR_NAMES samples, capacity, hidden, num_experts
#define DISPATCH_SCALAR_ARGS \
  const int samples, const int capacity, const int hidden, const int num_experts

/* The fields that the calls of all operators have. `desc` is the descriptor of the rows. */
#define DISPATCH_CALL(desc)                                                       \
  .dtype = (desc)->dtype, .routing = {indices, locations, capacity, num_experts}, \
  .samples = samples, .hidden = hidden, .dispatch = (void *)dispatch,             \
  .row_bytes = hidden * (int64_t)mluop_dtype_size((desc)->dtype)

/* Rules of the tensors that all operators have. */
#define DISPATCH_INDICES MLUOP_INT32, MLUOP_DIMS(SAMPLES), MLUOP_BELOW(NUM_EXPERTS)
#define DISPATCH_LOCATIONS MLUOP_INT32, MLUOP_DIMS(SAMPLES), MLUOP_BELOW(CAPACITY)
#define DISPATCH_SAMPLE_ROWS MLUOP_DIMS(SAMPLES, HIDDEN)
#define DISPATCH_SLOT_ROWS MLUOP_DIMS(SLOTS, HIDDEN)

/* All checks before those of the data pointers. */
mluOpStatus_t dispatch_check_tensors(mluopTensors *tensors);

/* Why a gather cannot read the rows of `dispatch`, or NULL. */
const char *dispatch_gather_refusal(mluOpHandle_t handle, const void *call);

#endif /* KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_ */
