/* SPDX-License-Identifier: MIT
 *
 * mluOpMoeDispatchBackwardGate and its workspace query: every documented constraint, one wrong
 * argument at a time.
 */
#include "core/context.h"
#include "util/api_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;
const std::vector<std::string> kTensors = {"indices", "locations", "input", "dispatch",
                                           "grad_gates"};

class MoeDispatchBackwardGate : public ApiCallTest {
 protected:
  std::string name() const override { return "mluOpMoeDispatchBackwardGate"; }

  ApiCall good() const override {
    ApiCall c;
    c.input("indices", kInt, {12});
    c.input("locations", kInt, {12});
    c.input("input", kFloat, {12, 4});
    c.input("dispatch", kFloat, {16, 4});
    c.output("grad_gates", kFloat, {12});
    c.scalar = {{"samples", 12}, {"capacity", 8}, {"hidden", 4}, {"num_experts", 2}};
    return c;
  }

  /* One sample that is long enough for tasks to share it, which needs the workspace. */
  ApiCall shared() const {
    ApiCall c = good();
    for (const char *tensor : {"indices", "locations", "grad_gates"}) c[tensor].dims = {1};
    c["input"].dims = {1, 5000};
    c["dispatch"].dims = {16, 5000};
    c.scalar["samples"] = 1;
    c.scalar["hidden"] = 5000;
    return c;
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    size_t size = 1 << 16;
    ApiTensor workspace(MLUOP_DTYPE_INT8, {(int64_t)size});
    if (c.workspace_size >= 0) {
      size = (size_t)c.workspace_size;
    } else if (!c.is_refused) {
      EXPECT_EQ(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle, c.desc("input"), &size),
                MLUOP_STATUS_SUCCESS);
    }
    return mluOpMoeDispatchBackwardGate(
        handle, c.desc("indices"), c.data("indices"), c.desc("locations"), c.data("locations"),
        c.desc("input"), c.data("input"), c.desc("dispatch"), c.data("dispatch"),
        (int)c.scalar.at("samples"), (int)c.scalar.at("capacity"), (int)c.scalar.at("hidden"),
        (int)c.scalar.at("num_experts"), c.has_workspace ? workspace.data() : nullptr, size,
        c.desc("grad_gates"), c.data("grad_gates"));
  }
};
}  // namespace

TEST_F(MoeDispatchBackwardGate, WorkspaceSize) {
  size_t size = 1;
  const ApiTensor many(kFloat, {100000, 4}), few(kFloat, {1, 5000}), rank1(kFloat, {12});
  EXPECT_SUCCESS(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, many.desc(), &size));
  EXPECT_EQ(size, 0u);
  EXPECT_SUCCESS(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, few.desc(), &size));
  const std::string api = "[mluOpGetMoeDispatchBackwardGateWorkspaceSize] ";
  EXPECT_BAD_PARAM(mluOpGetMoeDispatchBackwardGateWorkspaceSize(nullptr, few.desc(), &size),
                   api + "handle: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, nullptr, &size),
                   api + "input_desc: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, few.desc(), nullptr),
                   api + "workspace_size: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, rank1.desc(), &size),
                   api + "input_desc: wanted 2 dimensions, got 1");
}

/* The query refuses what the operator refuses. */
TEST_F(MoeDispatchBackwardGate, WorkspaceSizeOfWrongInputs) {
  const std::string api = "[mluOpGetMoeDispatchBackwardGateWorkspaceSize] ";
  const ApiTensor ints(kInt, {1, 5000}), apart(kFloat, {2, 5000}, {5001, 1});
  const ApiTensor large(kFloat, {1, int64_t{1} << 31});
  size_t size = 77;
  EXPECT_BAD_PARAM(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, ints.desc(), &size),
                   api + "input_desc: wanted data type");
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED,
                   mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, apart.desc(), &size),
                   api + "input_desc: wanted strides[0] 5000, got 5001");
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED,
                   mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, large.desc(), &size),
                   api + "input_desc: wanted at most 2147483647 elements, got 2147483648");
  EXPECT_EQ(size, 77u); /* unchanged */
}

