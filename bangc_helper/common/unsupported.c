/* SPDX-License-Identifier: MIT
 *
 * What no root offers: notifiers shared between processes.
 */
#include "common.h"

RT_EXPORT cnrtRet_t cnrtIpcGetNotifierHandle(cnrtIpcNotifierHandle *handle,
                                             cnrtNotifier_t notifier) {
  (void)handle;
  (void)notifier;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT cnrtRet_t cnrtIpcOpenNotifierHandle(cnrtNotifier_t *pNotifier,
                                              cnrtIpcNotifierHandle handle) {
  (void)pNotifier;
  (void)handle;
  return rt_fail(cnrtErrorNotSupport);
}
