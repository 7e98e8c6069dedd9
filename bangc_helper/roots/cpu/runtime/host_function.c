/* SPDX-License-Identifier: MIT
 *
 * Functions of the host in queues, and operations that something outside the runtime completes.
 * They may block, so they run on service threads.
 */
#include "cnrt_external.h"
#include "op_node.h"
#include "service.h"

struct service_op {
  struct rt_op op;
  struct rt_service_job job;
  cnrtHostFn_t function; /* NULL: an external operation */
  void *argument;
  /* External operations: */
  cnrtxStart_t start;
  int flags;
  const char *what;
};

struct cnrtxOp {
  struct service_op service;
};

static __thread const struct CNqueue_st *current_queue;

const struct CNqueue_st *rt_host_function_queue(void) {
  return current_queue;
}

static void run_service(struct rt_service_job *job) {
  struct service_op *op = (struct service_op *)((char *)job - offsetof(struct service_op, job));
  if (op->function != NULL) {
    current_queue = op->op.queue;
    op->function(op->argument);
    current_queue = NULL;
    rt_op_complete(&op->op, cnrtSuccess);
  } else {
    op->start((cnrtxOp_t)op, op->argument);
  }
}

static enum rt_op_state start_service(struct rt_op *base) {
  struct service_op *op = (struct service_op *)base;
  if ((op->flags & CNRTX_START_INLINE) != 0) {
    op->start((cnrtxOp_t)op, op->argument);
  } else {
    op->job.run = run_service;
    rt_service_post(&op->job);
  }
  return RT_OP_PENDING;
}

RT_EXPORT cnrtRet_t cnrtInvokeHostFunc(cnrtQueue_t queue, cnrtHostFn_t fn, void *userData) {
  if (fn == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct service_op op = {
      .op = {.start = start_service}, .function = fn, .argument = userData};
  return rt_fail(rt_op_submit_or_capture(queue, &op.op, sizeof(op), cnrtTaskTopoNodeTypeHost));
}

RT_EXPORT cnrtRet_t cnrtxEnqueue(cnrtQueue_t queue, cnrtxStart_t start, void *arg, int flags,
                                 const char *what) {
  if (start == NULL || what == NULL || (flags & ~CNRTX_START_INLINE) != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL) {
    return rt_fail(error);
  }
  const struct service_op op = {.op = {.start = start_service},
                                .start = start,
                                .argument = arg,
                                .flags = flags,
                                .what = what};
  error = rt_capture_refuse(found); /* the argument may be used once */
  if (error == cnrtSuccess) {
    error = rt_op_submit(found, &op.op, sizeof(op));
  }
  rt_queue_release(found);
  return rt_fail(error);
}

RT_EXPORT void cnrtxComplete(cnrtxOp_t op, cnrtRet_t result) {
  if (result != cnrtSuccess) {
    rt_warn("%s failed: error %d %s", op->service.what, (int)result, cnrtGetErrorName(result));
  }
  rt_op_complete(&op->service.op, result);
}
