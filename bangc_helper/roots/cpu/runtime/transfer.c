/* SPDX-License-Identifier: MIT
 *
 * Copies and fills on the CPU. Large ones are cut into pieces that the workers share.
 */
#include "transfers.h"

#include <string.h>

#include "core.h"
#include "device_access.h"
#include "memory_watch.h"
#include "op_node.h"
#include "pool.h"
#include "queue_time.h"
#include "threads.h"

enum {
  /* A smaller piece is not worth another thread. */
  MIN_PIECE = 4 << 20,
  PIECES_PER_WORKER = 4,
  /* An idle queue does transfers up to this size on the calling thread. */
  BRIEF_BYTES = 16 << 10,
};

struct shared_transfer {
  struct rt_job job;
  struct rt_transfer transfer;
  size_t piece;
  struct rt_op *op;          /* NULL: a thread of the program waits */
  _Atomic uint32_t finished; /* it waits on this */
};

/* ---- Doing it ---- */

static void fill(char *target, uint32_t pattern, unsigned width, size_t bytes) {
  if (width == 1) {
    memset(target, (int)(pattern & 0xff), bytes);
    return;
  }
  char block[256];
  for (size_t i = 0; i < sizeof(block); i += width) {
    memcpy(block + i, &pattern, width); /* little endian: the low bytes come first */
  }
  size_t done = 0;
  for (; done + sizeof(block) <= bytes; done += sizeof(block)) {
    memcpy(target + done, block, sizeof(block));
  }
  memcpy(target + done, block, bytes - done);
}

static void transfer_part(const struct rt_transfer *transfer, size_t offset, size_t bytes) {
  const int previous = rt_device_access_open();
  rt_memory_watch_written(transfer->target + offset, bytes);
  if (transfer->source != NULL) {
    memmove(transfer->target + offset, transfer->source + offset, bytes);
  } else {
    fill(transfer->target + offset, transfer->pattern, transfer->width, bytes);
  }
  rt_device_access_close(previous);
}

static void run_piece(struct rt_job *job, uint64_t index) {
  const struct shared_transfer *shared = (const struct shared_transfer *)job;
  const size_t offset = (size_t)index * shared->piece;
  const size_t left = shared->transfer.bytes - offset;
  transfer_part(&shared->transfer, offset, left < shared->piece ? left : shared->piece);
}

static void finish_shared(struct rt_job *job) {
  struct shared_transfer *shared = (struct shared_transfer *)job;
  if (shared->op != NULL) {
    rt_op_complete(shared->op, cnrtSuccess);
  } else {
    atomic_store(&shared->finished, 1);
    rt_futex_wake(&shared->finished, 1);
  }
}

static void open_shared(struct shared_transfer *shared) {
  const size_t bytes = shared->transfer.bytes;
  const size_t pieces = (size_t)rt_pool_size() * PIECES_PER_WORKER;
  size_t piece = (bytes + pieces - 1) / pieces;
  piece = piece < MIN_PIECE ? MIN_PIECE : piece;
  shared->piece = (piece + 4095) / 4096 * 4096;
  shared->job.total = (bytes + shared->piece - 1) / shared->piece;
  shared->job.run = run_piece;
  shared->job.finished = finish_shared;
  rt_job_open(&shared->job, true);
  rt_job_work(&shared->job);
}

static bool worth_sharing(const struct rt_transfer *transfer) {
  return transfer->bytes > MIN_PIECE && !rt_transfer_overlaps(transfer) && rt_pool_size() > 1;
}

static void transfer_alone(const struct rt_transfer *transfer) {
  transfer_part(transfer, 0, transfer->bytes);
}

/* A synchronous call waits for the default queue first. */
static cnrtRet_t order_after_default_queue(void) {
  const cnrtRet_t error = rt_fork_refuse();
  if (error == cnrtSuccess && rt_core_self() == NULL && rt_host_function_queue() == NULL) {
    rt_default_queue_drain(rt_current_device());
  }
  return error;
}

