/* SPDX-License-Identifier: MIT
 *
 * gen_case: records an operator call as a test case that mluop_gtest can replay. It is enabled by
 * MLUOP_GEN_CASE or mluOpSetGenCaseMode; while disabled, it costs the operator one branch.
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
 * The recording ends, and saves the outputs, when the function returns at whatever point.
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

/* One recording; `record` is NULL if nothing is recorded. */
typedef struct mluopGenCase {
  struct mluopGenCaseRecord *record;
  bool is_entered; /* counts in the thread's nesting of operator calls */
} mluopGenCase;

typedef enum mluopGenCaseDistribution {
  MLUOP_GEN_CASE_UNIFORM,
  MLUOP_GEN_CASE_GAUSSIAN,
} mluopGenCaseDistribution;

/* How a replay generates the data of an input that was not saved. */
typedef struct mluopGenCaseRandom {
  mluopGenCaseDistribution distribution;
  double a, b;  /* lower and upper bound, or mean and deviation */
  bool is_real; /* mode 2 saves the values, because others could make the case meaningless */
} mluopGenCaseRandom;

/* Numbers from lower to upper; integer tensors include upper, others do not. */
static inline mluopGenCaseRandom genCaseUniform(double lower, double upper) {
  const mluopGenCaseRandom random = {MLUOP_GEN_CASE_UNIFORM, lower, upper, false};
  return random;
}

static inline mluopGenCaseRandom genCaseGaussian(double mean, double deviation) {
  const mluopGenCaseRandom random = {MLUOP_GEN_CASE_GAUSSIAN, mean, deviation, false};
  return random;
}

/* As genCaseUniform, for values such as indices that a replay needs: mode 2 saves them. */
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

/* Saves the outputs and closes the recording; GEN_CASE arranges the call. */
static inline void genCaseEnd(mluopGenCase *gen_case) {
  if (gen_case->is_entered) mluop_gen_case_end(gen_case);
}

#define GEN_CASE(name, handle, op_name, op_type) \
  mluopGenCase name __attribute__((cleanup(genCaseEnd))) = genCaseStart(handle, op_name, op_type)

static inline bool genCaseIsOn(const mluopGenCase *gen_case) {
  return gen_case->record != NULL;
}

/* The functions below do nothing if nothing is recorded. */

/* desc NULL: an optional tensor that was not given. */
void genCaseInput(mluopGenCase *gen_case, const char *id, mluOpTensorDescriptor_t desc,
                  const void *data, mluopGenCaseRandom random);
void genCaseOutput(mluopGenCase *gen_case, const char *id, mluOpTensorDescriptor_t desc,
                   const void *data);

/* Fields of the operator's <op_name>_param. */
void genCaseParamInt(mluopGenCase *gen_case, const char *name, int64_t value);
void genCaseParamFloat(mluopGenCase *gen_case, const char *name, double value);
/* A field whose value is the name of an enumerator. */
void genCaseParamName(mluopGenCase *gen_case, const char *name, const char *value);

/* Records the handle's settings, for ported operators that use them; none here does yet. */
void genCaseHandleParam(mluopGenCase *gen_case);

/* A criterion ("DIFF1", "DIFF3" ...) with its threshold; may be called several times. */
void genCaseTestParam(mluopGenCase *gen_case, const char *criterion, double threshold);

/* Writes the case now, so that it exists even if the kernel fails. */
void genCaseWrite(mluopGenCase *gen_case);

#ifdef __cplusplus
}
#endif
#endif /* CORE_GEN_CASE_H_ */
