/* SPDX-License-Identifier: MIT
 *
 * Traces show what each core of the CPU root does; for a GPU there are CUDA's own tools.
 */
#include "cnrt_external.h"
#include "common.h"

RT_EXPORT void cnrtxTraceBegin(void) {}

RT_EXPORT cnrtRet_t cnrtxTraceEnd(const char *path) {
  (void)path;
  return rt_fail(cnrtErrorNotSupport);
}
