/* SPDX-License-Identifier: MIT
 *
 * mluOpMyOp: every documented constraint, one wrong argument at a time.
 */
#include "core/context.h"
#include "util/api_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt32 = MLUOP_DTYPE_INT32;
const std::vector<std::string> kTensors = {"input", "indices", "output"};

class MyOp : public ApiCallTest {
 protected:
  std::string name() const override { return "mluOpMyOp"; }

  ApiCall good() const override {
    ApiCall c;
    c.input("input", kFloat, {12, 4});
    c.input("indices", kInt32, {7});
    c.output("output", kFloat, {7, 4});
    return c;
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    return mluOpMyOp(handle, c.desc("input"), c.data("input"), c.desc("indices"), c.data("indices"),
                     c.desc("output"), c.data("output"));
  }
};
}  // namespace

TEST_F(MyOp, GoodCalls) {
  for (auto dtype :
       {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT32, MLUOP_DTYPE_INT8}) {
    ApiCall c = good();
    c["input"].dtype = c["output"].dtype = dtype;
    EXPECT_SUCCESS(run(c));
    EXPECT_FALSE(c.areOutputsUntouched());
  }
}

TEST_F(MyOp, NothingToWriteNeedsNoData) {
  for (const std::string &missing : kTensors) {
    ApiCall c = good();
    c["indices"].dims[0] = c["output"].dims[0] = 0;
    c.null_data = missing;
    EXPECT_SUCCESS(run(c));
  }
}

TEST_F(MyOp, NoInputRowsGiveZeros) {
  ApiCall c = good();
  c["input"].dims[0] = 0;
  EXPECT_SUCCESS(run(c));
  EXPECT_TRUE(c.isZero("output"));
}

TEST_F(MyOp, NullArguments) {
  expectNeeded(kTensors);
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.has_handle = false; }, "handle: wanted not NULL"}});
}

TEST_F(MyOp, ShapesTypesAndStrides) {
  expectRanksAndStrides(kTensors);
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c["input"].dtype = MLUOP_DTYPE_INT64; }, "input_desc: wanted"},
                 {[](ApiCall &c) { c["indices"].dtype = kFloat; }, "indices_desc: wanted"},
                 {[](ApiCall &c) { c["output"].dtype = MLUOP_DTYPE_HALF; }, "output_desc: wanted"},
                 {[](ApiCall &c) { c["output"].dims[0] = 5; }, "output_desc: wanted"},
                 {[](ApiCall &c) { c["output"].dims[1] = 5; }, "output_desc: wanted"}});
}

TEST_F(MyOp, MemoryThatOverlaps) {
  expectApart();
}

TEST_F(MyOp, OldDevice) {
  expectOldDeviceRefused();
}
