/* SPDX-License-Identifier: MIT */
#ifndef ZOO_TOP_K_TOP_P_SAMPLE_REF_H_
#define ZOO_TOP_K_TOP_P_SAMPLE_REF_H_

#include <stdint.h>

#include "mlu_op.h"

/* One call of the operator on host memory. */
typedef struct TopKTopPSampleCall {
  mluOpDataType_t dtype; /* of logits, top_p and min_p: float, half or bfloat16 */
  int64_t batch, vocab;
  const void *logits;
  const int32_t *top_k;
  const void *top_p;
  const void *min_p; /* NULL: off */
  const float *q;    /* NULL: no noise */
  float eps;
  int64_t *index;  /* [batch] */
  float *filtered; /* [batch][vocab] or NULL */

  /* Of each row, when not NULL: how close the answer is to another one (test/common/sample_ref.h).
   */
  double *margins;
  /* Of each row, when not NULL: one more than the tokens kept, 0 before the reference ran. */
  int64_t *kept_plus_one;
} TopKTopPSampleCall;

/* The definition of the operator; -1 when there is no memory for it. */
int top_k_top_p_sample_ref(const TopKTopPSampleCall *call);

/* Bytes that must move: logits and settings once, the noise of the kept tokens, the outputs once.
 * -1 when there is no memory to count them. */
int64_t top_k_top_p_sample_theory_bytes(const TopKTopPSampleCall *call);

/* A comparison per logit and a division per kept token at least. */
int64_t top_k_top_p_sample_theory_ops(const TopKTopPSampleCall *call);

#endif /* ZOO_TOP_K_TOP_P_SAMPLE_REF_H_ */
