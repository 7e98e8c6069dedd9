/* SPDX-License-Identifier: MIT
 *
 * Memory and notifiers shared between processes, for roots whose devices do not have them.
 */
#include "cnrt_external.h"
#include "notifiers.h"

RT_EXPORT cnrtRet_t cnrtAcquireMemHandle(cnrtIpcMemHandle *handle, void *ptr) {
  (void)handle;
  (void)ptr;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT cnrtRet_t cnrtMapMemHandle(void **pPtr, cnrtIpcMemHandle handle, int flag) {
  (void)pPtr;
  (void)handle;
  (void)flag;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT cnrtRet_t cnrtUnMapMemHandle(void *ptr) {
  (void)ptr;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT bool cnrtxSharesMemory(void) {
  return false;
}

bool rt_notifiers_may_be_shared(void) {
  return false;
}
