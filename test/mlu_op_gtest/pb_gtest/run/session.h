/* SPDX-License-Identifier: MIT
 *
 * What one thread needs to run cases: a handle, a queue and two notifiers of the current device. */
#ifndef MLUOP_TEST_RUN_SESSION_H_
#define MLUOP_TEST_RUN_SESSION_H_

#include "base/text.h"
#include "mlu_op.h"
#include "run/block_pool.h"
#include "run/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopTestSession {
  mluOpHandle_t handle;
  cnrtQueue_t queue; /* NULL with --use_default_queue */
  cnrtNotifier_t begin, end;
  void *flush; /* memory as large as the last-level cache, for --test_llc */
  size_t flush_size;
  mluopBlockPool pool; /* memory of the cases */
} mluopTestSession;

/* Checks before any case runs that the device can be made as small as the options ask. Returns
 * 0, or -1 with what is possible. */
int mluop_session_check_limits(const mluopTestOptions *options, mluopTestText *errors);

int mluop_session_open(mluopTestSession *session, const mluopTestOptions *options,
                       mluopTestText *errors);
void mluop_session_close(mluopTestSession *session);

/* Pushes everything else out of the last-level cache. */
int mluop_session_flush_cache(mluopTestSession *session);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_SESSION_H_ */
