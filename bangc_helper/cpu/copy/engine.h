/* SPDX-License-Identifier: MIT
 *
 * What the launcher needs of the copy engine besides bang_runtime.h. */
#ifndef BANGC_HELPER_CPU_COPY_ENGINE_H_
#define BANGC_HELPER_CPU_COPY_ENGINE_H_

/* Whether the calling thread's copies go into the trace. */
void bang_copy_engine_trace(int traced);

#endif /* BANGC_HELPER_CPU_COPY_ENGINE_H_ */
