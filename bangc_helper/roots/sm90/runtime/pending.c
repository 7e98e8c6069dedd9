/* SPDX-License-Identifier: MIT
 *
 * Runs an action when all work pending now has been submitted to the streams, without waiting for
 * it: every held queue gets an operation that counts down. The action itself waits for the streams,
 * as CUDA does before it frees memory.
 */
#include <stdlib.h>

#include "memory.h"
#include "order.h"
#include "queue.h"
#include "service.h"

struct countdown {
  struct rt_service_job job;
  _Atomic size_t left;
  void (*function)(void *argument);
  void *argument;
};

struct countdown_op {
  struct rt_op op;
  struct countdown *countdown;
};

static void finish(struct rt_service_job *job) {
  struct countdown *countdown = (struct countdown *)job; /* the job is its first member */
  countdown->function(countdown->argument);
  free(countdown);
}

static cnrtRet_t submit_nothing(struct rt_op *op, struct CNqueue_st *queue) {
  (void)op;
  (void)queue;
  return cnrtSuccess;
}

/* The queue's lock is held here, so another thread does the rest. */
static void end_countdown(struct rt_op *op, cnrtRet_t result) {
  struct countdown *countdown = ((struct countdown_op *)op)->countdown;
  (void)result;
  if (atomic_fetch_sub(&countdown->left, 1) == 1) {
    rt_service_post(&countdown->job);
  }
}

/* Adds the countdown to the held queues of a device; false if out of memory. */
static bool count_on_device(struct rt_device *device, struct countdown *countdown) {
  struct CNqueue_st **queues = NULL;
  const int count = rt_device_queues(device, &queues);
  bool ok = count >= 0;
  for (int i = 0; i < count; ++i) {
    if (ok && rt_queue_has_holds(queues[i])) {
      struct countdown_op op = {
          .op = {.bytes = sizeof(op), .submit = submit_nothing, .end = end_countdown},
          .countdown = countdown};
      atomic_fetch_add(&countdown->left, 1);
      ok = rt_queue_submit(queues[i], &op.op) == cnrtSuccess;
    }
    rt_queue_release(queues[i]);
  }
  free(queues);
  return ok;
}

void rt_queues_call_after_pending(void (*function)(void *argument), void *argument) {
  struct countdown *countdown = malloc(sizeof(*countdown));
  bool ok = countdown != NULL;
  if (countdown != NULL) {
    *countdown = (struct countdown){.job = {.run = finish}, .function = function};
    countdown->argument = argument;
    atomic_init(&countdown->left, 1); /* this function's own count */
  }
  const unsigned devices = rt_device_count();
  for (unsigned d = 0; d < devices && ok; ++d) {
    ok = count_on_device(rt_device((int)d), countdown);
  }
  for (unsigned d = 0; d < devices && !ok; ++d) { /* out of memory: wait instead */
    rt_device_wait(rt_device((int)d));
  }
  if (countdown == NULL) {
    function(argument);
  } else if (atomic_fetch_sub(&countdown->left, 1) == 1) {
    finish(&countdown->job);
  }
}
