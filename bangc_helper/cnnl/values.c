/* SPDX-License-Identifier: MIT */
#include "values.h"

#include <stdlib.h>

#include "element.h"
#include "move.h"
#include "walk.h"

static struct cnnl_tensor dense(const struct cnnl_tensor *tensor, float *values) {
  struct cnnl_tensor array = {.shape = tensor->shape, .data = (char *)values};
  array.shape.type = CNNL_DTYPE_FLOAT;
  cnnl_dense_strides(array.shape.rank, array.shape.dims, array.shape.strides);
  return array;
}

/* Copies values between tensors of the same dimensions and of any types. */
static void convert(const struct cnnl_tensor *to, const struct cnnl_tensor *from) {
  if (to->shape.type == from->shape.type) {
    const struct cnnl_box box = cnnl_box_of(&to->shape, &from->shape);
    cnnl_move(&box, to->data, from->data, cnnl_size(to->shape.type));
    return;
  }
  struct cnnl_walk walk = cnnl_walk_over(&to->shape);
  cnnl_walk_add(&walk, 0, to);
  cnnl_walk_add(&walk, 1, from);
  for (cnnl_walk_begin(&walk); !walk.over; cnnl_walk_next(&walk)) {
    cnnl_put(to->shape.type, walk.at[0], cnnl_get(from->shape.type, walk.at[1]));
  }
}

float *cnnl_zeros(const struct cnnl_tensor *tensor) {
  const int64_t count = cnnl_count(&tensor->shape);
  return calloc((size_t)(count > 0 ? count : 1), sizeof(float));
}

float *cnnl_read(const struct cnnl_tensor *tensor) {
  float *values = cnnl_zeros(tensor);
  if (values != NULL) {
    const struct cnnl_tensor array = dense(tensor, values);
    convert(&array, tensor);
  }
  return values;
}

void cnnl_write(const struct cnnl_tensor *tensor, const float *values) {
  const struct cnnl_tensor array = dense(tensor, (float *)values);
  convert(tensor, &array);
}
