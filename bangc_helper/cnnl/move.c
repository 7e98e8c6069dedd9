/* SPDX-License-Identifier: MIT */
#include "move.h"

#include <string.h>

#include "element.h"

/* Merges dimensions of a box where possible, which makes lines longer. */
static struct cnnl_box merge(const struct cnnl_box *box) {
  struct cnnl_box merged = {.rank = 0};
  for (int i = 0; i < box->rank; ++i) {
    if (box->dims[i] == 1) {
      continue;
    }
    const int last = merged.rank - 1;
    if (last >= 0 && merged.to[last] == box->to[i] * box->dims[i] &&
        merged.from[last] == box->from[i] * box->dims[i]) {
      merged.dims[last] *= box->dims[i];
      merged.to[last] = box->to[i];
      merged.from[last] = box->from[i];
      continue;
    }
    merged.dims[merged.rank] = box->dims[i];
    merged.to[merged.rank] = box->to[i];
    merged.from[merged.rank] = box->from[i];
    ++merged.rank;
  }
  if (merged.rank == 0) {
    merged.rank = 1;
    merged.dims[0] = 1;
  }
  return merged;
}

/* Elements need not be aligned; of a known size they are moved by one instruction each. */
#define MOVE_LINE(bytes)                                                                        \
  static void move_line_##bytes(char *to, int64_t to_step, const char *from, int64_t from_step, \
                                int64_t count) {                                                \
    for (int64_t i = 0; i < count; ++i) {                                                       \
      memcpy(to + i * to_step * (bytes), from + i * from_step * (bytes), (bytes));              \
    }                                                                                           \
  }
MOVE_LINE(1)
MOVE_LINE(2)
MOVE_LINE(4)
MOVE_LINE(8)

static void move_line(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count,
                      size_t size) {
  if (to_step == 1 && from_step == 1) {
    memmove(to, from, (size_t)count * size);
    return;
  }
  switch (size) {
    case 1:
      move_line_1(to, to_step, from, from_step, count);
      break;
    case 2:
      move_line_2(to, to_step, from, from_step, count);
      break;
    case 4:
      move_line_4(to, to_step, from, from_step, count);
      break;
    default:
      move_line_8(to, to_step, from, from_step, count);
      break;
  }
}

static void move_from(const struct cnnl_box *box, int dim, char *to, const char *from,
                      size_t size) {
  if (dim == box->rank - 1) {
    move_line(to, box->to[dim], from, box->from[dim], box->dims[dim], size);
    return;
  }
  const int64_t to_step = box->to[dim] * (int64_t)size;
  const int64_t from_step = box->from[dim] * (int64_t)size;
  for (int64_t i = 0; i < box->dims[dim]; ++i) {
    move_from(box, dim + 1, to + i * to_step, from + i * from_step, size);
  }
}

void cnnl_move(const struct cnnl_box *box, char *to, const char *from, size_t size) {
  const struct cnnl_box merged = merge(box);
  move_from(&merged, 0, to, from, size);
}

void cnnl_fill(const struct cnnl_tensor *tensor, const void *value) {
  const struct cnnlTensorStruct *shape = &tensor->shape;
  struct cnnl_box box = {.rank = shape->rank};
  for (int i = 0; i < shape->rank; ++i) {
    box.dims[i] = shape->dims[i];
    box.to[i] = shape->strides[i];
  }
  cnnl_move(&box, tensor->data, value, cnnl_size(shape->type));
}

struct cnnl_box cnnl_box_of(const struct cnnlTensorStruct *to,
                            const struct cnnlTensorStruct *from) {
  struct cnnl_box box = {.rank = to->rank};
  for (int i = 0; i < to->rank; ++i) {
    box.dims[i] = to->dims[i];
    box.to[i] = to->strides[i];
    box.from[i] = from->strides[i];
  }
  return box;
}
