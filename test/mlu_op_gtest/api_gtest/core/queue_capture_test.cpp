/* SPDX-License-Identifier: MIT
 *
 * Operators can be captured: recorded once, replayed with other data, they give what calls give.
 */
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "gather_in_ub/device_array.h"

namespace {
constexpr int kRows = 24, kHidden = 96, kExperts = 4, kCapacity = 10;
constexpr int kPages = 8, kPageRows = 4, kRounds = 3;
constexpr int kDrawn = 1, kVocab = 70000; /* tasks share the row */

std::vector<float> randomFloats(std::mt19937 &random, int64_t count, float low, float high) {
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> values((size_t)count);
  for (float &value : values) value = uniform(random);
  return values;
}

/* Rows to experts, rows from pages, tokens drawn: some calls of a step of decoding. */
class Step {
 public:
  explicit Step(mluOpHandle_t handle) : handle_(handle) {
    EXPECT_EQ(mluOpGetTopKTopPSampleWorkspaceSize(handle, logits_.desc(), &workspace_bytes_),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(cnrtMalloc(&workspace_, workspace_bytes_), cnrtSuccess);
  }
  ~Step() { EXPECT_EQ(cnrtFree(workspace_), cnrtSuccess); }
  Step(const Step &) = delete;
  Step &operator=(const Step &) = delete;

  void setInputs(std::mt19937 &random) {
    std::vector<int32_t> slot(kRows), k(kDrawn, 50);
    for (int i = 0; i < kRows; ++i) slot[i] = i % kCapacity;
    gates_.put(0, randomFloats(random, kRows, 0, 1));
    experts_.put(0, randomWords(random, kRows, 0, kExperts - 1));
    slots_.put(0, slot);
    input_.put(0, randomFloats(random, kRows * kHidden, -1, 1));
    pages_.put(0, randomFloats(random, kPages * kPageRows * kHidden, -1, 1));
    indices_.put(0, randomWords(random, kRows, 0, 3 * kPageRows - 1));
    table_.put(0, randomWords(random, 3, 0, kPages - 1));
    logits_.put(0, randomFloats(random, kDrawn * kVocab, -5, 5));
    top_k_.put(0, k);
    top_p_.put(0, randomFloats(random, kDrawn, 0.5f, 0.99f));
    noise_.put(0, randomFloats(random, kDrawn * kVocab, 0.1f, 3));
    EXPECT_EQ(cnrtMemset(dispatched_.data(), 0, sizeof(float) * kExperts * kCapacity * kHidden),
              cnrtSuccess);
    EXPECT_EQ(cnrtMemset(gathered_.data(), 0, sizeof(float) * kRows * kHidden), cnrtSuccess);
    EXPECT_EQ(cnrtMemset(tokens_.data(), 0xff, sizeof(int64_t) * kDrawn), cnrtSuccess);
  }

  void call() {
    EXPECT_EQ(mluOpMoeDispatchForward(handle_, gates_.desc(), gates_.data(), experts_.desc(),
                                      experts_.data(), slots_.desc(), slots_.data(), input_.desc(),
                                      input_.data(), kRows, kCapacity, kHidden, kExperts,
                                      dispatched_.desc(), dispatched_.data()),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpGatherInUb(handle_, pages_.desc(), pages_.data(), indices_.desc(),
                              indices_.data(), table_.desc(), table_.data(), kPageRows, -2,
                              gathered_.desc(), gathered_.data()),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpTopKTopPSample(handle_, logits_.desc(), logits_.data(), top_k_.desc(),
                                  top_k_.data(), top_p_.desc(), top_p_.data(), noise_.desc(),
                                  noise_.data(), 1e-8f, false, 32, workspace_, workspace_bytes_,
                                  tokens_.desc(), tokens_.data(), nullptr, nullptr),
              MLUOP_STATUS_SUCCESS);
  }

  std::vector<float> dispatched() const { return dispatched_.get(); }
  std::vector<float> gathered() const { return gathered_.get(); }
  std::vector<int64_t> tokens() const { return tokens_.get(); }

 private:
  static constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;
  mluOpHandle_t handle_;
  DeviceArray<float> gates_{kFloat, {kRows}}, input_{kFloat, {kRows, kHidden}};
  DeviceArray<int32_t> experts_{kInt, {kRows}}, slots_{kInt, {kRows}};
  DeviceArray<float> dispatched_{kFloat, {kExperts * kCapacity, kHidden}};
  DeviceArray<float> pages_{kFloat, {kPages * kPageRows, kHidden}};
  DeviceArray<int32_t> indices_{kInt, {1, kRows}}, table_{kInt, {1, 3}};
  DeviceArray<float> gathered_{kFloat, {kRows, kHidden}};
  DeviceArray<float> logits_{kFloat, {kDrawn, kVocab}}, noise_{kFloat, {kDrawn, kVocab}};
  DeviceArray<int32_t> top_k_{kInt, {kDrawn}};
  DeviceArray<float> top_p_{kFloat, {kDrawn}};
  DeviceArray<int64_t> tokens_{MLUOP_DTYPE_INT64, {kDrawn}};
  void *workspace_ = nullptr;
  size_t workspace_bytes_ = 0;
};
}  // namespace

TEST(QueueCapture, ReplaysOperators) {
  mluOpHandle_t handle = nullptr;
  cnrtQueue_t queue = nullptr;
  cnrtTaskTopo_t topo = nullptr;
  cnrtTaskTopoEntity_t entity = nullptr;
  ASSERT_EQ(mluOpCreate(&handle), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
  ASSERT_EQ(mluOpSetQueue(handle, queue), MLUOP_STATUS_SUCCESS);
  {
    Step step(handle), expected(handle);
    std::mt19937 random(1);
    step.setInputs(random);
    const std::vector<int64_t> untouched(kDrawn, -1);
    ASSERT_EQ(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeGlobal), cnrtSuccess);
    step.call();
    ASSERT_EQ(cnrtQueueEndCapture(queue, &topo), cnrtSuccess);
    EXPECT_EQ(cnrtQueueSync(queue), cnrtSuccess);
    EXPECT_EQ(step.tokens(), untouched);
    size_t nodes = 0;
    EXPECT_EQ(cnrtTaskTopoGetNodes(topo, nullptr, &nodes), cnrtSuccess);
    EXPECT_GE(nodes, 3u);
    ASSERT_EQ(cnrtTaskTopoInstantiate(&entity, topo, nullptr, nullptr, 0), cnrtSuccess);
    EXPECT_EQ(cnrtTaskTopoDestroy(topo), cnrtSuccess);
    for (unsigned round = 0; round < kRounds; ++round) {
      random.seed(round);
      step.setInputs(random);
      random.seed(round);
      expected.setInputs(random);
      EXPECT_EQ(cnrtTaskTopoEntityInvoke(entity, queue), cnrtSuccess);
      expected.call();
      EXPECT_EQ(cnrtQueueSync(queue), cnrtSuccess);
      EXPECT_EQ(step.dispatched(), expected.dispatched());
      EXPECT_EQ(step.gathered(), expected.gathered());
      EXPECT_EQ(step.tokens(), expected.tokens());
      EXPECT_NE(step.tokens(), untouched);
    }
  }
  EXPECT_EQ(cnrtTaskTopoEntityDestroy(entity), cnrtSuccess);
  EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
  EXPECT_EQ(mluOpDestroy(handle), MLUOP_STATUS_SUCCESS);
}
