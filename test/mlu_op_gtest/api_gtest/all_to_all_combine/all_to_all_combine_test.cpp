/* SPDX-License-Identifier: MIT
 *
 * mluOpAllToAllCombine and its workspace query: every documented constraint, one wrong argument at
 * a time.
 */
#include "core/context.h"
#include "util/mesh_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kId = MLUOP_DTYPE_UINT16;
const std::vector<std::string> kTensors = {"input", "expert_metadata", "expert_mapping", "output"};

/* Batch 4, sequence 2, 3 ids, 6 experts on a mesh of 1 x 2, 5 elements. */
class AllToAllCombine : public MeshCallTest {
 protected:
  std::string name() const override { return "mluOpAllToAllCombine"; }

  ApiCall good() const override {
    ApiCall c;
    c.input("input", kFloat, {3, 4, 2, 5});
    c.input("expert_metadata", kId, {1, 4, 2, 3});
    c.input("expert_mapping", kId, {1, 1, 6, 2});
    c.output("output", kFloat, {3, 2, 2, 5});
    c.scalar = meshScalars(2);
    c.scalar["local_reduce"] = 0;
    return c;
  }

  /* The call of a single rank. */
  ApiCall alone() {
    comm_ = alone_;
    ApiCall c = good();
    c.scalar["mesh_cols"] = 1;
    c["input"].dims[0] = 6;
    c["expert_mapping"].dims[3] = 1;
    c["output"].dims[1] = 4;
    return c;
  }

  mluOpStatus_t ask(mluOpHandle_t handle, const ApiCall &c, size_t *size) override {
    return mluOpGetAllToAllCombineWorkspaceSize(
        handle, comm_, c.desc("input"), c.desc("expert_metadata"), c.desc("expert_mapping"),
        scalar(c, "local_reduce") != 0, scalar(c, "mesh_rows"), scalar(c, "mesh_cols"),
        scalar(c, "cluster_axis"), scalar(c, "shard_dim"), size);
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    workspace_ = std::make_unique<ApiTensor>(MLUOP_DTYPE_INT8, std::vector<int64_t>{1 << 16});
    const size_t size = c.workspace_size >= 0 ? (size_t)c.workspace_size : 1 << 16;
    return mluOpAllToAllCombine(
        handle, comm_, c.desc("input"), c.data("input"), c.desc("expert_metadata"),
        c.data("expert_metadata"), c.desc("expert_mapping"), c.data("expert_mapping"),
        scalar(c, "local_reduce") != 0, scalar(c, "mesh_rows"), scalar(c, "mesh_cols"),
        scalar(c, "cluster_axis"), scalar(c, "shard_dim"), scalar(c, "num_links"),
        (mluOpCommTopology_t)scalar(c, "topology"), c.has_workspace ? workspace_->data() : nullptr,
        size, c.desc("output"), c.data("output"));
  }
};
}  // namespace

TEST_F(AllToAllCombine, GoodCalls) {
  for (auto dtype : {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    for (auto integer : {kId, MLUOP_DTYPE_INT32}) {
      for (int axis : {0, 1}) {
        for (int shard_dim : {1, 2}) {
          ApiCall c = alone();
          c["input"].dtype = c["output"].dtype = dtype;
          c["expert_metadata"].dtype = c["expert_mapping"].dtype = integer;
          c.scalar["cluster_axis"] = axis;
          c.scalar["shard_dim"] = shard_dim;
          c.scalar["topology"] = axis == 0 ? (int)MLUOP_COMM_TOPOLOGY_AUTO : shard_dim - 1;
          c.scalar["num_links"] = shard_dim == 1 ? MLUOP_COMM_LINKS_AUTO : 2;
          EXPECT_SUCCESS(run(c));
          EXPECT_FALSE(c.areOutputsUntouched());
        }
      }
    }
  }
  ApiCall reduced = alone();
  reduced.scalar["local_reduce"] = 1;
  reduced["input"].dims[0] = 1;
  EXPECT_SUCCESS(run(reduced));
  EXPECT_FALSE(reduced.areOutputsUntouched());
}

TEST_F(AllToAllCombine, NothingToDo) {
  for (int axis : {1, 2}) {
    ApiCall c = alone();
    c["input"].dims[axis] = c["expert_metadata"].dims[axis] = c["output"].dims[axis] = 0;
    c.null_data = "output";
    EXPECT_SUCCESS(run(c));
  }
  ApiCall no_ids = alone(), no_hidden = alone();
  no_ids["expert_metadata"].dims[3] = no_ids["output"].dims[0] = 0;
  no_hidden["input"].dims[3] = no_hidden["output"].dims[3] = 0;
  EXPECT_SUCCESS(run(no_ids));
  EXPECT_SUCCESS(run(no_hidden));
  comm_ = pair_[0];
  expectEmptyChecked([](ApiCall &c) {
    c["input"].dims[1] = c["expert_metadata"].dims[1] = c["output"].dims[1] = 0;
  });
}

TEST_F(AllToAllCombine, Needed) {
  expectNeeded(kTensors);
}
TEST_F(AllToAllCombine, Layouts) {
  expectLayouts(kTensors);
}
TEST_F(AllToAllCombine, Comm) {
  expectComm();
}
TEST_F(AllToAllCombine, State) {
  ApiCall group = alone(), elsewhere = alone(), captured = alone(), broken = good();
  expectGroupRefused(group);
  expectOtherQueueRefused(elsewhere);
  expectCaptureRefused(captured);
  expectBrokenCommRefused(broken);
}
TEST_F(AllToAllCombine, Handle) {
  expectHandle();
}
TEST_F(AllToAllCombine, Scalars) {
  expectScalarsChecked("output_shard_dim: wanted 1 or 2, got");
}
TEST_F(AllToAllCombine, Mapping) {
  expectMappingChecked();
}

TEST_F(AllToAllCombine, DataTypes) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {spoilDtype("input", MLUOP_DTYPE_INT32, "input_desc: wanted data type"),
       spoilDtype("input", MLUOP_DTYPE_DOUBLE, "input_desc: wanted data type"),
       spoilDtype("expert_metadata", MLUOP_DTYPE_INT16, "expert_metadata_desc: wanted data type"),
       spoilDtype("expert_metadata", kFloat, "expert_metadata_desc: wanted data type"),
       spoilDtype("output", MLUOP_DTYPE_HALF, "output_desc: wanted")});
}

