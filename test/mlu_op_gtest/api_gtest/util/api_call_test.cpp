/* SPDX-License-Identifier: MIT */
#include "util/api_call.h"

#include <gtest/gtest.h>

/* An operator that only copies its input still counts as having written its output. */
TEST(ApiCall, a_copied_input_is_a_written_output) {
  ApiCall c;
  c.input("in", MLUOP_DTYPE_INT8, {64});
  c.output("out", MLUOP_DTYPE_INT8, {64});
  c.make();
  EXPECT_TRUE(c.areInputsUntouched() && c.areOutputsUntouched());
  EXPECT_EQ(cnrtMemcpy(c.data("out"), c.data("in"), 64, cnrtMemcpyDevToDev), cnrtSuccess);
  EXPECT_TRUE(c.areInputsUntouched());
  EXPECT_FALSE(c.areOutputsUntouched());
}
