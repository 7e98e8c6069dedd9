/* SPDX-License-Identifier: MIT */
#include "submit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "arrive.h"
#include "cliques.h"
#include "cnrt_external.h"
#include "comm.h"

/* The calls of one operation in a queue. */
struct cncl_batch {
  struct cncl_call *calls;
  cnrtxOp_t op;
  _Atomic unsigned pending; /* pending calls, plus one while they are being started */
  _Atomic int result;       /* the first failure */
};

/* Held while calls are numbered and queued, so that both have the same order. */
static pthread_mutex_t issue_lock = PTHREAD_MUTEX_INITIALIZER;

void cncl_call_discard(struct cncl_call *call) {
  cncl_comm_release(call->comm);
  free(call);
}

static void release_batch(struct cncl_batch *batch) {
  if (atomic_fetch_sub(&batch->pending, 1) == 1) {
    cnrtxComplete(batch->op, (cnrtRet_t)atomic_load(&batch->result));
    free(batch);
  }
}

static void call_done(struct cncl_call *call, cnrtRet_t result) {
  struct cncl_batch *batch = call->batch;
  int none = cnrtSuccess;
  if (result != cnrtSuccess) {
    atomic_compare_exchange_strong(&batch->result, &none, (int)result);
  }
  cncl_call_discard(call);
  release_batch(batch);
}

struct cncl_call *cncl_call_create(struct cnclComm *comm, uint32_t lanes) {
  const size_t lists = 2 * lanes * sizeof(void *);
  const size_t header = sizeof(struct cncl_header) + lanes * sizeof(struct cncl_lane);
  struct cncl_call *call = calloc(1, sizeof(*call) + lists + header);
  if (call != NULL) {
    cncl_comm_retain(comm);
    call->comm = comm;
    call->done = call_done;
    call->sends = (const char **)(call + 1);
    call->recvs = (char **)(call->sends + lanes);
    call->header = (struct cncl_header *)(call->recvs + lanes);
    call->header->lanes = lanes;
    call->header->rank = comm->rank;
  }
  return call;
}

static void start_batch(cnrtxOp_t op, void *argument) {
  struct cncl_batch *batch = argument;
  batch->op = op;
  cncl_arrive(batch->calls);
  release_batch(batch);
}

/* ---- Submission ---- */

static void number(struct cncl_call *call) {
  struct cncl_header *header = call->header;
  struct cnclComm *comm = call->comm;
  if (header->kind == CNCL_SEND) {
    header->number = comm->pairs[header->peer].sends++;
  } else if (header->kind == CNCL_RECV) {
    header->number = comm->pairs[header->peer].recvs++;
  } else {
    header->number = comm->collectives++;
  }
}

/* Removes the calls of one queue from the list, in order. */
static struct cncl_call *take_queue(struct cncl_call **list, unsigned *count) {
  struct cncl_call *first = *list;
  struct cncl_call **rest = list;
  struct cncl_call *taken = NULL;
  struct cncl_call **end = &taken;
  *count = 0;
  while (*rest != NULL) {
    struct cncl_call *call = *rest;
    if (call->queue == first->queue && call->queue_device == first->queue_device) {
      *rest = call->next;
      *end = call;
      end = &call->next;
      ++*count;
    } else {
      rest = &call->next;
    }
  }
  *end = NULL;
  return taken;
}

/* True for a handle that means another queue on every device. */
static bool is_of_current_device(cnrtQueue_t queue) {
  return queue == NULL || queue == cnrtQueueLegacy || queue == cnrtQueuePerThread;
}

/* Such a handle means the queue of the device that was current at the call. */
static cnrtRet_t enqueue(const struct cncl_call *call, struct cncl_batch *batch) {
  static const char *const what = "a CNCL call";
  int current = 0;
  const bool switched = is_of_current_device(call->queue) &&
                        cnrtGetDevice(&current) == cnrtSuccess && current != call->queue_device;
  if (switched) {
    cnrtSetDevice(call->queue_device);
  }
  const cnrtRet_t result = cnrtxEnqueue(call->queue, start_batch, batch, CNRTX_START_INLINE, what);
  if (switched) {
    cnrtSetDevice(current);
  }
  return result;
}

/* The other ranks would wait for calls that never come, so they are told. */
static void drop_calls(struct cncl_call *calls) {
  while (calls != NULL) {
    struct cncl_call *next = calls->next;
    cncl_clique_fail(calls->comm->clique, CNCL_FAIL_TELL,
                     "a call of rank %d could not be put into its queue", calls->comm->rank);
    cncl_call_discard(calls);
    calls = next;
  }
}

static cnclResult_t submit_queue(struct cncl_call *calls, unsigned count) {
  struct cncl_batch *batch = calloc(1, sizeof(*batch));
  if (batch == NULL) {
    drop_calls(calls);
    return CNCL_RET_ERR_SYS_MALLOC;
  }
  batch->calls = calls;
  atomic_init(&batch->pending, count + 1);
  pthread_mutex_lock(&issue_lock);
  for (struct cncl_call *call = calls; call != NULL; call = call->next) {
    call->batch = batch;
    number(call);
  }
  const cnrtRet_t result = enqueue(calls, batch);
  pthread_mutex_unlock(&issue_lock);
  if (result != cnrtSuccess) {
    free(batch);
    drop_calls(calls);
    return CNCL_RET_ERR_CNRT_DEVICE;
  }
  return CNCL_RET_SUCCESS;
}

cnclResult_t cncl_submit(struct cncl_call *list) {
  cnclResult_t first = CNCL_RET_SUCCESS;
  while (list != NULL) {
    unsigned count = 0;
    struct cncl_call *calls = take_queue(&list, &count);
    const cnclResult_t result = submit_queue(calls, count);
    if (first == CNCL_RET_SUCCESS) {
      first = result;
    }
  }
  return first;
}
