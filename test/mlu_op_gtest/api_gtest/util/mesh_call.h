/* SPDX-License-Identifier: MIT
 *
 * Argument tests of operators on several devices. Wrong calls are made by rank 0 of two, and are
 * refused before anything is exchanged. Good calls are made by a single rank.
 */
#ifndef API_GTEST_UTIL_MESH_CALL_H_
#define API_GTEST_UTIL_MESH_CALL_H_

#include "mlu_op_comm.h"
#include "util/api_call.h"

class MeshCallTest : public ApiCallTest {
 protected:
  void SetUp() override {
    ApiCallTest::SetUp();
    const int devices[2] = {0, 1};
    ASSERT_EQ(cnclInitComms(pair_, 2, devices, nullptr, 2, nullptr), CNCL_RET_SUCCESS);
    ASSERT_EQ(cnclInitComms(&alone_, 1, devices, nullptr, 1, nullptr), CNCL_RET_SUCCESS);
    comm_ = pair_[0];
  }
  void TearDown() override {
    EXPECT_EQ(cnclDestroyComms(pair_, 2), CNCL_RET_SUCCESS);
    EXPECT_EQ(cnclDestroyComms(&alone_, 1), CNCL_RET_SUCCESS);
    ApiCallTest::TearDown();
  }

  /* Scalars that both operators have; shard_dim is the name of each one's fourth scalar. */
  static std::map<std::string, int64_t> meshScalars(int64_t cols) {
    return {{"mesh_rows", 1}, {"mesh_cols", cols}, {"cluster_axis", 1},
            {"shard_dim", 1}, {"num_links", 1},    {"topology", 0}};
  }
  static int scalar(const ApiCall &c, const char *name) { return (int)c.scalar.at(name); }

  static Row spoilScalar(const char *name, int64_t value, const char *text) {
    return {[=](ApiCall &c) { c.scalar[name] = value; }, text};
  }
  static Row spoilDim(const char *tensor, size_t axis, int64_t value, const char *text) {
    return {[=](ApiCall &c) { c[tensor].dims[axis] = value; }, text};
  }
  static Row spoilDtype(const char *tensor, mluOpDataType_t dtype, const char *text) {
    return {[=](ApiCall &c) { c[tensor].dtype = dtype; }, text};
  }

  void expectScalarsChecked(const char *shard_dim_text) {
    expectRefused(
        MLUOP_STATUS_BAD_PARAM,
        {spoilScalar("mesh_rows", 0, "mesh_rows: wanted 1 or more, got 0"),
         spoilScalar("mesh_rows", -1, "mesh_rows: wanted 1 or more, got -1"),
         spoilScalar("mesh_cols", 0, "mesh_cols: wanted 1 or more, got 0"),
         spoilScalar("mesh_cols", -2, "mesh_cols: wanted 1 or more, got -2"),
         spoilScalar("mesh_rows", 2, "mesh_rows * mesh_cols: wanted 2"),
         spoilScalar("cluster_axis", 2, "cluster_axis: wanted 0 or 1, got 2"),
         spoilScalar("cluster_axis", -1, "cluster_axis: wanted 0 or 1, got -1"),
         spoilScalar("shard_dim", 0, shard_dim_text), spoilScalar("shard_dim", 3, shard_dim_text),
         spoilScalar("num_links", -1,
                     "num_links: wanted 1 or more, or MLUOP_COMM_LINKS_AUTO, got -1"),
         spoilScalar("topology", 3, "topology: wanted a value of")});
  }

  void expectMappingChecked() {
    expectRefused(
        MLUOP_STATUS_BAD_PARAM,
        {spoilDim("expert_mapping", 0, 2, "expert_mapping_desc: wanted dims[0] 1"),
         spoilDim("expert_mapping", 1, 2, "expert_mapping_desc: wanted dims[1] 1"),
         spoilDim("expert_mapping", 3, 3, "expert_mapping_desc: wanted dims[3] 2"),
         spoilDim("expert_mapping", 2, 5, "expert_mapping_desc: wanted dims[2] a multiple of 2")});
    expectRefused(MLUOP_STATUS_BAD_PARAM,
                  {spoilDtype("expert_mapping", MLUOP_DTYPE_FLOAT, "expert_mapping_desc: wanted"),
                   spoilDtype("expert_mapping", MLUOP_DTYPE_INT64, "expert_mapping_desc: wanted")});
  }

