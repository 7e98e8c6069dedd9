/* SPDX-License-Identifier: MIT
 *
 * A queue with work is "active", and exactly one party owns that activity at a time: the pool's
 * ready list, the worker that starts its operations, or the pending operation. Each passes it on.
 * No thread belongs to a queue.
 */
#include "queue.h"

#include <stdlib.h>

#include "core.h"
#include "handles.h"
#include "thread_queue.h"
#include "threads.h"

static struct rt_handles live_queues = RT_HANDLES_INITIALIZER;
static bool (*helper)(struct CNqueue_st *queue);

static void advance(struct rt_ready *ready);

static void retain(void *pointer) {
  struct CNqueue_st *queue = pointer;
  atomic_fetch_add(&queue->references, 1);
}

static void unlink_from_device(struct CNqueue_st *queue) {
  if (queue->device_prev != NULL) {
    queue->device_prev->device_next = queue->device_next;
  } else {
    queue->device->queues = queue->device_next;
  }
  if (queue->device_next != NULL) {
    queue->device_next->device_prev = queue->device_prev;
  }
}

void rt_queue_release(struct CNqueue_st *queue) {
  int references = atomic_load(&queue->references);
  while (references > 1) {
    if (atomic_compare_exchange_weak(&queue->references, &references, references - 1)) {
      return;
    }
  }
  /* The last reference is dropped under the device's lock, since others find the queue through the
   * device. */
  struct rt_device *device = queue->device;
  pthread_mutex_lock(&device->queue_lock);
  const bool last = atomic_fetch_sub(&queue->references, 1) == 1;
  if (last) {
    unlink_from_device(queue);
  }
  pthread_mutex_unlock(&device->queue_lock);
  if (last) {
    pthread_mutex_destroy(&queue->lock);
    free(rt_block_cache_take(&queue->launch_memory));
    free(queue);
  }
}

/* ---- Objects ---- */

static void link_to_device(struct CNqueue_st *queue) {
  struct rt_device *device = queue->device;
  queue->device_next = device->queues;
  if (device->queues != NULL) {
    device->queues->device_prev = queue;
  }
  device->queues = queue;
}

static struct CNqueue_st *create_locked(struct rt_device *device, int priority) {
  struct CNqueue_st *queue = calloc(1, sizeof(*queue));
  if (queue == NULL) {
    return NULL;
  }
  rt_brief_mutex_init(&queue->lock);
  atomic_init(&queue->references, 1);
  queue->device = device;
  queue->ready.priority = priority;
  queue->ready.advance = advance;
  link_to_device(queue);
  return queue;
}

cnrtRet_t rt_queue_create(struct rt_device *device, int priority, struct CNqueue_st **queue) {
  const cnrtRet_t started = rt_pool_start();
  if (started != cnrtSuccess) {
    return started;
  }
  pthread_mutex_lock(&device->queue_lock);
  struct CNqueue_st *created = create_locked(device, priority);
  pthread_mutex_unlock(&device->queue_lock);
  if (created != NULL && !rt_handles_add(&live_queues, created)) {
    rt_queue_release(created);
    created = NULL;
  }
  *queue = created;
  return created != NULL ? cnrtSuccess : cnrtErrorSysNoMem;
}

static struct CNqueue_st *default_queue(struct rt_device *device, bool create) {
  pthread_mutex_lock(&device->queue_lock);
  if (device->default_queue == NULL && create) {
    device->default_queue = create_locked(device, RT_LEAST_PRIORITY);
  }
  struct CNqueue_st *queue = device->default_queue;
  if (queue != NULL) {
    retain(queue);
  }
  pthread_mutex_unlock(&device->queue_lock);
  return queue;
}

struct CNqueue_st *rt_queue_acquire(cnrtQueue_t handle, cnrtRet_t *error) {
  *error = rt_pool_start();
  if (*error != cnrtSuccess) {
    return NULL;
  }
  if (handle == cnrtQueuePerThread) {
    return rt_thread_queue_acquire(error);
  }
  if (rt_queue_is_implicit(handle)) {
    struct CNqueue_st *queue = default_queue(rt_current_device(), true);
    if (queue == NULL) {
      *error = cnrtErrorSysNoMem;
    }
    return queue;
  }
  if (!rt_handles_retain(&live_queues, handle, retain)) {
    *error = cnrtErrorInvalidResourceHandle;
    return NULL;
  }
  return handle;
}

uint64_t *rt_queue_owner(struct CNqueue_st *queue) {
  return &queue->owner;
}

