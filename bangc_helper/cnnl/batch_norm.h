/* SPDX-License-Identifier: MIT
 *
 * What the steps of batch normalisation share. Between the steps devices exchange sums. Channels
 * are the last dimension; sums are kept in double.
 */
#ifndef CNNL_BATCH_NORM_H_
#define CNNL_BATCH_NORM_H_

#include "tensor.h"

enum { CNNL_NORM_TENSORS = 9 };

/* A call's tensors, in an order that each call defines, and its numbers. */
struct cnnl_norm {
  struct cnnl_tensor tensors[CNNL_NORM_TENSORS];
  float eps;
  float momentum;
};

/* The tensors as arrays of float while an operation runs; NULL for those that were left out. */
struct cnnl_norm_arrays {
  float *values[CNNL_NORM_TENSORS];
  bool complete;
};

struct cnnl_norm_argument {
  const char *name;
  cnnlTensorDescriptor_t desc;
  const void *data;
  bool is_optional;
};

#define CNNL_NORM_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Takes the arguments of a call; those after the first `like_x` have a value per channel. */
cnnlStatus_t cnnl_norm_take(const char *function, const struct cnnl_norm_argument *arguments,
                            int count, int like_x, struct cnnl_norm *call);

int64_t cnnl_norm_channels(const struct cnnl_tensor *tensor);
/* Elements of a channel. */
int64_t cnnl_norm_rows(const struct cnnl_tensor *tensor);

struct cnnl_norm_arrays cnnl_norm_read(const struct cnnl_norm *call);
void cnnl_norm_free(struct cnnl_norm_arrays *arrays);
/* Writes back tensors `first` to the last, which are the results. */
void cnnl_norm_write(const struct cnnl_norm *call, const struct cnnl_norm_arrays *arrays,
                     int first);

#endif /* CNNL_BATCH_NORM_H_ */
