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

  /* Per row, if not NULL: how close the answer is to another one (test/common/sample_ref.h).
   */
  double *margins;
  /* Per row, if not NULL: the number of kept tokens plus one, 0 before the reference has run. */
  int64_t *kept_plus_one;
} TopKTopPSampleCall;

/* The definition of the operator; returns -1 if out of memory. */
int top_k_top_p_sample_ref(const TopKTopPSampleCall *call);

/* Minimum of bytes moved: logits and settings once, the noise of the kept tokens, the outputs once.
 * -1 if there is no memory to count them. */
int64_t top_k_top_p_sample_theory_bytes(const TopKTopPSampleCall *call);

/* At least a comparison per logit and a division per kept token. */
int64_t top_k_top_p_sample_theory_ops(const TopKTopPSampleCall *call);

#endif /* ZOO_TOP_K_TOP_P_SAMPLE_REF_H_ */
