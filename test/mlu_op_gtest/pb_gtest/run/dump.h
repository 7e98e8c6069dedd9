/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_DUMP_H_
#define MLUOP_TEST_RUN_DUMP_H_

#include "executor.h"

/* MLUOP_GTEST_DUMP_DATA: writes baseline_<id>_<thread>, mlu_<id>_<thread> and hex_<id> into the
 * working folder. */
void mluop_dump_output(const mluopTestTensor *tensor, const void *baseline, const void *measured);

#endif /* MLUOP_TEST_RUN_DUMP_H_ */
