/* SPDX-License-Identifier: MIT
 *
 * mluOpAllToAllDispatch and its workspace query: every documented constraint, one wrong argument at
 * a time.
 */
#include "core/context.h"
#include "util/mesh_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kId = MLUOP_DTYPE_UINT16;
const std::vector<std::string> kTensors = {"input", "expert_indices", "expert_mapping", "output",
                                           "metadata"};

/* Batch 2 of 4, sequence 3, 2 ids, 6 experts on a mesh of 1 x 2, 5 elements. */
class AllToAllDispatch : public MeshCallTest {
 protected:
  std::string name() const override { return "mluOpAllToAllDispatch"; }

  ApiCall good() const override {
    ApiCall c;
    c.input("input", kFloat, {2, 1, 3, 5});
    c.input("expert_indices", kId, {2, 1, 3, 2});
    c.input("expert_mapping", kId, {1, 1, 6, 2});
    c.output("output", kFloat, {1, 4, 3, 5});
    c.output("metadata", kId, {1, 4, 3, 2});
    c.scalar = meshScalars(2);
    return c;
  }

  /* The call of a single rank. */
  ApiCall alone() {
    comm_ = alone_;
    ApiCall c = good();
    c.scalar["mesh_cols"] = 1;
    c["expert_mapping"].dims[3] = 1;
    c["output"].dims[1] = c["metadata"].dims[1] = 2;
    return c;
  }

  mluOpStatus_t ask(mluOpHandle_t handle, const ApiCall &c, size_t *size) override {
    return mluOpGetAllToAllDispatchWorkspaceSize(
        handle, comm_, c.desc("input"), c.desc("expert_indices"), c.desc("expert_mapping"),
        scalar(c, "mesh_rows"), scalar(c, "mesh_cols"), scalar(c, "cluster_axis"),
        scalar(c, "shard_dim"), size);
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    workspace_ = std::make_unique<ApiTensor>(MLUOP_DTYPE_INT8, std::vector<int64_t>{1 << 16});
    const size_t size = c.workspace_size >= 0 ? (size_t)c.workspace_size : 1 << 16;
    return mluOpAllToAllDispatch(
        handle, comm_, c.desc("input"), c.data("input"), c.desc("expert_indices"),
        c.data("expert_indices"), c.desc("expert_mapping"), c.data("expert_mapping"),
        scalar(c, "mesh_rows"), scalar(c, "mesh_cols"), scalar(c, "cluster_axis"),
        scalar(c, "shard_dim"), scalar(c, "num_links"), (mluOpCommTopology_t)scalar(c, "topology"),
        c.has_workspace ? workspace_->data() : nullptr, size, c.desc("output"), c.data("output"),
        c.desc("metadata"), c.data("metadata"));
  }
};
}  // namespace

TEST_F(AllToAllDispatch, GoodCalls) {
  for (auto dtype : {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    for (auto integer : {kId, MLUOP_DTYPE_INT32}) {
      for (int concat_dim : {1, 2}) {
        ApiCall c = alone();
        c["input"].dtype = c["output"].dtype = dtype;
        c["expert_indices"].dtype = c["metadata"].dtype = integer;
        c["expert_mapping"].dtype = integer;
        c.scalar["shard_dim"] = concat_dim;
        EXPECT_SUCCESS(run(c));
        EXPECT_FALSE(c.areOutputsUntouched());
      }
    }
  }
}

TEST_F(AllToAllDispatch, NothingToDo) {
  for (int axis : {0, 2}) {
    ApiCall c = alone();
    c["input"].dims[axis] = c["expert_indices"].dims[axis] = 0;
    c["output"].dims[axis == 0 ? 1 : 2] = c["metadata"].dims[axis == 0 ? 1 : 2] = 0;
    c.null_data = "output";
    EXPECT_SUCCESS(run(c));
  }
  comm_ = pair_[0];
  expectEmptyChecked([](ApiCall &c) {
    c["input"].dims[0] = c["expert_indices"].dims[0] = 0;
    c["output"].dims[1] = c["metadata"].dims[1] = 0;
  });
}

TEST_F(AllToAllDispatch, Needed) {
  expectNeeded(kTensors);
}
TEST_F(AllToAllDispatch, Layouts) {
  expectLayouts(kTensors);
}
TEST_F(AllToAllDispatch, Comm) {
  expectComm();
}
TEST_F(AllToAllDispatch, State) {
  ApiCall group = alone(), elsewhere = alone(), captured = alone(), broken = good();
  expectGroupRefused(group);
  expectOtherQueueRefused(elsewhere);
  expectCaptureRefused(captured);
  expectBrokenCommRefused(broken);
}
TEST_F(AllToAllDispatch, Handle) {
  expectHandle();
}
TEST_F(AllToAllDispatch, Scalars) {
  expectScalarsChecked("output_concat_dim: wanted 1 or 2, got");
}
TEST_F(AllToAllDispatch, Mapping) {
  expectMappingChecked();
}

TEST_F(AllToAllDispatch, DataTypes) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {spoilDtype("input", MLUOP_DTYPE_INT32, "input_desc: wanted data type"),
       spoilDtype("expert_indices", MLUOP_DTYPE_INT64, "expert_indices_desc: wanted data type"),
       spoilDtype("output", MLUOP_DTYPE_HALF, "output_desc: wanted"),
       spoilDtype("metadata", MLUOP_DTYPE_INT32, "metadata_desc: wanted")});
}

