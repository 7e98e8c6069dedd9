/* SPDX-License-Identifier: MIT
 *
 * Whole tensors as dense arrays of float, for operations that compute more than they move.
 */
#ifndef CNNL_VALUES_H_
#define CNNL_VALUES_H_

#include "tensor.h"

/* The values of a tensor of floats, in a new array; NULL without memory. */
float *cnnl_read(const struct cnnl_tensor *tensor);
/* The same filled with zeros. */
float *cnnl_zeros(const struct cnnl_tensor *tensor);
/* Writes values back to the tensor, rounded to its type. */
void cnnl_write(const struct cnnl_tensor *tensor, const float *values);

#endif /* CNNL_VALUES_H_ */
