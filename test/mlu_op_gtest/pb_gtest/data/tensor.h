/* SPDX-License-Identifier: MIT
 *
 * Turns the description of a tensor into its bytes. */
#ifndef MLUOP_TEST_DATA_TENSOR_H_
#define MLUOP_TEST_DATA_TENSOR_H_

#include "base/text.h"
#include "data/write.h"
#include "executor.h"

/* Checks shape, strides and dtype and fills the descriptive fields of `tensor`. `role` ("input[2]")
 * starts a message. */
int mluop_test_tensor_describe(const Mluoptest__Tensor *spec, const char *role,
                               mluopTestTensor *tensor, mluopTestText *errors);

/* Bytes of the buffer. */
size_t mluop_test_tensor_bytes(const mluopTestTensor *tensor);

/* True if the case specifies the contents of the tensor. */
bool mluop_test_tensor_has_data(const mluopTestTensor *tensor);

/* Writes the buffer's initial contents, including the gaps of a strided tensor. Relative paths
 * start at `case_folder`. A tensor without data becomes zero. */
int mluop_test_tensor_read(const mluopTestTensor *tensor, const char *role, const char *case_folder,
                           const mluopWrite *write, mluopTestText *errors);

/* True if that takes no longer than copying the result, so that it can be repeated instead. */
bool mluop_test_tensor_is_quick(const mluopTestTensor *tensor);

/* Copies between the buffer of a strided tensor and its elements in row-major order. */
void mluop_test_tensor_gather(const mluopTestTensor *tensor, const void *buffer, void *dense);
void mluop_test_tensor_scatter(const mluopTestTensor *tensor, const void *dense, void *buffer);

/* True if two elements of a strided tensor share an address. */
bool mluop_test_tensor_overlaps_itself(const mluopTestTensor *tensor);

#endif /* MLUOP_TEST_DATA_TENSOR_H_ */
