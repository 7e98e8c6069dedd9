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

/* Restores the content in device memory; with `all` false only of tensors the operator may
 * write. */
int mluop_content_restore(mluopCaseState *state, bool all);

/* Writes the content to another place than the tensor's own. The host may be unable to reach
 * that memory. */
int mluop_content_put(mluopCaseState *state, const mluopTensorState *tensor,
                      mluopDeviceBuffer *place);

/* A copy of the content in host memory, from the session's pool; NULL when memory is short. */
void *mluop_content_copy(mluopCaseState *state, const mluopTensorState *tensor);

#endif /* MLUOP_TEST_RUN_CASE_CONTENT_H_ */
