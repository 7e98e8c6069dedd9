/* SPDX-License-Identifier: MIT
 *
 * What a case's tensors hold before a call: made once, put back before the next call.
 *
 * Where the host reaches device memory, inputs are made there and nowhere else: the reference reads
 * them in the same place, and a digest tells whether the operator left them alone. Elsewhere, and
 * where drawing again would take longer than copying, the host keeps an image. */
#ifndef MLUOP_TEST_RUN_CASE_CONTENT_H_
#define MLUOP_TEST_RUN_CASE_CONTENT_H_

#include "run/case_state.h"

/* Makes the content of all tensors and puts it into their device memory. Returns 0, or -1 with the
 * reason in result->failure; so do the others. */
int mluop_content_make(mluopCaseState *state);

/* Puts it back into device memory; `all` false: only of what the operator may write. */
int mluop_content_restore(mluopCaseState *state, bool all);

/* Puts it into a place that is not the tensor's own; like its own, the place may be device memory
 * that the host does not reach. */
int mluop_content_put(mluopCaseState *state, const mluopTensorState *tensor,
                      mluopDeviceBuffer *place);

/* A copy of it in host memory, from the session's pool. NULL when it cannot be had. */
void *mluop_content_copy(mluopCaseState *state, const mluopTensorState *tensor);

#endif /* MLUOP_TEST_RUN_CASE_CONTENT_H_ */
