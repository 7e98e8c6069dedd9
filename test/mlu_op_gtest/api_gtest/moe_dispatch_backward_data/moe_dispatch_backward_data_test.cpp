/* SPDX-License-Identifier: MIT
 *
 * mluOpMoeDispatchBackwardData: every documented constraint, one wrong argument at a time.
 */
#include "core/context.h"
#include "util/api_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;
const std::vector<std::string> kTensors = {"gates", "indices", "locations", "dispatch",
                                           "grad_input"};

class MoeDispatchBackwardData : public ApiCallTest {
 protected:
  std::string name() const override { return "mluOpMoeDispatchBackwardData"; }

  ApiCall good() const override {
    ApiCall c;
    c.input("gates", kFloat, {12});
    c.input("indices", kInt, {12});
    c.input("locations", kInt, {12});
    c.input("dispatch", kFloat, {16, 4});
    c.output("grad_input", kFloat, {12, 4});
    c.scalar = {{"samples", 12}, {"capacity", 8}, {"hidden", 4}, {"num_experts", 2}};
    return c;
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    return mluOpMoeDispatchBackwardData(
        handle, c.desc("gates"), c.data("gates"), c.desc("indices"), c.data("indices"),
        c.desc("locations"), c.data("locations"), c.desc("dispatch"), c.data("dispatch"),
        (int)c.scalar.at("samples"), (int)c.scalar.at("capacity"), (int)c.scalar.at("hidden"),
        (int)c.scalar.at("num_experts"), c.desc("grad_input"), c.data("grad_input"));
  }
};
}  // namespace

TEST_F(MoeDispatchBackwardData, GoodCalls) {
  for (auto dtype : {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    ApiCall c = good();
    for (const char *tensor : {"gates", "dispatch", "grad_input"}) c[tensor].dtype = dtype;
    EXPECT_SUCCESS(run(c));
    EXPECT_FALSE(c.areOutputsUntouched());
  }
}

TEST_F(MoeDispatchBackwardData, NothingToWriteNeedsNoData) {
  for (const std::string &missing : kTensors) {
    ApiCall no_samples = good(), no_hidden = good();
    for (const char *tensor : {"gates", "indices", "locations"}) no_samples[tensor].dims = {0};
    no_samples["grad_input"].dims = {0, 4};
    no_samples.scalar["samples"] = 0;
    no_samples.null_data = missing;
    EXPECT_SUCCESS(run(no_samples));
    no_hidden["dispatch"].dims = {16, 0};
    no_hidden["grad_input"].dims = {12, 0};
    no_hidden.scalar["hidden"] = 0;
    no_hidden.null_data = missing;
    EXPECT_SUCCESS(run(no_hidden));
  }
}

TEST_F(MoeDispatchBackwardData, NoSlotsMeansZeros) {
  for (const char *zero : {"capacity", "num_experts"}) {
    for (const char *missing : {"gates", "indices", "locations", "dispatch"}) {
      ApiCall c = good();
      c["dispatch"].dims = {0, 4};
      c.scalar[zero] = 0;
      c.null_data = missing;
      EXPECT_SUCCESS(run(c));
      EXPECT_FALSE(c.areOutputsUntouched());
      EXPECT_TRUE(c.isZero("grad_input"));
    }
    ApiCall c = good();
    c["dispatch"].dims = {0, 4};
    c.scalar[zero] = 0;
    c.null_data = "grad_input";
    EXPECT_BAD_PARAM(run(c), "grad_input: wanted not NULL");
  }
}

TEST_F(MoeDispatchBackwardData, NullArguments) {
  expectNeeded(kTensors);
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.has_handle = false; }, "handle: wanted not NULL"}});
}

TEST_F(MoeDispatchBackwardData, RanksAndStrides) {
  expectRanksAndStrides(kTensors);
}

TEST_F(MoeDispatchBackwardData, DataTypes) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](ApiCall &c) { c["gates"].dtype = kInt; }, "gates_desc: wanted data type DTYPE_FLOAT"},
       {[](ApiCall &c) { c["indices"].dtype = kFloat; },
        "indices_desc: wanted data type DTYPE_INT32, got DTYPE_FLOAT"},
       {[](ApiCall &c) { c["locations"].dtype = MLUOP_DTYPE_INT64; },
        "locations_desc: wanted data type DTYPE_INT32, got DTYPE_INT64"},
       {[](ApiCall &c) { c["dispatch"].dtype = MLUOP_DTYPE_DOUBLE; },
        "dispatch_desc: wanted data type"},
       {[](ApiCall &c) { c["grad_input"].dtype = MLUOP_DTYPE_HALF; },
        "grad_input_desc: wanted data type DTYPE_FLOAT as in dispatch_desc, got DTYPE_HALF"}});
}

TEST_F(MoeDispatchBackwardData, Scalars) {
  for (const char *scalar : {"samples", "capacity", "hidden", "num_experts"}) {
    ApiCall c = good();
    c.scalar[scalar] = -1;
    EXPECT_BAD_PARAM(run(c), std::string(scalar) + ": wanted 0 or more, got -1");
  }
}

TEST_F(MoeDispatchBackwardData, Dimensions) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](ApiCall &c) { c["gates"].dims = {11}; }, "gates_desc: wanted dims[0] 12 (samples)"},
       {[](ApiCall &c) { c["indices"].dims = {13}; }, "indices_desc: wanted dims[0] 12"},
       {[](ApiCall &c) { c["locations"].dims = {11}; }, "locations_desc: wanted dims[0] 12"},
       {[](ApiCall &c) {
          c["dispatch"].dims = {15, 4};
        },
        "dispatch_desc: wanted dims[0] 16 (num_experts * capacity), got 15"},
       {[](ApiCall &c) {
          c["dispatch"].dims = {16, 3};
        },
        "dispatch_desc: wanted dims[1] 4"},
       {[](ApiCall &c) {
          c["grad_input"].dims = {11, 4};
        },
        "grad_input_desc: wanted dims[0] 12"},
       {[](ApiCall &c) {
          c["grad_input"].dims = {12, 5};
        },
        "grad_input_desc: wanted dims[1] 4"},
       {[](ApiCall &c) { c.scalar["capacity"] = c.scalar["num_experts"] = 65536; },
        "dispatch_desc: wanted dims[0] 4294967296"}});
}

TEST_F(MoeDispatchBackwardData, LargeTensors) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](ApiCall &c) {
                    const int64_t n = 2097152;
                    for (const char *tensor : {"gates", "indices", "locations"})
                      c[tensor].dims = {n};
                    c["dispatch"].dims = {16, 1025};
                    c["grad_input"].dims = {n, 1025};
                    c.scalar["samples"] = n;
                    c.scalar["hidden"] = 1025;
                  },
                  "grad_input_desc: wanted at most 2147483647 elements"},
                 {[](ApiCall &c) {
                    c["dispatch"].dims = {536870912, 4};
                    c.scalar["capacity"] = 268435456;
                  },
                  "dispatch_desc: wanted at most 2147483647 elements"}});
}

TEST_F(MoeDispatchBackwardData, OverlappingMemory) {
  expectApart();
}

TEST_F(MoeDispatchBackwardData, OldDevice) {
  handle_->arch = MLUOP_MLU290;
  ApiCall c = good();
  EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, run(c), "architecture 372 or newer, got 290");
  EXPECT_TRUE(c.areOutputsUntouched());
}