TEST_F(AllToAllCombine, Dimensions) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {spoilDim("expert_metadata", 0, 2, "expert_metadata_desc: wanted dims[0] 1"),
                 spoilDim("input", 0, 2, "input_desc: wanted dims[0] 3"),
                 spoilDim("input", 1, 5, "input_desc: wanted dims[1] 4"),
                 spoilDim("input", 2, 3, "input_desc: wanted dims[2] 2"),
                 {[](ApiCall &c) { c.scalar["local_reduce"] = 1; }, "input_desc: wanted dims[0] 1"},
                 {[](ApiCall &c) { c["input"].dims[1] = c["expert_metadata"].dims[1] = 5; },
                  "expert_metadata_desc: wanted dims[1] a multiple of 2"},
                 {[](ApiCall &c) {
                    c.scalar["shard_dim"] = 2;
                    c["input"].dims[2] = c["expert_metadata"].dims[2] = 3;
                  },
                  "expert_metadata_desc: wanted dims[2] a multiple of 2"},
                 spoilDim("output", 0, 4, "output_desc: wanted dims[0] 3"),
                 spoilDim("output", 1, 4, "output_desc: wanted dims[1] 2"),
                 spoilDim("output", 2, 1, "output_desc: wanted dims[2] 2"),
                 spoilDim("output", 3, 6, "output_desc: wanted dims[3] 5"),
                 {[](ApiCall &c) { c.scalar["shard_dim"] = 2; }, "output_desc: wanted dims[1] 4"}});
}

TEST_F(AllToAllCombine, Limits) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](ApiCall &c) { c["expert_metadata"].dims[3] = c["output"].dims[0] = 4097; },
                  "ids of a token: wanted at most 4096, got 4097"},
                 {[](ApiCall &c) {
                    c["expert_mapping"].dims[2] = 32768;
                    c["input"].dims[0] = 16384;
                  },
                  "experts times ranks along cluster_axis: wanted at most 65535, got 65536"},
                 {[](ApiCall &c) {
                    c["input"].dims[1] = c["expert_metadata"].dims[1] = int64_t{1} << 30;
                    c["output"].dims[1] = int64_t{1} << 29;
                  },
                  "tokens times ids of a token: wanted at most 2147483647"}});
  ApiCall c = good();
  c["input"].dims[0] = 1;
  c["expert_metadata"].dims[1] = c["input"].dims[1] = c["output"].dims[1] = 4;
  expectManyRanksRefused(c);
}

TEST_F(AllToAllCombine, Memory) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.workspace_size = 8; }, "workspace_size: wanted at least"},
                 {[](ApiCall &c) { c.has_workspace = false; }, "workspace: wanted not NULL"},
                 {[](ApiCall &c) {
                    c.same_memory[0] = "output";
                    c.same_memory[1] = "input";
                  },
                  "output: wanted memory that does not overlap"}});
}

TEST_F(AllToAllCombine, WorkspaceSize) {
  expectQuery("mluOpGetAllToAllCombineWorkspaceSize", "expert_metadata");
}