/* Copies the device's list of queues, each retained; false when memory is short. */
static bool snapshot(struct rt_device *device, struct CNqueue_st ***list, size_t *count) {
  *list = NULL;
  *count = 0;
  pthread_mutex_lock(&device->queue_lock);
  size_t total = 0;
  for (struct CNqueue_st *queue = device->queues; queue != NULL; queue = queue->device_next) {
    ++total;
  }
  if (total != 0) {
    *list = malloc(total * sizeof(**list));
  }
  if (*list != NULL) {
    for (struct CNqueue_st *queue = device->queues; queue != NULL; queue = queue->device_next) {
      retain(queue);
      (*list)[(*count)++] = queue;
    }
  }
  pthread_mutex_unlock(&device->queue_lock);
  return total == *count;
}

cnrtRet_t rt_queue_destroy(cnrtQueue_t queue) {
  if (!rt_handles_remove(&live_queues, queue)) {
    return cnrtErrorInvalidResourceHandle;
  }
  rt_queue_release(queue); /* pending work holds a reference of its own */
  return cnrtSuccess;
}

void rt_device_destroy_queues(struct rt_device *device) {
  struct CNqueue_st **list = NULL;
  size_t count = 0;
  snapshot(device, &list, &count);
  for (size_t i = 0; i < count; ++i) {
    pthread_mutex_lock(&device->queue_lock);
    const bool is_default = list[i] == device->default_queue;
    if (is_default) {
      device->default_queue = NULL;
    }
    pthread_mutex_unlock(&device->queue_lock);
    if (is_default) {
      rt_queue_release(list[i]);
    } else {
      rt_queue_destroy(list[i]); /* unknown if the program destroyed the queue while it had work */
    }
    rt_queue_release(list[i]);
  }
  free(list);
}

/* ---- Operations ---- */

/* Removes a finished operation from its queue. Waiters are woken last, since what the operation
 * refers to, even code of a library, may disappear when they return. */
static void retire(struct rt_op *op, cnrtRet_t result) {
  struct CNqueue_st *queue = op->queue;
  pthread_mutex_lock(&queue->lock);
  queue->head = op->next;
  if (queue->head == NULL) {
    queue->tail = NULL;
  }
  if (result != cnrtSuccess && atomic_load(&queue->first_error) == cnrtSuccess) {
    atomic_store(&queue->first_error, result);
  }
  pthread_mutex_unlock(&queue->lock);
  op->destroy(op);
  atomic_fetch_add(&queue->completed, 1);
  if (atomic_load(&queue->sleepers) != 0) {
    rt_futex_wake(&queue->completed, UINT32_MAX);
  }
}

/* The next operation to start; NULL, and the queue is no longer active, if there is none. */
static struct rt_op *next_operation(struct CNqueue_st *queue) {
  if (rt_threads_stopping()) { /* operations not started when the process ends never start */
    return NULL;
  }
  pthread_mutex_lock(&queue->lock);
  struct rt_op *op = queue->head;
  if (op == NULL) {
    queue->active = false;
  }
  pthread_mutex_unlock(&queue->lock);
  if (op == NULL) {
    rt_queue_release(queue);
  }
  return op;
}

/* Starts operations until one is pending. */
static void advance(struct rt_ready *ready) {
  struct CNqueue_st *queue =
      (struct CNqueue_st *)((char *)ready - offsetof(struct CNqueue_st, ready));
  for (;;) {
    struct rt_op *op = next_operation(queue);
    if (op == NULL || op->start(op) == RT_OP_PENDING) {
      return;
    }
    retire(op, op->result);
    if (rt_pool_has_ready()) { /* other queues have waited longer */
      rt_pool_add_ready(&queue->ready);
      return;
    }
  }
}

void rt_op_complete(struct rt_op *op, cnrtRet_t result) {
  /* Completing an operation may complete others; the recursion is limited to one level. */
  static __thread bool inside;
  struct CNqueue_st *queue = op->queue;
  for (;;) {
    retire(op, result);
    op = next_operation(queue);
    if (op == NULL) {
      return;
    }
    if (inside || !op->brief) {
      rt_pool_add_ready(&queue->ready);
      return;
    }
    inside = true;
    const enum rt_op_state state = op->start(op);
    inside = false;
    if (state == RT_OP_PENDING) {
      return;
    }
    result = op->result;
  }
}

void rt_queue_append_locked(struct CNqueue_st *queue, struct rt_op *op) {
  op->next = NULL;
  op->queue = queue;
  if (queue->tail != NULL) {
    queue->tail->next = op;
  } else {
    queue->head = op;
  }
  queue->tail = op;
  ++queue->submitted;
}

