/* SPDX-License-Identifier: MIT
 *
 * Public functions that a root defines itself.
 */
#include "cnrt_external.h"

#include <string.h>

#include "queue.h"

static __thread struct CNqueue_st *host_function_queue;

const struct CNqueue_st *rt_host_function_queue(void) {
  return host_function_queue;
}

RT_EXPORT cnrtRet_t cnrtInvokeHostFunc(cnrtQueue_t queue, cnrtHostFn_t fn, void *userData) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  struct CNqueue_st *found = fn != NULL ? queue_for_work(queue, &error) : NULL;
  if (found == NULL) {
    return rt_fail(error);
  }
  struct CNqueue_st *outer = host_function_queue;
  host_function_queue = found;
  fn(userData);
  host_function_queue = outer;
  rt_queue_release(found);
  return cnrtSuccess;
}

/* Waiting for an outside completion would block the caller's own thread. */
RT_EXPORT cnrtRet_t cnrtxEnqueue(cnrtQueue_t queue, cnrtxStart_t start, void *arg, int flags,
                                 const char *what) {
  (void)queue;
  (void)start;
  (void)arg;
  (void)flags;
  (void)what;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT void cnrtxComplete(cnrtxOp_t op, cnrtRet_t result) {
  (void)op;
  (void)result;
}

RT_EXPORT void cnrtxShare(uint64_t total, cnrtxTask_t task, cnrtxFinished_t finished, void *arg,
                          int flags) {
  (void)flags;
  for (uint64_t i = 0; i < total; ++i) {
    task(arg, i);
  }
  finished(arg);
}

RT_EXPORT void cnrtxStreamAll(void *const *targets, const void *const *sources, const size_t *bytes,
                              size_t count) {
  for (size_t i = 0; i < count; ++i) {
    memcpy(targets[i], sources[i], bytes[i]);
  }
}

RT_EXPORT bool cnrtxHostReaches(void) {
  return true;
}

RT_EXPORT size_t cnrtxSettingCount(void) {
  return 0;
}

RT_EXPORT const cnrtxSetting *cnrtxGetSetting(size_t index) {
  (void)index;
  return NULL;
}

RT_EXPORT void cnrtxTraceBegin(void) {}

RT_EXPORT cnrtRet_t cnrtxTraceEnd(const char *path) {
  (void)path;
  return rt_fail(cnrtErrorNotSupport);
}
