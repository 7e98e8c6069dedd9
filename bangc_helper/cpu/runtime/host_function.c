/* SPDX-License-Identifier: MIT */
#include "host_function.h"

#include <pthread.h>
#include <stdlib.h>

#include "cnrt_external.h"
#include "core.h"
#include "queue.h"
#include "threads.h"

/* A service thread without work for this long ends. */
static const uint64_t idle_limit_ns = 2000000000u;

struct service_op {
  struct rt_op op;
  struct service_op *next; /* in the list of work for service threads */
  cnrtHostFn_t function;   /* NULL: an external operation */
  void *argument;
  /* External operations: */
  cnrtxStart_t start;
  int flags;
  const char *what;
};

struct cnrtxOp {
  struct service_op service;
};

static struct {
  pthread_mutex_t lock;
  struct service_op *head, *tail;
  unsigned pending;
  unsigned idle;
  unsigned threads;
  _Atomic uint32_t epoch;
} service = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread const struct CNqueue_st *current_queue;

const struct CNqueue_st *rt_host_function_queue(void) {
  return current_queue;
}

static void run_service(struct service_op *op) {
  if (op->function != NULL) {
    current_queue = op->op.queue;
    op->function(op->argument);
    current_queue = NULL;
    rt_op_complete(&op->op, cnrtSuccess);
  } else {
    op->start((cnrtxOp_t)op, op->argument);
  }
}

static struct service_op *take_work(void) {
  pthread_mutex_lock(&service.lock);
  struct service_op *op = service.head;
  if (op != NULL) {
    service.head = op->next;
    if (service.head == NULL) {
      service.tail = NULL;
    }
    --service.pending;
  }
  pthread_mutex_unlock(&service.lock);
  return op;
}

/* Sleeps until there may be work; false when the thread should end. */
static bool wait_for_work(uint32_t seen) {
  pthread_mutex_lock(&service.lock);
  ++service.idle;
  pthread_mutex_unlock(&service.lock);
  const uint64_t start = rt_now_ns();
  while (atomic_load(&service.epoch) == seen && !rt_threads_stopping() &&
         rt_now_ns() - start < idle_limit_ns) {
    rt_futex_wait(&service.epoch, seen, idle_limit_ns);
  }
  pthread_mutex_lock(&service.lock);
  --service.idle;
  const bool stay =
      (atomic_load(&service.epoch) != seen || service.pending != 0) && !rt_threads_stopping();
  service.threads -= !stay;
  pthread_mutex_unlock(&service.lock);
  return stay;
}

static void *service_main(void *argument) {
  (void)argument;
  for (;;) {
    const uint32_t seen = atomic_load(&service.epoch);
    struct service_op *op = take_work();
    if (op != NULL) {
      run_service(op);
    } else if (!wait_for_work(seen)) {
      break;
    }
  }
  rt_thread_forget();
  return NULL;
}

static void wake_all(void) {
  atomic_fetch_add(&service.epoch, 1);
  rt_futex_wake(&service.epoch, UINT32_MAX);
}

static void register_wake(void) {
  rt_threads_on_stop(wake_all);
}

/* No new thread to be had: a busy one will come to the work, or this one must do it. */
static void without_thread(void) {
  pthread_mutex_lock(&service.lock);
  const bool alone = --service.threads == 0;
  pthread_mutex_unlock(&service.lock);
  struct service_op *op = alone ? take_work() : NULL;
  if (op != NULL) {
    run_service(op);
  }
}

/* Hands an operation to a service thread, a new one if all are busy. */
static enum rt_op_state start_service(struct rt_op *base) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_wake);
  struct service_op *op = (struct service_op *)base;
  if ((op->flags & CNRTX_START_INLINE) != 0) {
    op->start((cnrtxOp_t)op, op->argument);
    return RT_OP_PENDING;
  }
  op->next = NULL;
  pthread_mutex_lock(&service.lock);
  if (service.tail != NULL) {
    service.tail->next = op;
  } else {
    service.head = op;
  }
  service.tail = op;
  ++service.pending;
  const bool create = service.pending > service.idle;
  service.threads += create;
  atomic_fetch_add(&service.epoch, 1);
  pthread_mutex_unlock(&service.lock);
  rt_futex_wake(&service.epoch, 1);
  if (create && !rt_thread_create("cnrt-service", service_main, NULL)) {
    without_thread();
  }
  return RT_OP_PENDING;
}

static void destroy_service(struct rt_op *op) {
  free(op);
}

static cnrtRet_t submit(cnrtQueue_t queue, const struct service_op *wanted) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL) {
    return error;
  }
  struct service_op *op = malloc(sizeof(*op));
  if (op != NULL) {
    *op = *wanted;
    op->op.start = start_service;
    op->op.destroy = destroy_service;
    error = rt_queue_submit(found, &op->op);
  } else {
    error = cnrtErrorSysNoMem;
  }
  rt_queue_release(found);
  return error;
}

RT_EXPORT cnrtRet_t cnrtInvokeHostFunc(cnrtQueue_t queue, cnrtHostFn_t fn, void *userData) {
  if (fn == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct service_op op = {.function = fn, .argument = userData};
  return rt_fail(submit(queue, &op));
}

RT_EXPORT cnrtRet_t cnrtxEnqueue(cnrtQueue_t queue, cnrtxStart_t start, void *arg, int flags,
                                 const char *what) {
  if (start == NULL || what == NULL || (flags & ~CNRTX_START_INLINE) != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct service_op op = {.start = start, .argument = arg, .flags = flags, .what = what};
  return rt_fail(submit(queue, &op));
}

RT_EXPORT void cnrtxComplete(cnrtxOp_t op, cnrtRet_t result) {
  if (result != cnrtSuccess) {
    rt_warn("%s failed: error %d %s", op->service.what, (int)result, cnrtGetErrorName(result));
  }
  rt_op_complete(&op->service.op, result);
}

RT_EXPORT cnrtRet_t cnrtxQueueDevice(cnrtQueue_t queue, int *device) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  struct CNqueue_st *found = device != NULL ? rt_queue_acquire(queue, &error) : NULL;
  if (found == NULL) {
    return rt_fail(error);
  }
  *device = found->device->ordinal;
  rt_queue_release(found);
  return cnrtSuccess;
}