static void submit(struct CNqueue_st *queue, struct rt_op *op, bool brief) {
  pthread_mutex_lock(&queue->lock);
  const bool was_active = queue->active;
  op->brief = brief;
  rt_queue_append_locked(queue, op);
  if (!was_active) {
    queue->active = true;
    retain(queue); /* for the activity */
  }
  pthread_mutex_unlock(&queue->lock);
  if (was_active) {
    return;
  }
  if (!brief) {
    rt_pool_add_ready(&queue->ready);
  } else if (op->start(op) == RT_OP_DONE) {
    rt_op_complete(op, op->result);
  }
}

void rt_queue_submit(struct CNqueue_st *queue, struct rt_op *op) {
  submit(queue, op, false);
}

void rt_queue_submit_brief(struct CNqueue_st *queue, struct rt_op *op) {
  submit(queue, op, true);
}

/* ---- Offers to waiting threads ---- */

void rt_queue_set_helper(bool (*help)(struct CNqueue_st *queue)) {
  helper = help;
}

/* ---- Waiting ---- */

struct watch {
  struct CNqueue_st *queue;
  uint32_t target;  /* operations that must be complete */
  uint32_t offered; /* offers that were tried or are over */
};

static bool reached(const struct watch *watch) {
  const uint32_t now = atomic_load_explicit(&watch->queue->completed, memory_order_acquire);
  return (int32_t)(now - watch->target) >= 0;
}

static bool has_offer(const struct watch *watch) {
  return atomic_load_explicit(&watch->queue->offers.made, memory_order_acquire) != watch->offered;
}

static bool reached_or_offered(const void *watch) {
  return reached(watch) || has_offer(watch);
}

/* Waits until `target` operations are complete. */
static void wait_for(struct CNqueue_st *queue, uint32_t target) {
  static struct rt_spin spin = RT_SPIN_INITIALIZER(rt_cores_fill_cpus);
  struct watch watch = {queue, target, atomic_load(&queue->offers.withdrawn)};
  while (rt_spin_until(&spin, reached_or_offered, &watch)) {
    if (reached(&watch)) {
      return;
    }
    watch.offered = atomic_load(&queue->offers.made);
    helper(queue);
  }
  atomic_fetch_add(&queue->sleepers, 1);
  for (;;) {
    const uint32_t completed = atomic_load(&queue->completed);
    if ((int32_t)(completed - target) >= 0) {
      break;
    }
    rt_futex_wait(&queue->completed, completed, 0);
  }
  atomic_fetch_sub(&queue->sleepers, 1);
}

static void drain(struct CNqueue_st *queue) {
  pthread_mutex_lock(&queue->lock);
  const uint32_t target = queue->submitted;
  pthread_mutex_unlock(&queue->lock);
  wait_for(queue, target);
}

cnrtRet_t rt_queue_wait(struct CNqueue_st *queue) {
  drain(queue);
  if (atomic_load(&queue->first_error) == cnrtSuccess) {
    return cnrtSuccess; /* without the lock, which the thread that completed the last operation
                           still holds */
  }
  pthread_mutex_lock(&queue->lock);
  const cnrtRet_t error = atomic_exchange(&queue->first_error, cnrtSuccess);
  pthread_mutex_unlock(&queue->lock);
  return error;
}

void rt_default_queue_drain(struct rt_device *device) {
  struct CNqueue_st *queue = default_queue(device, false);
  if (queue != NULL) {
    drain(queue);
    rt_queue_release(queue);
  }
}

cnrtRet_t rt_device_wait(struct rt_device *device) {
  struct CNqueue_st **list = NULL;
  size_t count = 0;
  if (!snapshot(device, &list, &count)) {
    return cnrtErrorSysNoMem;
  }
  cnrtRet_t first = cnrtSuccess;
  for (size_t i = 0; i < count; ++i) {
    const cnrtRet_t error = rt_queue_wait(list[i]);
    if (first == cnrtSuccess) {
      first = error;
    }
    rt_queue_release(list[i]);
  }
  free(list);
  return first;
}

void rt_queues_wait_all(void) {
  for (unsigned d = 0; d < rt_settings()->devices; ++d) {
    struct CNqueue_st **list = NULL;
    size_t count = 0;
    snapshot(rt_device((int)d), &list, &count);
    for (size_t i = 0; i < count; ++i) {
      drain(list[i]);
      rt_queue_release(list[i]);
    }
    free(list);
  }
}
