/* SPDX-License-Identifier: MIT */
#include "transfers.h"

#include <string.h>

#include "cnrt_external.h"
#include "memory.h"
#include "op_node.h"
#include "order.h"
#include "queue.h"
#include "small_copies.h"

/* A copy between overlapping ranges goes through temporary memory. */
static cnrtRet_t move(const struct rt_transfer *transfer, cudaStream_t stream) {
  void *between = NULL;
  cnrtRet_t error = rt_cuda(cudaMallocAsync(&between, transfer->bytes, stream));
  if (error != cnrtSuccess) {
    return error;
  }
  error = rt_cuda(
      cudaMemcpyAsync(between, transfer->source, transfer->bytes, cudaMemcpyDefault, stream));
  if (error == cnrtSuccess) {
    error = rt_cuda(
        cudaMemcpyAsync(transfer->target, between, transfer->bytes, cudaMemcpyDefault, stream));
  }
  rt_cuda(cudaFreeAsync(between, stream));
  return error;
}

static cnrtRet_t fill(const struct rt_transfer *transfer, cudaStream_t stream) {
  if (transfer->width == 1) {
    return rt_cuda(cudaMemsetAsync(transfer->target, (int)(transfer->pattern & 0xff),
                                   transfer->bytes, stream));
  }
  const struct rt_cuda_driver *driver = rt_cuda_driver();
  if (driver == NULL) {
    return cnrtErrorNotSupport;
  }
  const CUdeviceptr target = (CUdeviceptr)(uintptr_t)transfer->target;
  const size_t count = transfer->bytes / transfer->width;
  return rt_cuda_result(
      transfer->width == 2
          ? driver->fill16(target, (unsigned short)transfer->pattern, count, stream)
          : driver->fill32(target, transfer->pattern, count, stream));
}

/* CUDA can fill 16- and 32-bit elements only if they are aligned. */
static bool is_aligned(const struct rt_transfer *transfer) {
  return transfer->width == 0 || (uintptr_t)transfer->target % transfer->width == 0;
}

struct transfer_op {
  struct rt_op op;
  struct rt_transfer transfer;
};

static cnrtRet_t submit_transfer(struct rt_op *op, struct CNqueue_st *queue) {
  const struct rt_transfer *transfer = &((struct transfer_op *)op)->transfer;
  if (transfer->source == NULL) {
    return fill(transfer, queue->stream);
  }
  if (rt_transfer_overlaps(transfer)) {
    return move(transfer, queue->stream);
  }
  return rt_cuda(cudaMemcpyAsync(transfer->target, transfer->source, transfer->bytes,
                                 cudaMemcpyDefault, queue->stream));
}

static cnrtRet_t enqueue(const struct rt_transfer *transfer, struct CNqueue_st *queue) {
  struct transfer_op op = {.op = {.bytes = sizeof(op), .submit = submit_transfer},
                           .transfer = *transfer};
  return is_aligned(transfer)
             ? rt_queue_submit_or_capture(queue, &op.op,
                                          transfer->source != NULL ? cnrtTaskTopoNodeTypeMemcpy
                                                                   : cnrtTaskTopoNodeTypeMemset,
                                          NULL)
             : cnrtErrorArgsInvalid;
}

cnrtRet_t rt_transfer_enqueue(const struct rt_transfer *transfer, cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found != NULL) {
    error = enqueue(transfer, found);
    rt_queue_release(found);
  }
  return error;
}

/* The queue of a synchronous call. It runs after the default queue's work, except inside a host
 * function, because the default queue may be waiting for that function. */
static struct CNqueue_st *begin_now(cnrtRet_t *error) {
  if (rt_host_function_queue() == NULL) {
    return rt_queue_acquire(NULL, error);
  }
  struct rt_device *device = rt_current_device();
  *error = cnrtErrorNoDevice;
  return device != NULL ? rt_queue_acquire_side(device, error) : NULL;
}

static cnrtRet_t end_now(struct CNqueue_st *queue, cnrtRet_t error) {
  if (error == cnrtSuccess) {
    error = rt_queue_finish(queue);
  }
  rt_queue_release(queue);
  return error;
}

cnrtRet_t rt_transfer_now(const struct rt_transfer *transfer) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *queue = begin_now(&error);
  return queue == NULL ? error : end_now(queue, enqueue(transfer, queue));
}

static struct cudaPitchedPtr pitched(const struct rt_box *box, cnrtExtent_t extent) {
  const size_t rows = box->plane != 0 ? box->plane / box->pitch : extent.height;
  return (struct cudaPitchedPtr){box->start, box->pitch, extent.width, rows};
}

struct box_op {
  struct rt_op op;
  struct cudaMemcpy3DParms box;
};

