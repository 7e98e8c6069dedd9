/* SPDX-License-Identifier: MIT
 *
 * Traces are a feature of the CPU root; for a GPU use CUDA's own tools.
 */
#include "cnrt_external.h"
#include "common.h"

RT_EXPORT void cnrtxTraceBegin(void) {}

RT_EXPORT cnrtRet_t cnrtxTraceEnd(const char *path) {
  (void)path;
  return rt_fail(cnrtErrorNotSupport);
}
