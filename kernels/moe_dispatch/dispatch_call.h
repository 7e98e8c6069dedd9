/* SPDX-License-Identifier: MIT
 *
 * The call of the operators of this family, and their forms, for host and device code. */
#ifndef KERNELS_MOE_DISPATCH_DISPATCH_CALL_H_
#define KERNELS_MOE_DISPATCH_DISPATCH_CALL_H_

#include <stdbool.h>

#include "core/variant.h"
#include "mlu_op.h"

/* The routing of samples to rows of `dispatch`. */
typedef struct DispatchRouting {
  const int32_t *indices, *locations;
  int capacity, num_experts;
} DispatchRouting;

static inline int64_t dispatch_rows(const DispatchRouting *routing) {
  return (int64_t)routing->num_experts * routing->capacity;
}

/* All sizes are positive. What an operator does not have is NULL. */
typedef struct MoeDispatchCall {
  mluOpDataType_t dtype; /* float, half or bfloat16 */
  DispatchRouting routing;
  int samples, hidden;
  int64_t row_bytes;
  const void *gates, *input;
  void *dispatch; /* only written by the forward operator */
  void *grad;     /* of input, or of gates */
  /* Gradient of gates: [samples, chunks], if tasks share the chunks of a sample. */
  float *partial_sums;
} MoeDispatchCall;

/* Bytes per task below which starting a task costs more than it saves. */
#define DISPATCH_MIN_TASK_BYTES (32 * 1024)

/* Tasks of a form with large tasks. */
static inline unsigned dispatch_tasks(mluOpHandle_t handle, const MoeDispatchCall *call) {
  return mluop_context_tasks(handle, (size_t)(call->samples * call->row_bytes),
                             DISPATCH_MIN_TASK_BYTES);
}

/* ---- moe_dispatch_forward ---- */

MLUOP_FORM(MoeDispatchForwardReference);
MLUOP_FORM(MoeDispatchForwardSmallTasks);

/* Rows of the table, and of as many passes as still pay. */
#define SCALAR_TABLES_ROWS (40 * 1024)
#define SCALAR_TABLES_MAX_ROWS (32 * SCALAR_TABLES_ROWS)
MLUOP_FORM(MoeDispatchForwardScalarTables);

/* Part of the reference form, for calls where dispatch is input. */
#define DISPATCH_IN_PLACE_MAX_SAMPLES (1 << 19)
MLUOP_FORM(MoeDispatchForwardInPlace);

static inline bool dispatch_is_in_place(const MoeDispatchCall *call) {
  return call->input == call->dispatch;
}

/* ---- moe_dispatch_backward_data ---- */

MLUOP_FORM(MoeDispatchBackwardDataReference);

/* Longest row of the small_tasks form: one tile. */
#define BACKWARD_DATA_SMALL_TILE_BYTES (16 * 1024)
MLUOP_FORM(MoeDispatchBackwardDataSmallTasks);

/* ---- moe_dispatch_backward_gate ---- */

/* The reference form sums a row in chunks of this many elements and adds the chunks in order, so
 * the bits of a result depend on the row only. */
#define GATE_CHUNK 1024
/* Limit of the samples whose chunks are shared by tasks. */
#define GATE_MAX_SHARED_SAMPLES 512
MLUOP_FORM(MoeDispatchBackwardGateReference);
MLUOP_FORM(MoeDispatchBackwardGateSmallTasks);
MLUOP_FORM(MoeDispatchBackwardGateScalarRows);

#endif /* KERNELS_MOE_DISPATCH_DISPATCH_CALL_H_ */
