/* SPDX-License-Identifier: MIT */
#include "walk.h"

#include <string.h>

#include "element.h"

struct cnnl_walk cnnl_walk_over(const struct cnnlTensorStruct *shape) {
  struct cnnl_walk walk = {.rank = shape->rank};
  memcpy(walk.dims, shape->dims, sizeof(walk.dims));
  return walk;
}

bool cnnl_walk_add(struct cnnl_walk *walk, int number, const struct cnnl_tensor *tensor) {
  const struct cnnlTensorStruct *shape = &tensor->shape;
  const int lack = walk->rank - shape->rank;
  if (lack < 0) {
    return false;
  }
  walk->start[number] = tensor->data;
  walk->walkers = number < walk->walkers ? walk->walkers : number + 1;
  for (int i = 0; i < shape->rank; ++i) {
    if (shape->dims[i] != walk->dims[lack + i] && shape->dims[i] != 1) {
      return false;
    }
    walk->steps[number][lack + i] =
        shape->dims[i] == 1 ? 0 : shape->strides[i] * (int64_t)cnnl_size(shape->type);
  }
  return true;
}

void cnnl_walk_begin(struct cnnl_walk *walk) {
  walk->over = false;
  for (int i = 0; i < walk->rank; ++i) {
    walk->index[i] = 0;
    walk->over = walk->over || walk->dims[i] == 0;
  }
  memcpy(walk->at, walk->start, sizeof(walk->at));
}

void cnnl_walk_next(struct cnnl_walk *walk) {
  for (int i = walk->rank - 1; i >= 0; --i) {
    const bool again = ++walk->index[i] == walk->dims[i];
    const int64_t steps = again ? 1 - walk->dims[i] : 1;
    for (int w = 0; w < walk->walkers; ++w) {
      walk->at[w] += steps * walk->steps[w][i];
    }
    if (!again) {
      return;
    }
    walk->index[i] = 0;
  }
  walk->over = true;
}
