/* SPDX-License-Identifier: MIT
 *
 * Operators can be captured: a replay with other data gives the same results as calls.
 */
#include <gtest/gtest.h>
#include <stdlib.h>

#include <random>
#include <string>
#include <vector>

#include "gather_in_ub/device_array.h"
#include "util/log_capture.h"
#include "util/temporary_folder.h"

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

/* Some calls of a decoding step: dispatch rows, gather rows from pages, sample tokens. */
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

class QueueCapture : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(cnrtQueueCreate(&queue_), cnrtSuccess);
    ASSERT_EQ(mluOpSetQueue(handle_, queue_), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cnrtQueueDestroy(queue_), cnrtSuccess);
    EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS);
  }

  /* Captures what `call` submits, ready to be replayed. */
  template <typename Call>
  cnrtTaskTopoEntity_t capture(const Call &call) {
    cnrtTaskTopo_t topo = nullptr;
    cnrtTaskTopoEntity_t entity = nullptr;
    EXPECT_EQ(cnrtQueueBeginCapture(queue_, cnrtQueueCaptureModeGlobal), cnrtSuccess);
    call();
    EXPECT_EQ(cnrtQueueEndCapture(queue_, &topo), cnrtSuccess);
    if (topo == nullptr) return nullptr;
    size_t nodes = 0;
    EXPECT_EQ(cnrtTaskTopoGetNodes(topo, nullptr, &nodes), cnrtSuccess);
    EXPECT_GE(nodes, 3u);
    EXPECT_EQ(cnrtTaskTopoInstantiate(&entity, topo, nullptr, nullptr, 0), cnrtSuccess);
    EXPECT_EQ(cnrtTaskTopoDestroy(topo), cnrtSuccess);
    return entity;
  }

  mluOpHandle_t handle_ = nullptr;
  cnrtQueue_t queue_ = nullptr;
};

/* Records calls in a folder during its lifetime. */
class Recording {
 public:
  explicit Recording(int mode) {
    EXPECT_EQ(mluOpSetGenCaseDirectory(folder_.path().c_str()), MLUOP_STATUS_SUCCESS);
    testing::internal::CaptureStdout();
    mluOpSetGenCaseMode(mode);
  }
  /* Returns the warnings. */
  std::vector<std::string> end() {
    mluOpSetGenCaseMode(0);
    EXPECT_EQ(mluOpSetGenCaseDirectory(""), MLUOP_STATUS_SUCCESS);
    std::vector<std::string> warnings;
    for (const std::string &line : splitLines(testing::internal::GetCapturedStdout()))
      if (line.find("[WARNING]") != std::string::npos)
        warnings.push_back(logMessage(line, "WARNING"));
    return warnings;
  }
  const TemporaryFolder &folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};
}  // namespace

TEST_F(QueueCapture, ReplaysOperators) {
  Step step(handle_), expected(handle_);
  std::mt19937 random(1);
  step.setInputs(random);
  const std::vector<int64_t> untouched(kDrawn, -1);
  const cnrtTaskTopoEntity_t entity = capture([&] { step.call(); });
  ASSERT_NE(entity, nullptr);
  EXPECT_EQ(cnrtQueueSync(queue_), cnrtSuccess);
  EXPECT_EQ(step.tokens(), untouched);
  for (unsigned round = 0; round < kRounds; ++round) {
    random.seed(round);
    step.setInputs(random);
    random.seed(round);
    expected.setInputs(random);
    EXPECT_EQ(cnrtTaskTopoEntityInvoke(entity, queue_), cnrtSuccess);
    expected.call();
    EXPECT_EQ(cnrtQueueSync(queue_), cnrtSuccess);
    EXPECT_EQ(step.dispatched(), expected.dispatched());
    EXPECT_EQ(step.gathered(), expected.gathered());
    EXPECT_EQ(step.tokens(), expected.tokens());
    EXPECT_NE(step.tokens(), untouched);
  }
  EXPECT_EQ(cnrtTaskTopoEntityDestroy(entity), cnrtSuccess);
}

/* A captured call is recorded as in mode 1, because waiting for its data would end the capture.
 * With MLUOP_GEN_CASE_DUMP_DATA_OUTPUT mode 1 also has data, which leads to a warning. */
TEST_F(QueueCapture, IsLeftAloneByRecording) {
  for (int mode = 1; mode <= 3; ++mode) {
    Step step(handle_);
    std::mt19937 random(1);
    step.setInputs(random);
    Recording recording(mode);
    const cnrtTaskTopoEntity_t entity = capture([&] { step.call(); });
    const std::vector<std::string> warnings = recording.end();
    ASSERT_NE(entity, nullptr) << mode;
    const bool has_data = mode == 2 || (mode == 1 && getenv("MLUOP_GEN_CASE_DUMP_DATA_OUTPUT"));
    EXPECT_EQ(warnings.size(), has_data ? 3u : 0u) << mode;
    for (const std::string &warning : warnings)
      EXPECT_NE(warning.find(" is captured: "), std::string::npos) << warning;
    const std::vector<std::string> files = recording.folder().files();
    EXPECT_EQ(files.size(), mode == 3 ? 0u : 3u) << mode;
    for (const std::string &file : files) {
      const std::string text = recording.folder().read(file);
      EXPECT_NE(text.find("random_data"), std::string::npos) << file;
      EXPECT_EQ(text.find("value_"), std::string::npos) << file;
      EXPECT_EQ(text.find("path:"), std::string::npos) << file;
    }
    EXPECT_EQ(cnrtTaskTopoEntityInvoke(entity, queue_), cnrtSuccess);
    EXPECT_EQ(cnrtQueueSync(queue_), cnrtSuccess);
    EXPECT_NE(step.tokens(), std::vector<int64_t>(kDrawn, -1));
    EXPECT_EQ(cnrtTaskTopoEntityDestroy(entity), cnrtSuccess);
  }
}

/* A call on an uncaptured queue is recorded with its data; other captures continue. */
TEST_F(QueueCapture, IsLeftAloneByRecordingBesideIt) {
  mluOpHandle_t beside = nullptr;
  ASSERT_EQ(mluOpCreate(&beside), MLUOP_STATUS_SUCCESS);
  {
    Step step(handle_), recorded(beside);
    std::mt19937 random(1);
    step.setInputs(random);
    recorded.setInputs(random);
    const cnrtTaskTopoEntity_t entity = capture([&] {
      step.call();
      Recording recording(2);
      recorded.call();
      EXPECT_EQ(recording.end(), std::vector<std::string>());
      int with_data = 0;
      for (const std::string &file : recording.folder().files())
        if (recording.folder().read(file).find("value_i") != std::string::npos) ++with_data;
      EXPECT_EQ(with_data, 3);
    });
    ASSERT_NE(entity, nullptr);
    EXPECT_EQ(cnrtTaskTopoEntityDestroy(entity), cnrtSuccess);
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
  }
  EXPECT_EQ(mluOpDestroy(beside), MLUOP_STATUS_SUCCESS);
}
