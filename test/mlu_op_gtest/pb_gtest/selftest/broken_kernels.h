/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_SELFTEST_BROKEN_KERNELS_H_
#define MLUOP_TEST_SELFTEST_BROKEN_KERNELS_H_

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum BrokenMode {
  BROKEN_NOT,
  BROKEN_TAIL,             /* the last element is not computed */
  BROKEN_SYNC,             /* computes before its asynchronous load is complete */
  BROKEN_BEFORE,           /* writes one element before the output */
  BROKEN_AFTER,            /* writes one element after the output */
  BROKEN_WORKSPACE,        /* writes one element after the workspace */
  BROKEN_INPUT,            /* modifies an input */
  BROKEN_NONDETERMINISTIC, /* the last bit depends on how often it was called */
  BROKEN_IN_PLACE,         /* not broken: the output is in place */
  BROKEN_VARIANT_TAIL,     /* one variant of the kernel does not compute the last element */
} BrokenMode;

/* output[i] = 2 * input[i], with one mistake. `call` counts the calls. */
void KernelBroken(cnrtQueue_t queue, BrokenMode mode, int call, float *input, float *output, int n,
                  float *workspace, int workspace_count);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_SELFTEST_BROKEN_KERNELS_H_ */