static cnrtRet_t submit_box(struct rt_op *op, struct CNqueue_st *queue) {
  return rt_cuda(cudaMemcpy3DAsync(&((struct box_op *)op)->box, queue->stream));
}

static struct box_op box_op_of(const struct rt_box *dst, const struct rt_box *src,
                               cnrtExtent_t extent) {
  struct box_op op;
  memset(&op, 0, sizeof(op));
  op.op.bytes = sizeof(op);
  op.op.submit = submit_box;
  op.box.srcPtr = pitched(src, extent);
  op.box.dstPtr = pitched(dst, extent);
  op.box.extent = (struct cudaExtent){extent.width, extent.height, extent.depth};
  op.box.kind = cudaMemcpyDefault;
  return op;
}

cnrtRet_t rt_box_copy_now(const struct rt_box *dst, const struct rt_box *src, cnrtExtent_t extent) {
  struct box_op op = box_op_of(dst, src, extent);
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *queue = begin_now(&error);
  return queue == NULL ? error : end_now(queue, rt_queue_submit(queue, &op.op));
}

cnrtRet_t rt_box_copy_enqueue(const struct rt_box *dst, const struct rt_box *src,
                              cnrtExtent_t extent, cnrtQueue_t queue) {
  struct box_op op = box_op_of(dst, src, extent);
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found != NULL) {
    error = rt_queue_submit_or_capture(found, &op.op, cnrtTaskTopoNodeTypeMemcpy, NULL);
    rt_queue_release(found);
  }
  return error;
}

/* ---- For libraries that extend the runtime ---- */

struct copies_op {
  struct rt_op op;
  void *const *targets;
  const void *const *sources;
  const size_t *bytes;
  size_t count;
};

/* True for a copy that a kernel can do. */
static bool is_small(const struct copies_op *copies, size_t i) {
  return copies->bytes[i] <= RT_SMALL_COPY_BYTES &&
         cnrtxIsDeviceMemory(copies->targets[i], copies->bytes[i]) &&
         cnrtxIsDeviceMemory(copies->sources[i], copies->bytes[i]);
}

static cnrtRet_t submit_copies(struct rt_op *op, struct CNqueue_st *queue) {
  const struct copies_op *copies = (const struct copies_op *)op;
  struct rt_small_copies small = {.count = 0};
  cnrtRet_t error = cnrtSuccess;
  for (size_t i = 0; i < copies->count && error == cnrtSuccess; ++i) {
    if (is_small(copies, i)) {
      small.target[small.count] = copies->targets[i];
      small.source[small.count] = copies->sources[i];
      small.bytes[small.count++] = (unsigned)copies->bytes[i];
    } else {
      error = rt_cuda(cudaMemcpyAsync(copies->targets[i], copies->sources[i], copies->bytes[i],
                                      cudaMemcpyDefault, queue->stream));
    }
    if (small.count == RT_SMALL_COPIES || (small.count != 0 && i + 1 == copies->count)) {
      error = rt_cuda(rt_small_copies_launch(&small, queue->stream));
      small.count = 0;
    }
  }
  return error;
}

RT_EXPORT void cnrtxStreamAll(void *const *targets, const void *const *sources, const size_t *bytes,
                              size_t count) {
  struct rt_memory_info info;
  cnrtRet_t error = cnrtErrorArgsInvalid;
  if (count == 0) {
    return;
  }
  const bool is_known = rt_memory_find(targets[0], &info) || rt_memory_find(sources[0], &info);
  struct rt_device *device = is_known ? rt_device(info.device) : rt_current_device();
  if (device != NULL) {
    struct copies_op op = {.op = {.bytes = sizeof(op), .submit = submit_copies},
                           .targets = targets,
                           .sources = sources,
                           .bytes = bytes,
                           .count = count};
    struct CNqueue_st *queue = rt_queue_acquire_side(device, &error);
    if (queue != NULL) {
      error = end_now(queue, rt_queue_submit(queue, &op.op));
    }
  }
  if (error != cnrtSuccess) { /* a broken device reports the error at the next synchronisation as
                               * well */
    rt_warn("%zu copies, the first of %zu bytes, failed: %s", count, bytes[0],
            cnrtGetErrorStr(error));
  }
}

RT_EXPORT bool cnrtxHostReaches(void) {
  return false;
}

RT_EXPORT void cnrtxShare(uint64_t total, cnrtxTask_t task, cnrtxFinished_t finished, void *arg,
                          int flags) {
  (void)flags; /* the device does the work, not host threads */
  for (uint64_t i = 0; i < total; ++i) {
    task(arg, i);
  }
  finished(arg);
}
