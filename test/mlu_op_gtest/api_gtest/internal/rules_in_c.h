/* SPDX-License-Identifier: MIT
 *
 * An operator with a table of tensor rules, as in host files.
 */
#ifndef API_GTEST_INTERNAL_RULES_IN_C_H_
#define API_GTEST_INTERNAL_RULES_IN_C_H_

#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* x [rows, any], whose rows may be apart; weight and bias, both or neither; y with x's type and
 * shape; a workspace of 8 bytes. */
typedef struct RulesCall {
  mluOpHandle_t handle;
  mluOpTensorDescriptor_t x_desc, weight_desc, bias_desc, y_desc;
  const void *x, *weight, *bias;
  void *y, *workspace;
  int64_t rows;
} RulesCall;

mluOpStatus_t checkRulesInC(const RulesCall *call);
/* The same for required tensors only, up to types; a type that follows another's comes first. */
mluOpStatus_t checkRequiredRulesInC(const RulesCall *call);
/* Two tensors of any rank with equal shapes. */
mluOpStatus_t checkAnyRankInC(const mluOpTensorDescriptor_t x_desc,
                              const mluOpTensorDescriptor_t y_desc);

#ifdef __cplusplus
}
#endif
#endif /* API_GTEST_INTERNAL_RULES_IN_C_H_ */
