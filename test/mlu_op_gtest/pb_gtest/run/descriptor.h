/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_DESCRIPTOR_H_
#define MLUOP_TEST_RUN_DESCRIPTOR_H_

#include "executor.h"

/* Makes tensor->desc from the tensor's description. Returns 0, or -1 with the refused call. */
int mluop_descriptor_create(mluopTestTensor *tensor, bool negative_scale, mluopTestText *errors);

#endif /* MLUOP_TEST_RUN_DESCRIPTOR_H_ */
