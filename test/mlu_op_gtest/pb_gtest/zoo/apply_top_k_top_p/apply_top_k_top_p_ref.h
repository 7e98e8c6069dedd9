/* SPDX-License-Identifier: MIT */
#ifndef ZOO_APPLY_TOP_K_TOP_P_REF_H_
#define ZOO_APPLY_TOP_K_TOP_P_REF_H_

#include <stdint.h>

#include "mlu_op.h"

/* One call of the operator on host memory. */
typedef struct ApplyTopKTopPCall {
  mluOpDataType_t dtype; /* of logits, top_p and output: float, half or bfloat16 */
  int64_t batch, vocab;
  const void *logits;
  const int32_t *top_k;
  const void *top_p;
  void *output;
} ApplyTopKTopPCall;

/* The definition of the operator; returns -1 if out of memory. */
int apply_top_k_top_p_ref(const ApplyTopKTopPCall *call);

/* Minimum of bytes moved: every tensor once. */
int64_t apply_top_k_top_p_theory_bytes(const ApplyTopKTopPCall *call);

#endif /* ZOO_APPLY_TOP_K_TOP_P_REF_H_ */
