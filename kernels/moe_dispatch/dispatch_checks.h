/* SPDX-License-Identifier: MIT
 *
 * What the host files of this family share: the scalars all its operators have, and the checks. */
#ifndef KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_
#define KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_

#include "core/call_log.h"
#include "core/gen_case.h"
#include "mlu_op.h"

/* A task should have at least this much to move, else starting it costs more than it saves. */
#define DISPATCH_MIN_TASK_BYTES (32 * 1024)

/* Sizes in the tables (core/tensor_rules.h) of tensors. The scalars of a call come first, in the
 * order of its parameters.
 */
enum { SAMPLES, CAPACITY, HIDDEN, NUM_EXPERTS, DISPATCH_SCALARS, SLOTS = DISPATCH_SCALARS };
#define DISPATCH_SIZE_NAMES \
  { "samples", "capacity", "hidden", "num_experts", "num_experts * capacity" }
#define DISPATCH_SIZES(sizes) \
  int64_t sizes[] = {samples, capacity, hidden, num_experts, (int64_t)num_experts * capacity}

/* Shapes and data of the tensors that are alike in all operators. */
#define DISPATCH_INDICES MLUOP_INT32, MLUOP_DIMS(SAMPLES), MLUOP_BELOW(NUM_EXPERTS)
#define DISPATCH_LOCATIONS MLUOP_INT32, MLUOP_DIMS(SAMPLES), MLUOP_BELOW(CAPACITY)
#define DISPATCH_SAMPLE_ROWS MLUOP_DIMS(SAMPLES, HIDDEN)
#define DISPATCH_SLOT_ROWS MLUOP_DIMS(SLOTS, HIDDEN)

/* Everything that is asked before the data pointers. */
mluOpStatus_t dispatch_check_tensors(const mluopTensors *tensors);

/* In the operator's own file: MLUOP_CPP_VMODULE chooses by the names of files. */
#define DISPATCH_LOG_CALL(tensors)                                          \
  LOG_CALL(tensors, "samples %d, capacity %d, hidden %d, num_experts %d",   \
           (int)(tensors)->sizes[SAMPLES], (int)(tensors)->sizes[CAPACITY], \
           (int)(tensors)->sizes[HIDDEN], (int)(tensors)->sizes[NUM_EXPERTS])

/* The scalars of a call as parameters of its case. */
void dispatch_record_scalars(mluopGenCase *gen_case, const mluopTensors *tensors);

#endif /* KERNELS_MOE_DISPATCH_DISPATCH_CHECKS_H_ */
