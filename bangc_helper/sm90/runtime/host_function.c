/* SPDX-License-Identifier: MIT
 *
 * CUDA calls host functions one after another on a thread of its own, where they may not call CUDA
 * in turn. So its call only wakes a service thread, and the stream waits for a word in host memory
 * that changes when the operation is complete.
 */
#include <stdlib.h>

#include "cnrt_external.h"
#include "queue.h"
#include "service.h"

struct cnrtxOp {
  struct rt_service_job job;
  struct CNqueue_st *queue;
  uint32_t number;       /* what the queue's word becomes */
  cnrtHostFn_t function; /* NULL: an external operation */
  void *argument;
  cnrtxStart_t start;
  const char *what;
};

static __thread const struct CNqueue_st *current_queue;

const struct CNqueue_st *rt_host_function_queue(void) {
  return current_queue;
}

static void complete(struct cnrtxOp *op, cnrtRet_t result) {
  struct CNqueue_st *queue = op->queue;
  if (result != cnrtSuccess) {
    rt_queue_set_error(queue, result);
  }
  atomic_store_explicit(queue->word, op->number, memory_order_release);
  free(op);
  rt_queue_release(queue);
}

static void run(struct rt_service_job *job) {
  struct cnrtxOp *op = (struct cnrtxOp *)job; /* its first member */
  if (op->function == NULL) {
    op->start(op, op->argument);
    return;
  }
  current_queue = op->queue;
  op->function(op->argument);
  current_queue = NULL;
  complete(op, cnrtSuccess);
}

static void CUDART_CB reached(void *pointer) {
  struct cnrtxOp *op = pointer;
  rt_service_post(&op->job);
}

/* Puts "call reached(op)" and "wait for its completion" into the stream. */
static cnrtRet_t enqueue_locked(struct CNqueue_st *queue, struct cnrtxOp *op) {
  const struct rt_cuda_driver *driver = rt_cuda_driver();
  if (driver == NULL) {
    return cnrtErrorNotSupport;
  }
  if (queue->word == NULL) {
    queue->word = rt_word_take(queue->device);
    if (queue->word == NULL) {
      return cnrtErrorSysNoMem;
    }
    queue->word_sequence = atomic_load(queue->word);
  }
  const uint32_t number = queue->word_sequence + 1;
  op->number = number;
  cnrtRet_t error = rt_cuda(cudaLaunchHostFunc(queue->stream, reached, op));
  if (error != cnrtSuccess) {
    return error;
  }
  /* From here on the operation runs, and may be over already. */
  queue->word_sequence = number;
  error = rt_cuda_result(driver->wait_value(queue->stream, (CUdeviceptr)(uintptr_t)queue->word,
                                            number, CU_STREAM_WAIT_VALUE_GEQ));
  if (error != cnrtSuccess && queue->first_error == cnrtSuccess) {
    queue->first_error = error;
  }
  return cnrtSuccess;
}

static cnrtRet_t submit(cnrtQueue_t queue, const struct cnrtxOp *wanted) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL) {
    return error;
  }
  struct cnrtxOp *op = malloc(sizeof(*op));
  if (op == NULL) {
    rt_queue_release(found);
    return cnrtErrorSysNoMem;
  }
  *op = *wanted;
  op->job.run = run;
  op->queue = found; /* the operation takes the reference over */
  pthread_mutex_lock(&found->lock);
  error = enqueue_locked(found, op);
  pthread_mutex_unlock(&found->lock);
  if (error != cnrtSuccess) {
    free(op);
    rt_queue_release(found);
  }
  return error;
}

RT_EXPORT cnrtRet_t cnrtInvokeHostFunc(cnrtQueue_t queue, cnrtHostFn_t fn, void *userData) {
  if (fn == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct cnrtxOp op = {.function = fn, .argument = userData};
  return rt_fail(submit(queue, &op));
}

RT_EXPORT cnrtRet_t cnrtxEnqueue(cnrtQueue_t queue, cnrtxStart_t start, void *arg, int flags,
                                 const char *what) {
  if (start == NULL || what == NULL || (flags & ~CNRTX_START_INLINE) != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  /* Even a quick start goes to a service thread: it may call CNRT. */
  const struct cnrtxOp op = {.start = start, .argument = arg, .what = what};
  return rt_fail(submit(queue, &op));
}

RT_EXPORT void cnrtxComplete(cnrtxOp_t op, cnrtRet_t result) {
  if (result != cnrtSuccess) {
    rt_warn("%s failed: error %d %s", op->what, (int)result, cnrtGetErrorName(result));
  }
  complete(op, result);
}