TEST_F(AllToAllDispatch, Dimensions) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {spoilDim("input", 1, 2, "input_desc: wanted dims[1] 1"),
                 spoilDim("expert_indices", 0, 3, "expert_indices_desc: wanted dims[0] 2"),
                 spoilDim("expert_indices", 1, 2, "expert_indices_desc: wanted dims[1] 1"),
                 spoilDim("expert_indices", 2, 4, "expert_indices_desc: wanted dims[2] 3"),
                 spoilDim("output", 0, 2, "output_desc: wanted dims[0] 1"),
                 spoilDim("output", 1, 2, "output_desc: wanted dims[1] 4"),
                 spoilDim("output", 2, 6, "output_desc: wanted dims[2] 3"),
                 spoilDim("output", 3, 6, "output_desc: wanted dims[3] 5"),
                 spoilDim("metadata", 0, 2, "metadata_desc: wanted dims[0] 1"),
                 spoilDim("metadata", 1, 2, "metadata_desc: wanted dims[1] 4"),
                 spoilDim("metadata", 2, 4, "metadata_desc: wanted dims[2] 3"),
                 spoilDim("metadata", 3, 3, "metadata_desc: wanted dims[3] 2"),
                 {[](ApiCall &c) { c.scalar["shard_dim"] = 2; }, "output_desc: wanted dims[1] 2"}});
}

TEST_F(AllToAllDispatch, Limits) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](ApiCall &c) { c["expert_indices"].dims[3] = c["metadata"].dims[3] = 4097; },
                  "ids of a token: wanted at most 4096, got 4097"},
                 {[](ApiCall &c) { c["expert_mapping"].dims[2] = 32768; },
                  "experts times ranks along cluster_axis: wanted at most 65535, got 65536"},
                 {[](ApiCall &c) {
                    c["input"].dims[0] = c["expert_indices"].dims[0] = int64_t{1} << 28;
                    c["output"].dims[1] = c["metadata"].dims[1] = int64_t{1} << 29;
                  },
                  "tokens times ids of a token: wanted at most 2147483647"}});
  ApiCall c = good();
  expectManyRanksRefused(c);
}

/* So many ids on all ranks that their number would wrap to 0. */
TEST_F(AllToAllDispatch, CountlessTokens) {
  constexpr int kRanks = 8;
  const struct {
    int64_t batch;
    const char *refusal;
  } calls[] = {{int64_t{1} << 61, "batch: wanted at most 2147483647"},
               {int64_t{1} << 30, "tokens times ids of a token: wanted at most 2147483647"}};
  for (const auto &call : calls) {
    ApiCall c = good();
    c["input"].dtype = MLUOP_DTYPE_HALF;
    c["input"].dims = c["expert_indices"].dims = {call.batch, 1, 1, 1};
    c["expert_mapping"].dims = {1, 1, kRanks, kRanks};
    c.scalar["mesh_cols"] = kRanks;
    c.make();
    withRanks(kRanks, [&] {
      size_t size = 77;
      EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, ask(handle_, c, &size), call.refusal);
      EXPECT_EQ(size, 77u);
    });
  }
}

TEST_F(AllToAllDispatch, Memory) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.workspace_size = 8; }, "workspace_size: wanted at least"},
                 {[](ApiCall &c) { c.has_workspace = false; }, "workspace: wanted not NULL"},
                 {[](ApiCall &c) {
                    c.same_memory[0] = "output";
                    c.same_memory[1] = "input";
                  },
                  "output: wanted memory that does not overlap"},
                 {[](ApiCall &c) {
                    c.same_memory[0] = "metadata";
                    c.same_memory[1] = "expert_indices";
                  },
                  "metadata: wanted memory that does not overlap"}});
}

TEST_F(AllToAllDispatch, WorkspaceSize) {
  expectQuery("mluOpGetAllToAllDispatchWorkspaceSize", "expert_indices");
}
