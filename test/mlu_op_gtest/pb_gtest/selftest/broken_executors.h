/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_SELFTEST_BROKEN_EXECUTORS_H_
#define MLUOP_TEST_SELFTEST_BROKEN_EXECUTORS_H_

#include "executor.h"
#include "selftest/broken_kernels.h"

/* Executors "doubling_<mode>": a correct operator and one per mistake. */
const mluopTestExecutor *broken_executor(BrokenMode mode);

#endif /* MLUOP_TEST_SELFTEST_BROKEN_EXECUTORS_H_ */
