/* SPDX-License-Identifier: MIT
 *
 * What the launcher needs of the copy engine besides bang_runtime.h. */
#ifndef BANGC_HELPER_CPU_COPY_ENGINE_H_
#define BANGC_HELPER_CPU_COPY_ENGINE_H_

#include "bang/vector_api.h"

/* Whether the calling thread's copies go into the trace. */
void bang_copy_engine_trace(int traced);

/* Records a gather from memory, so that it can be done side by side with a store. Returns
 * 0, and records nothing, when its rows are too short for that. */
int bang_copy_engine_gather(const bangTransfer *transfer);

#endif /* BANGC_HELPER_CPU_COPY_ENGINE_H_ */
