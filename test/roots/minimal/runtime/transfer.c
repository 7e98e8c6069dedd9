/* SPDX-License-Identifier: MIT
 *
 * Host copies and fills, done at once.
 */
#include <string.h>

#include "queue.h"

cnrtRet_t rt_transfer_now(const struct rt_transfer *transfer) {
  if (transfer->source != NULL) {
    memmove(transfer->target, transfer->source, transfer->bytes);
    return cnrtSuccess;
  }
  for (size_t i = 0; i < transfer->bytes; i += transfer->width) {
    memcpy(transfer->target + i, &transfer->pattern, transfer->width);
  }
  return cnrtSuccess;
}

cnrtRet_t rt_box_copy_now(const struct rt_box *dst, const struct rt_box *src, cnrtExtent_t extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    for (size_t y = 0; y < extent.height; ++y) {
      memmove(dst->start + z * dst->plane + y * dst->pitch,
              src->start + z * src->plane + y * src->pitch, extent.width);
    }
  }
  return cnrtSuccess;
}

cnrtRet_t rt_transfer_enqueue(const struct rt_transfer *transfer, cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = queue_for_work(queue, &error);
  if (found != NULL) {
    error = rt_transfer_now(transfer);
    rt_queue_release(found);
  }
  return error;
}

cnrtRet_t rt_box_copy_enqueue(const struct rt_box *dst, const struct rt_box *src,
                              cnrtExtent_t extent, cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = queue_for_work(queue, &error);
  if (found != NULL) {
    error = rt_box_copy_now(dst, src, extent);
    rt_queue_release(found);
  }
  return error;
}
