/* SPDX-License-Identifier: MIT
 *
 * Strided copies of elements, on which fills, copies, transpositions, paddings, concatenations and
 * slices are based.
 */
#ifndef CNNL_MOVE_H_
#define CNNL_MOVE_H_

#include "tensor.h"

/* Strides are in elements; one of 0 repeats an element, a negative one goes back. */
struct cnnl_box {
  int rank;
  int64_t dims[CNNL_DIM_MAX];
  int64_t to[CNNL_DIM_MAX];
  int64_t from[CNNL_DIM_MAX];
};

void cnnl_move(const struct cnnl_box *box, char *to, const char *from, size_t size);

/* Puts one element everywhere. */
void cnnl_fill(const struct cnnl_tensor *tensor, const void *value);

/* The box of two tensors of the same dimensions. */
struct cnnl_box cnnl_box_of(const struct cnnlTensorStruct *to, const struct cnnlTensorStruct *from);

#endif /* CNNL_MOVE_H_ */