TEST_F(MoeDispatchBackwardGate, GoodCalls) {
  for (auto dtype : {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    for (bool is_shared : {false, true}) {
      ApiCall c = is_shared ? shared() : good();
      for (const char *tensor : {"input", "dispatch", "grad_gates"}) c[tensor].dtype = dtype;
      EXPECT_SUCCESS(run(c));
      EXPECT_FALSE(c.areOutputsUntouched());
    }
  }
}

TEST_F(MoeDispatchBackwardGate, Workspace) {
  if (mluop_context_core_num(handle_) > 1) {
    ApiCall small = shared(), missing = shared();
    small.workspace_size = 4;
    EXPECT_BAD_PARAM(run(small), "workspace_size: wanted at least 20, got 4");
    EXPECT_TRUE(small.areOutputsUntouched());
    missing.has_workspace = false;
    EXPECT_BAD_PARAM(run(missing), "workspace: wanted not NULL");
    EXPECT_TRUE(missing.areOutputsUntouched());
  }
  ApiCall unneeded = good(), none = good();
  unneeded.has_workspace = false;
  unneeded.workspace_size = 64;
  EXPECT_BAD_PARAM(run(unneeded), "workspace: wanted not NULL");
  none.has_workspace = false;
  EXPECT_SUCCESS(run(none));
}

TEST_F(MoeDispatchBackwardGate, SumsOfNothing) {
  for (const std::string &missing : kTensors) {
    ApiCall no_samples = good();
    for (const char *tensor : {"indices", "locations", "grad_gates"}) no_samples[tensor].dims = {0};
    no_samples["input"].dims = {0, 4};
    no_samples.scalar["samples"] = 0;
    no_samples.null_data = missing;
    EXPECT_SUCCESS(run(no_samples));
    for (const char *zero : {"hidden", "capacity", "num_experts"}) {
      ApiCall c = good();
      c.scalar[zero] = 0;
      c["input"].dims[1] = c["dispatch"].dims[1] = c.scalar["hidden"];
      c["dispatch"].dims[0] = c.scalar["capacity"] * c.scalar["num_experts"];
      c.null_data = missing;
      if (missing == "grad_gates") {
        EXPECT_BAD_PARAM(run(c), "grad_gates: wanted not NULL");
        continue;
      }
      EXPECT_SUCCESS(run(c));
      EXPECT_TRUE(c.isZero("grad_gates"));
    }
  }
}

TEST_F(MoeDispatchBackwardGate, NullArguments) {
  expectNeeded(kTensors);
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.has_handle = false; }, "handle: wanted not NULL"}});
}

TEST_F(MoeDispatchBackwardGate, RanksAndStrides) {
  expectRanksAndStrides(kTensors);
}

TEST_F(MoeDispatchBackwardGate, DataTypes) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](ApiCall &c) { c["indices"].dtype = kFloat; },
        "indices_desc: wanted data type DTYPE_INT32, got DTYPE_FLOAT"},
       {[](ApiCall &c) { c["locations"].dtype = MLUOP_DTYPE_INT64; },
        "locations_desc: wanted data type DTYPE_INT32, got DTYPE_INT64"},
       {[](ApiCall &c) { c["input"].dtype = MLUOP_DTYPE_DOUBLE; }, "input_desc: wanted data type"},
       {[](ApiCall &c) { c["dispatch"].dtype = MLUOP_DTYPE_HALF; },
        "dispatch_desc: wanted data type DTYPE_FLOAT as in input_desc, got DTYPE_HALF"},
       {[](ApiCall &c) { c["grad_gates"].dtype = kInt; }, "grad_gates_desc: wanted data type"}});
}

TEST_F(MoeDispatchBackwardGate, Scalars) {
  for (const char *scalar : {"samples", "capacity", "hidden", "num_experts"}) {
    ApiCall c = good();
    c.scalar[scalar] = -1;
    EXPECT_BAD_PARAM(run(c), std::string(scalar) + ": wanted 0 or more, got -1");
  }
}

TEST_F(MoeDispatchBackwardGate, Dimensions) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](ApiCall &c) { c["indices"].dims = {13}; }, "indices_desc: wanted dims[0] 12"},
       {[](ApiCall &c) { c["locations"].dims = {11}; }, "locations_desc: wanted dims[0] 12"},
       {[](ApiCall &c) {
          c["input"].dims = {11, 4};
        },
        "input_desc: wanted dims[0] 12"},
       {[](ApiCall &c) {
          c["input"].dims = {12, 5};
        },
        "input_desc: wanted dims[1] 4"},
       {[](ApiCall &c) {
          c["dispatch"].dims = {15, 4};
        },
        "dispatch_desc: wanted dims[0] 16 (num_experts * capacity), got 15"},
       {[](ApiCall &c) {
          c["dispatch"].dims = {16, 3};
        },
        "dispatch_desc: wanted dims[1] 4"},
       {[](ApiCall &c) { c["grad_gates"].dims = {11}; }, "grad_gates_desc: wanted dims[0] 12"}});
}

TEST_F(MoeDispatchBackwardGate, OverlappingMemory) {
  expectApart();
}

TEST_F(MoeDispatchBackwardGate, LargeTensors) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](ApiCall &c) {
                    for (const char *tensor : {"indices", "locations", "grad_gates"})
                      c[tensor].dims = {1025};
                    c["input"].dims = {1025, 2097152};
                    c["dispatch"].dims = {16, 2097152};
                    c.scalar["samples"] = 1025;
                    c.scalar["hidden"] = 2097152;
                  },
                  "input_desc: wanted at most 2147483647 elements"},
                 {[](ApiCall &c) {
                    c["dispatch"].dims = {536870912, 4};
                    c.scalar["capacity"] = 268435456;
                  },
                  "dispatch_desc: wanted at most 2147483647 elements"}});
}

TEST_F(MoeDispatchBackwardGate, OldDevice) {
  handle_->arch = MLUOP_MLU290;
  ApiCall c = good();
  c.workspace_size = 0;
  EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, run(c), "architecture 372 or newer, got 290");
  EXPECT_TRUE(c.areOutputsUntouched());
  size_t size = 0;
  EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH,
                   mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle_, c.desc("input"), &size),
                   "architecture 372 or newer, got 290");
}
