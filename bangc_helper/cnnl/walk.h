/* SPDX-License-Identifier: MIT
 *
 * A walk over the elements of several tensors at once, the last dimension fastest:
 *
 *   for (cnnl_walk_begin(&walk); !walk.over; cnnl_walk_next(&walk)) { ... walk.at[0] ... }
 */
#ifndef CNNL_WALK_H_
#define CNNL_WALK_H_

#include "tensor.h"

enum { CNNL_WALKERS = 3 };

struct cnnl_walk {
  int rank;
  int walkers;
  int64_t dims[CNNL_DIM_MAX];
  int64_t steps[CNNL_WALKERS][CNNL_DIM_MAX]; /* in bytes */
  char *start[CNNL_WALKERS];
  /* The state: whether the walk is over, and the current elements of the tensors. */
  bool over;
  char *at[CNNL_WALKERS];
  int64_t index[CNNL_DIM_MAX];
};

/* A walk over `dims`; tensors are added to it. */
struct cnnl_walk cnnl_walk_over(const struct cnnlTensorStruct *shape);
/* Makes walker `number` go through the tensor. It stays in place along dimensions where the tensor
 * has 1 element, or which it lacks at the front. False if the shapes do not fit. */
bool cnnl_walk_add(struct cnnl_walk *walk, int number, const struct cnnl_tensor *tensor);

void cnnl_walk_begin(struct cnnl_walk *walk);
void cnnl_walk_next(struct cnnl_walk *walk);

#endif /* CNNL_WALK_H_ */
