/* SPDX-License-Identifier: MIT
 *
 * Calls a function when all work that is pending now is done, without waiting for it: every queue
 * with work gets an operation that counts down.
 */
#include <stdlib.h>

#include "memory.h"
#include "queue.h"

struct countdown {
  _Atomic size_t left;
  void (*function)(void *argument);
  void *argument;
};

struct countdown_op {
  struct rt_op op;
  struct countdown *countdown;
};

static void count_down(struct countdown *countdown) {
  if (atomic_fetch_sub(&countdown->left, 1) == 1) {
    countdown->function(countdown->argument);
    free(countdown);
  }
}

static enum rt_op_state start_countdown(struct rt_op *op) {
  count_down(((struct countdown_op *)op)->countdown);
  return RT_OP_DONE;
}

static void destroy_countdown(struct rt_op *op) {
  free(op);
}

/* Adds a countdown to a queue with work; false when memory is short. */
static bool count_on_queue(struct CNqueue_st *queue, struct countdown *countdown) {
  bool ok = true;
  pthread_mutex_lock(&queue->lock);
  if (queue->active) {
    struct countdown_op *op = calloc(1, sizeof(*op));
    ok = op != NULL;
    if (ok) {
      op->op.start = start_countdown;
      op->op.destroy = destroy_countdown;
      op->countdown = countdown;
      atomic_fetch_add(&countdown->left, 1);
      rt_queue_append_locked(queue, &op->op);
    }
  }
  pthread_mutex_unlock(&queue->lock);
  return ok;
}

void rt_queues_call_after_pending(void (*function)(void *argument), void *argument) {
  struct countdown *countdown = malloc(sizeof(*countdown));
  bool complete = countdown != NULL;
  if (countdown != NULL) {
    atomic_init(&countdown->left, 1); /* held by this function */
    countdown->function = function;
    countdown->argument = argument;
    for (unsigned d = 0; d < rt_settings()->devices && complete; ++d) {
      struct rt_device *device = rt_device((int)d);
      pthread_mutex_lock(&device->queue_lock);
      for (struct CNqueue_st *queue = device->queues; queue != NULL && complete;
           queue = queue->device_next) {
        complete = count_on_queue(queue, countdown);
      }
      pthread_mutex_unlock(&device->queue_lock);
    }
  }
  if (!complete) { /* without memory, wait instead */
    rt_queues_wait_all();
  }
  if (countdown != NULL) {
    count_down(countdown);
  } else {
    function(argument);
  }
}
