/* SPDX-License-Identifier: MIT
 *
 * gen_case: records an operator call as a test case that mluop_gtest can replay. Switched on by
 * MLUOP_GEN_CASE or mluOpSetGenCaseMode; off, it costs the operator one branch.
 *
 * An operator records after its checks and before its launch, in the order of the case file:
 *
 *   GEN_CASE(gen_case, handle, "moe_dispatch_forward", "MOE_DISPATCH_FORWARD");
 *   if (genCaseIsOn(&gen_case)) {
 *     genCaseInput(&gen_case, "gates", gates_desc, gates, genCaseUniform(0, 1));
 *     genCaseInput(&gen_case, "indices", indices_desc, indices, genCaseReal(0, num_experts - 1));
 *     genCaseOutput(&gen_case, "dispatch", dispatch_desc, dispatch);
 *     genCaseParamInt(&gen_case, "samples", samples);
 *     genCaseTestParam(&gen_case, "DIFF3", 0);
 *     genCaseWrite(&gen_case);
 *   }
 *
 * The recording ends by itself when the function returns, whatever the way out; outputs are kept
 * then.
 */
#ifndef CORE_GEN_CASE_H_
#define CORE_GEN_CASE_H_

#include <stdbool.h>
#include <stdint.h>

#include "core/gen_case_config.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One recording; `record` is NULL when nothing is recorded. */
typedef struct mluopGenCase {
  struct mluopGenCaseRecord *record;
  bool is_entered; /* counts in the thread's nesting of operator calls */
} mluopGenCase;

typedef enum mluopGenCaseDistribution {
  MLUOP_GEN_CASE_UNIFORM,
  MLUOP_GEN_CASE_GAUSSIAN,
} mluopGenCaseDistribution;

/* How a replay makes the data of an input that was not kept. */
typedef struct mluopGenCaseRandom {
  mluopGenCaseDistribution distribution;
  double a, b;  /* lower and upper bound, or mean and deviation */
  bool is_real; /* the values decide the result: mode 2 keeps them */
} mluopGenCaseRandom;

/* Numbers from lower to upper; for integer tensors both included, for others without upper. */
static inline mluopGenCaseRandom genCaseUniform(double lower, double upper) {
  const mluopGenCaseRandom random = {MLUOP_GEN_CASE_UNIFORM, lower, upper, false};
  return random;
}

static inline mluopGenCaseRandom genCaseGaussian(double mean, double deviation) {
  const mluopGenCaseRandom random = {MLUOP_GEN_CASE_GAUSSIAN, mean, deviation, false};
  return random;
}

/* As genCaseUniform, for values that decide the result (indices): mode 2 keeps them. */
static inline mluopGenCaseRandom genCaseReal(double lower, double upper) {
  const mluopGenCaseRandom random = {MLUOP_GEN_CASE_UNIFORM, lower, upper, true};
  return random;
}

mluopGenCase mluop_gen_case_start(mluOpHandle_t handle, const char *op_name, const char *op_type);
void mluop_gen_case_end(mluopGenCase *gen_case);

/* op_type is the name of the operator in the schema's OpType, or NULL. */
static inline mluopGenCase genCaseStart(mluOpHandle_t handle, const char *op_name,
                                        const char *op_type) {
  const mluopGenCase off = {NULL, false};
  if (__atomic_load_n(&mluop_gen_case_mode, __ATOMIC_RELAXED) == 0) return off;
  return mluop_gen_case_start(handle, op_name, op_type);
}

/* Keeps the outputs and closes the recording; GEN_CASE calls it. */
static inline void genCaseEnd(mluopGenCase *gen_case) {
  if (gen_case->is_entered) mluop_gen_case_end(gen_case);
}

#define GEN_CASE(name, handle, op_name, op_type) \
  mluopGenCase name __attribute__((cleanup(genCaseEnd))) = genCaseStart(handle, op_name, op_type)

static inline bool genCaseIsOn(const mluopGenCase *gen_case) {
  return gen_case->record != NULL;
}

/* The functions below do nothing when the recording is off. */

/* desc NULL: an optional tensor that was not given. */
void genCaseInput(mluopGenCase *gen_case, const char *id, mluOpTensorDescriptor_t desc,
                  const void *data, mluopGenCaseRandom random);
void genCaseOutput(mluopGenCase *gen_case, const char *id, mluOpTensorDescriptor_t desc,
                   const void *data);

/* Fields of the operator's <op_name>_param. */
void genCaseParamInt(mluopGenCase *gen_case, const char *name, int64_t value);
void genCaseParamFloat(mluopGenCase *gen_case, const char *name, double value);
/* An enumerator. */
void genCaseParamName(mluopGenCase *gen_case, const char *name, const char *value);

/* The handle's settings, for operators that follow them: ported ones, none here does yet. */
void genCaseHandleParam(mluopGenCase *gen_case);

/* A criterion ("DIFF1", "DIFF3" ...) with its threshold; may be called several times. */
void genCaseTestParam(mluopGenCase *gen_case, const char *criterion, double threshold);

/* Writes the case now, so that it exists whatever the kernel does. */
void genCaseWrite(mluopGenCase *gen_case);

#ifdef __cplusplus
}
#endif
#endif /* CORE_GEN_CASE_H_ */
