/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_PATTERN_H_
#define MLUOP_TEST_RUN_PATTERN_H_

#include <stdint.h>

#include "run/options.h"

/* The word that fills guards and outputs before a call: MLUOP_GTEST_SET_GDRAM, else by the day. */
uint32_t mluop_fill_word(const mluopTestOptions *options);

#endif /* MLUOP_TEST_RUN_PATTERN_H_ */