  /* One dimension more, one less, and memory with gaps. */
  void expectLayouts(const std::vector<std::string> &names) {
    for (const std::string &argument : names) {
      ApiCall more = good(), less = good(), strided = good();
      more[argument].dims.push_back(1);
      EXPECT_BAD_PARAM(run(more), "[" + name() + "] " + argument + "_desc: wanted 4 dimensions");
      EXPECT_TRUE(more.areOutputsUntouched()) << argument;
      less[argument].dims.pop_back();
      EXPECT_BAD_PARAM(run(less), "[" + name() + "] " + argument + "_desc: wanted 4 dimensions");
      EXPECT_TRUE(less.areOutputsUntouched()) << argument;
      const std::vector<int64_t> &dims = strided[argument].dims;
      const int64_t row = dims[3] + 1;
      strided[argument].strides = {dims[1] * dims[2] * row, dims[2] * row, row, 1};
      EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(strided),
                       "[" + name() + "] " + argument + "_desc: wanted");
      EXPECT_TRUE(strided.areOutputsUntouched()) << argument;
    }
  }

  void expectComm() {
    comm_ = nullptr;
    ApiCall none = good(), wrong = good();
    EXPECT_BAD_PARAM(run(none), "[" + name() + "] comm: wanted not NULL");
    comm_ = (cnclComm_t)&wrong;
    EXPECT_BAD_PARAM(run(wrong), "[" + name() + "] comm: wanted a communicator");
    comm_ = pair_[1];
    ApiCall elsewhere = good();
    EXPECT_BAD_PARAM(run(elsewhere), "[" + name() +
                                         "] handle: wanted one of device 1, the device of comm, "
                                         "got one of device 0");
    EXPECT_TRUE(elsewhere.areOutputsUntouched());
    comm_ = pair_[0];
  }

  /* Calls that CNCL would refuse halfway are refused before anything is enqueued. */
  void expectStateRefused(ApiCall &c, mluOpStatus_t status, const std::string &text) {
    EXPECT_ONE_ERROR(status, run(c), "[" + name() + "] " + text);
    EXPECT_TRUE(c.areOutputsUntouched()) << text;
    EXPECT_TRUE(workspace_->isUntouched()) << text;
  }

  void expectGroupRefused(ApiCall &c) {
    ASSERT_EQ(cnclGroupStart(), CNCL_RET_SUCCESS);
    expectStateRefused(c, MLUOP_STATUS_NOT_SUPPORTED,
                       "comm: wanted a call outside of cnclGroupStart and cnclGroupEnd");
    EXPECT_EQ(cnclGroupEnd(), CNCL_RET_SUCCESS);
    EXPECT_SUCCESS(run(c));
  }

  void expectOtherQueueRefused(ApiCall &c) {
    cnrtQueue_t queue = nullptr;
    ASSERT_EQ(cnrtSetDevice(1), cnrtSuccess);
    ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
    ASSERT_EQ(cnrtSetDevice(0), cnrtSuccess);
    EXPECT_EQ(mluOpSetQueue(handle_, queue), MLUOP_STATUS_BAD_PARAM);
    EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
    ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
    ASSERT_EQ(mluOpSetQueue(handle_, queue), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
    expectStateRefused(c, MLUOP_STATUS_BAD_PARAM, "queue of handle: wanted a queue, got");
    ASSERT_EQ(mluOpSetQueue(handle_, nullptr), MLUOP_STATUS_SUCCESS);
    EXPECT_SUCCESS(run(c));
  }

  void expectCaptureRefused(ApiCall &c) {
    cnrtQueue_t queue = nullptr;
    cnrtTaskTopo_t topo = nullptr;
    ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
    ASSERT_EQ(mluOpSetQueue(handle_, queue), MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeRelaxed), cnrtSuccess);
    expectStateRefused(c, MLUOP_STATUS_NOT_SUPPORTED,
                       "queue of handle: wanted one that is not captured");
    EXPECT_EQ(cnrtQueueEndCapture(queue, &topo), cnrtErrorQueueCaptureInvalidated);
    EXPECT_EQ(topo, nullptr);
    EXPECT_SUCCESS(run(c));
    EXPECT_EQ(cnrtQueueSync(queue), cnrtSuccess);
    EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
    ASSERT_EQ(mluOpSetQueue(handle_, nullptr), MLUOP_STATUS_SUCCESS);
  }

  void expectBrokenCommRefused(ApiCall &c) {
    const int devices[2] = {0, 1};
    cnclComm_t comms[2] = {nullptr, nullptr};
    ASSERT_EQ(cnclInitComms(comms, 2, devices, nullptr, 2, nullptr), CNCL_RET_SUCCESS);
    ASSERT_EQ(cnclAbortComm(comms[1]), CNCL_RET_SUCCESS);
    comm_ = comms[0];
    expectStateRefused(c, MLUOP_STATUS_EXECUTION_FAILED,
                       "comm: wanted one that works, got one that failed before");
    EXPECT_EQ(cnclFreeComm(comms[0]), CNCL_RET_SUCCESS);
    comm_ = pair_[0];
  }

  void expectHandle() {
    ApiCall no_handle = good(), old = good();
    no_handle.has_handle = false;
    EXPECT_BAD_PARAM(run(no_handle), "[" + name() + "] handle: wanted not NULL");
    handle_->arch = MLUOP_MLU290;
    EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, run(old), "architecture 372 or newer, got 290");
    ApiCall half = good();
    half["input"].dtype = half["output"].dtype = MLUOP_DTYPE_BFLOAT16;
    handle_->arch = MLUOP_MLU370;
    EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(half),
                     "[" + name() + "] input_desc: wanted another data type than DTYPE_BFLOAT16");
  }

  /* Runs `test` with the first communicator of `ranks` ranks, all on one device. */
  void withRanks(int ranks, const std::function<void()> &test) {
    std::vector<cnclComm_t> comms((size_t)ranks);
    const std::vector<int> devices((size_t)ranks, 0);
    ASSERT_EQ(cnclInitComms(comms.data(), ranks, devices.data(), nullptr, ranks, nullptr),
              CNCL_RET_SUCCESS);
    comm_ = comms[0];
    test();
    EXPECT_EQ(cnclDestroyComms(comms.data(), ranks), CNCL_RET_SUCCESS);
    comm_ = pair_[0];
  }

  /* More ranks than a call supports. */
  void expectManyRanksRefused(ApiCall &c) {
    constexpr int kRanks = 1025;
    c.scalar["mesh_rows"] = kRanks;
    c.scalar["mesh_cols"] = 1;
    c["expert_mapping"].dims = {1, 1, kRanks, kRanks};
    withRanks(kRanks, [&] {
      EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(c),
                       "[" + name() + "] ranks of comm: wanted at most 1024, got 1025");
    });
  }

  /* The workspace query of the operator. */
  virtual mluOpStatus_t ask(mluOpHandle_t handle, const ApiCall &c, size_t *size) = 0;

  void expectQuery(const std::string &query, const std::string &ids) {
    const std::string api = "[" + query + "] ";
    size_t size = 0;
    ApiCall c = good();
    c.make();
    EXPECT_SUCCESS(ask(handle_, c, &size));
    EXPECT_GT(size, 0u);
    EXPECT_BAD_PARAM(ask(nullptr, c, &size), api + "handle: wanted not NULL");
    EXPECT_BAD_PARAM(ask(handle_, c, nullptr), api + "workspace_size: wanted not NULL");
    for (const std::string &tensor : {std::string("input"), ids, std::string("expert_mapping")}) {
      ApiCall missing = good();
      missing.null_desc = tensor;
      missing.make();
      EXPECT_BAD_PARAM(ask(handle_, missing, &size), api + tensor + "_desc: wanted not NULL");
    }
    ApiCall axis = good(), sequence = good(), empty = good();
    axis.scalar["cluster_axis"] = 3;
    axis.make();
    EXPECT_BAD_PARAM(ask(handle_, axis, &size), api + "cluster_axis: wanted 0 or 1, got 3");
    sequence[ids].dims[2] = 7;
    sequence.make();
    size = 77;
    EXPECT_BAD_PARAM(ask(handle_, sequence, &size), api);
    expectLongRowsRefused(api, &size);
    EXPECT_EQ(size, 77u); /* unchanged */
    empty["input"].dims[2] = empty[ids].dims[2] = 0;
    empty.make();
    EXPECT_SUCCESS(ask(handle_, empty, &size));
    EXPECT_GT(size, 0u); /* the other rank must be informed */
    comm_ = alone_;
    empty.scalar["mesh_cols"] = 1;
    EXPECT_SUCCESS(ask(handle_, empty, &size));
    EXPECT_EQ(size, 0u);
    comm_ = pair_[0];
  }

  /* An empty tensor does not make a missing workspace or mismatched shapes acceptable. */
  void expectEmptyChecked(const std::function<void(ApiCall &)> &make_empty) {
    ApiCall no_workspace = good(), small = good(), other = good(), huge = good();
    for (ApiCall *c : {&no_workspace, &small, &other, &huge}) make_empty(*c);
    no_workspace.has_workspace = false;
    EXPECT_BAD_PARAM(run(no_workspace), "[" + name() + "] workspace: wanted not NULL");
    small.workspace_size = 8;
    EXPECT_BAD_PARAM(run(small), "[" + name() + "] workspace_size: wanted at least");
    other["output"].dims[3] += 1;
    EXPECT_BAD_PARAM(run(other), "[" + name() + "] output_desc: wanted dims[3] 5");
    huge["input"].dims[3] = huge["output"].dims[3] = INT64_MAX / 4;
    EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(huge),
                     "[" + name() + "] hidden: wanted at most");
  }

  /* Rows so long that the byte count of a message would overflow. */
  void expectLongRowsRefused(const std::string &api, size_t *size) {
    ApiCall c = good();
    std::vector<int64_t> &dims = c["input"].dims;
    dims[3] = (int64_t{1} << 60) / (dims[0] * dims[1] * dims[2]);
    c.make();
    EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, ask(handle_, c, size),
                     api + "bytes of a row: wanted at most");
  }

  std::unique_ptr<ApiTensor> workspace_; /* of the last call */
  cnclComm_t comm_ = nullptr, alone_ = nullptr, pair_[2] = {nullptr, nullptr};
};

#endif /* API_GTEST_UTIL_MESH_CALL_H_ */