cnrtRet_t rt_transfer_now(const struct rt_transfer *transfer) {
  const cnrtRet_t error = order_after_default_queue();
  if (error != cnrtSuccess) {
    return error;
  }
  if (rt_pool_start() != cnrtSuccess || !worth_sharing(transfer)) {
    transfer_alone(transfer);
    return cnrtSuccess;
  }
  struct shared_transfer shared;
  memset(&shared, 0, sizeof(shared));
  shared.transfer = *transfer;
  open_shared(&shared);
  if (!rt_job_leave(&shared.job)) {
    while (atomic_load(&shared.finished) == 0) {
      rt_futex_wait(&shared.finished, 0, 0);
    }
  }
  return cnrtSuccess;
}

static void copy_box(const struct rt_box *dst, const struct rt_box *src, cnrtExtent_t extent) {
  const int previous = rt_device_access_open();
  for (size_t z = 0; z < extent.depth; ++z) {
    for (size_t y = 0; y < extent.height; ++y) {
      rt_memory_watch_written(dst->start + z * dst->plane + y * dst->pitch, extent.width);
      memmove(dst->start + z * dst->plane + y * dst->pitch,
              src->start + z * src->plane + y * src->pitch, extent.width);
    }
  }
  rt_device_access_close(previous);
}

cnrtRet_t rt_box_copy_now(const struct rt_box *dst, const struct rt_box *src, cnrtExtent_t extent) {
  const cnrtRet_t error = order_after_default_queue();
  if (error == cnrtSuccess) {
    copy_box(dst, src, extent);
  }
  return error;
}

/* ---- In a queue ---- */

struct box_op {
  struct rt_op op;
  struct rt_box target;
  struct rt_box source;
  cnrtExtent_t extent;
};

static enum rt_op_state start_box(struct rt_op *op) {
  const struct box_op *box = (const struct box_op *)op;
  rt_queue_time_transfer(op->queue, box->target.start, box->source.start,
                         box->extent.width * box->extent.height * box->extent.depth);
  copy_box(&box->target, &box->source, box->extent);
  return RT_OP_DONE;
}

cnrtRet_t rt_box_copy_enqueue(const struct rt_box *dst, const struct rt_box *src,
                              cnrtExtent_t extent, cnrtQueue_t queue) {
  const struct box_op op = {
      .op = {.start = start_box}, .target = *dst, .source = *src, .extent = extent};
  return rt_op_submit_or_capture(queue, &op.op, sizeof(op), cnrtTaskTopoNodeTypeMemcpy);
}

struct transfer_op {
  struct rt_op op;
  struct shared_transfer shared;
};

static enum rt_op_state start_transfer(struct rt_op *op) {
  struct shared_transfer *shared = &((struct transfer_op *)op)->shared;
  rt_queue_time_transfer(op->queue, shared->transfer.target, shared->transfer.source,
                         shared->transfer.bytes);
  if (!worth_sharing(&shared->transfer)) {
    transfer_alone(&shared->transfer);
    return RT_OP_DONE;
  }
  shared->op = op;
  shared->job.offers = &op->queue->offers;
  open_shared(shared);
  return rt_job_leave(&shared->job) ? RT_OP_DONE : RT_OP_PENDING;
}

cnrtRet_t rt_transfer_enqueue(const struct rt_transfer *transfer, cnrtQueue_t queue) {
  struct transfer_op op;
  memset(&op, 0, sizeof(op));
  op.op.start = start_transfer;
  op.op.brief = transfer->bytes <= BRIEF_BYTES;
  op.shared.transfer = *transfer;
  return rt_op_submit_or_capture(
      queue, &op.op, sizeof(op),
      transfer->source != NULL ? cnrtTaskTopoNodeTypeMemcpy : cnrtTaskTopoNodeTypeMemset);
}
