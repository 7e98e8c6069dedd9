/* SPDX-License-Identifier: MIT
 *
 * Host functions, and operations that are completed from outside, hold their queue. CUDA's callback
 * comes when the stream reaches it, even on a broken device. It must not call CUDA, and one thread
 * runs all callbacks, so it only wakes a service thread.
 */
#include <stdlib.h>

#include "cnrt_external.h"
#include "order.h"
#include "queue.h"
#include "service.h"

struct cnrtxOp {
  struct rt_service_job job;
  struct CNqueue_st *queue;
  cudaError_t status;    /* of the stream at this point */
  cnrtHostFn_t function; /* NULL: an external operation */
  void *argument;
  cnrtxStart_t start;
  const char *what;
};

struct host_op {
  struct rt_op op;
  struct cnrtxOp *work;
};

static __thread const struct CNqueue_st *current_queue;

const struct CNqueue_st *rt_host_function_queue(void) {
  return current_queue;
}

static void complete(struct cnrtxOp *work, cnrtRet_t result) {
  struct CNqueue_st *queue = work->queue;
  free(work);
  rt_queue_go_on(queue, result);
  rt_queue_release(queue);
}

static void run(struct rt_service_job *job) {
  struct cnrtxOp *work = (struct cnrtxOp *)job; /* the job is its first member */
  if (work->status != cudaSuccess) {
    complete(work, rt_device_error(work->queue->device, work->status));
    return;
  }
  if (work->function == NULL) {
    work->start(work, work->argument);
    return;
  }
  current_queue = work->queue;
  work->function(work->argument);
  current_queue = NULL;
  complete(work, cnrtSuccess);
}

static void CUDART_CB reached(cudaStream_t stream, cudaError_t status, void *pointer) {
  struct cnrtxOp *work = pointer;
  (void)stream;
  work->status = status;
  rt_service_post(&work->job);
}

static cnrtRet_t submit_host(struct rt_op *op, struct CNqueue_st *queue) {
  const cnrtRet_t error =
      rt_cuda(cudaStreamAddCallback(queue->stream, reached, ((struct host_op *)op)->work, 0));
  queue->is_held = error == cnrtSuccess;
  return error;
}

static void end_host(struct rt_op *op, cnrtRet_t result) {
  struct cnrtxOp *work = ((struct host_op *)op)->work;
  if (result != cnrtSuccess) { /* it will not run */
    rt_queue_release(work->queue);
    free(work);
  }
}

static cnrtRet_t submit(struct CNqueue_st *queue, const struct cnrtxOp *wanted) {
  struct cnrtxOp *work = malloc(sizeof(*work));
  if (work == NULL) {
    return cnrtErrorSysNoMem;
  }
  *work = *wanted;
  work->job.run = run;
  work->queue = queue;
  rt_queue_retain(queue);
  struct host_op op = {
      .op = {.bytes = sizeof(op), .may_hold = true, .submit = submit_host, .end = end_host},
      .work = work};
  return rt_queue_submit(queue, &op.op);
}

struct host_node {
  struct CNtaskTopoNode_st node;
  struct cnrtxOp work;
};

static cnrtRet_t submit_node(struct CNtaskTopoNode_st *node, struct CNqueue_st *queue) {
  return submit(queue, &((struct host_node *)node)->work);
}

static void end_node(struct CNtaskTopoNode_st *node) {
  free(node);
}

static cnrtRet_t capture(struct CNqueue_st *queue, const struct cnrtxOp *work) {
  struct host_node *node = calloc(1, sizeof(*node));
  if (node == NULL) {
    return cnrtErrorSysNoMem;
  }
  node->node = (struct CNtaskTopoNode_st){
      .type = cnrtTaskTopoNodeTypeHost, .submit = submit_node, .end = end_node};
  node->work = *work;
  return rt_capture_node(queue, &node->node);
}

RT_EXPORT cnrtRet_t cnrtInvokeHostFunc(cnrtQueue_t queue, cnrtHostFn_t fn, void *userData) {
  if (fn == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found != NULL) {
    const struct cnrtxOp work = {.function = fn, .argument = userData};
    error = rt_queue_is_captured(found) ? capture(found, &work) : submit(found, &work);
    rt_queue_release(found);
  }
  return rt_fail(error);
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
  error = rt_capture_refuse(found); /* the argument is valid just once */
  if (error == cnrtSuccess) {
    /* Even a quick start function runs on a service thread, because it may call CNRT. */
    const struct cnrtxOp work = {.start = start, .argument = arg, .what = what};
    error = submit(found, &work);
  }
  rt_queue_release(found);
  return rt_fail(error);
}

RT_EXPORT void cnrtxComplete(cnrtxOp_t op, cnrtRet_t result) {
  if (result != cnrtSuccess) {
    rt_warn("%s failed: error %d %s", op->what, (int)result, cnrtGetErrorName(result));
  }
  complete(op, result);
}
