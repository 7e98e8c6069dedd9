/* SPDX-License-Identifier: MIT
 *
 * mluOpMyOp: every documented constraint, one wrong argument at a time.
 */
#include "core/context.h"
#include "util/api_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT;
const std::vector<std::string> kTensors = {"input", "output"};

class MyOp : public ApiCallTest {
 protected:
  std::string name() const override { return "mluOpMyOp"; }

  ApiCall good() const override {
    ApiCall c;
    c.input("input", kFloat, {12, 4});
    c.output("output", kFloat, {12, 4});
    return c;
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    return mluOpMyOp(handle, c.desc("input"), c.data("input"), 2.0f, c.desc("output"),
                     c.data("output"));
  }
};
}  // namespace

TEST_F(MyOp, GoodCalls) {
  for (auto dtype : {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    ApiCall c = good();
    for (const std::string &tensor : kTensors) c[tensor].dtype = dtype;
    EXPECT_SUCCESS(run(c));
    EXPECT_FALSE(c.areOutputsUntouched());
  }
}

TEST_F(MyOp, NothingToWriteNeedsNoData) {
  for (const std::string &missing : kTensors) {
    ApiCall c = good();
    for (const std::string &tensor : kTensors) c[tensor].dims = {0, 4};
    c.null_data = missing;
    EXPECT_SUCCESS(run(c));
  }
}

TEST_F(MyOp, NullArguments) {
  expectNeeded(kTensors);
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.has_handle = false; }, "handle: wanted not NULL"}});
}

TEST_F(MyOp, ShapesTypesAndStrides) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c["input"].dtype = MLUOP_DTYPE_INT32; }, "input_desc: wanted"},
                 {[](ApiCall &c) { c["output"].dtype = MLUOP_DTYPE_HALF; }, "output_desc: wanted"},
                 {[](ApiCall &c) { c["output"].dims[1] = 5; }, "output_desc: wanted"}});
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED, {{[](ApiCall &c) {
                                                c["input"].strides.assign({5, 1});
                                              },
                                              "input_desc: wanted"},
                                             {[](ApiCall &c) {
                                                c["output"].strides.assign({5, 1});
                                              },
                                              "output_desc: wanted"}});
}

TEST_F(MyOp, MemoryThatOverlaps) {
  ApiCall c = good();
  c.input("input", kFloat, {13, 4});
  c.make();
  char *memory = static_cast<char *>(c.data("input"));
  ApiCall part = good();
  part.make();
  EXPECT_ONE_ERROR(
      MLUOP_STATUS_BAD_PARAM,
      mluOpMyOp(handle_, part.desc("input"), memory, 2.0f, part.desc("output"), memory + 16),
      "wanted memory that does not overlap the ");
  EXPECT_SUCCESS(mluOpMyOp(handle_, part.desc("input"), memory, 2.0f, part.desc("output"), memory));
  EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
}

TEST_F(MyOp, OldDevice) {
  expectOldDeviceRefused();
}
