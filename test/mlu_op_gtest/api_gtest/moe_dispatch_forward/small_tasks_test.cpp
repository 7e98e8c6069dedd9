/* SPDX-License-Identifier: MIT
 *
 * The variant "small_tasks" of mluOpMoeDispatchForward keeps hints in a table that all calls share.
 * Results must not depend on what other calls left there, concurrently or thousands of calls ago.
 */
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "core/variant.h"
#include "util/api_tensor.h"

namespace {
constexpr int kSamples = 40, kExperts = 2, kCapacity = 8, kHidden = 3;
constexpr int kRows = kExperts * kCapacity;

/* Index of the variant in the operator's table, plus 1. */
int placeOf(const mluopVariantTable *table, const std::string &name) {
  for (int i = 0; i < table->count; ++i) {
    if (table->variants[i].name == name) return i + 1;
  }
  return 0;
}

struct Calls {
  mluOpHandle_t handle = nullptr;
  cnrtQueue_t queue = nullptr;
  ApiTensor gates{MLUOP_DTYPE_FLOAT, {kSamples}}, indices{MLUOP_DTYPE_INT32, {kSamples}};
  ApiTensor locations{MLUOP_DTYPE_INT32, {kSamples}};
  ApiTensor input{MLUOP_DTYPE_FLOAT, {kSamples, kHidden}};
  ApiTensor dispatch{MLUOP_DTYPE_FLOAT, {kRows, kHidden}};
  std::vector<int> expert = std::vector<int>(kSamples), slot = std::vector<int>(kSamples);
  std::vector<float> rows = std::vector<float>(kRows * kHidden, 0.0f);
  std::mt19937 random;

  explicit Calls(unsigned seed) : random(seed) {
    EXPECT_EQ(mluOpCreate(&handle), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
    EXPECT_EQ(mluOpSetQueue(handle, queue), MLUOP_STATUS_SUCCESS);
    upload(gates, std::vector<float>(kSamples, 1.0f));
    upload(dispatch, rows);
  }
  ~Calls() {
    EXPECT_EQ(mluOpDestroy(handle), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
  }

  template <typename T>
  static void upload(const ApiTensor &tensor, const std::vector<T> &values) {
    EXPECT_EQ(cnrtMemcpy(tensor.data(), (void *)values.data(), values.size() * sizeof(T),
                         cnrtMemcpyHostToDev),
              cnrtSuccess);
  }

  mluOpStatus_t call() {
    return mluOpMoeDispatchForward(handle, gates.desc(), gates.data(), indices.desc(),
                                   indices.data(), locations.desc(), locations.data(), input.desc(),
                                   input.data(), kSamples, kCapacity, kHidden, kExperts,
                                   dispatch.desc(), dispatch.data());
  }

  /* One call with random destinations, some none; false if a row is not that of its last sample. */
  bool isRight(int number) {
    std::vector<float> sent(kSamples * kHidden);
    for (int i = 0; i < kSamples; ++i) {
      expert[i] = (int)(random() % (kExperts + 1));
      slot[i] = (int)(random() % kCapacity);
      for (int k = 0; k < kHidden; ++k) sent[i * kHidden + k] = (float)(number * kSamples + i);
      if (expert[i] == kExperts) continue;
      for (int k = 0; k < kHidden; ++k) {
        rows[(expert[i] * kCapacity + slot[i]) * kHidden + k] = sent[i * kHidden + k];
      }
    }
    upload(indices, expert);
    upload(locations, slot);
    upload(input, sent);
    std::vector<float> got(rows.size());
    return call() == MLUOP_STATUS_SUCCESS && cnrtQueueSync(queue) == cnrtSuccess &&
           cnrtMemcpy(got.data(), dispatch.data(), got.size() * sizeof(float),
                      cnrtMemcpyDevToHost) == cnrtSuccess &&
           got == rows;
  }

  int wrongCalls(int calls) {
    int wrong = 0;
    EXPECT_TRUE(isRight(0));
    handle->variant.forced = placeOf(handle->variant.table, "small_tasks");
    EXPECT_GT(handle->variant.forced, 0);
    for (int i = 1; i <= calls; ++i) wrong += !isRight(i);
    return wrong;
  }
};
}  // namespace

/* Call numbers wrap around after 2047. */
TEST(MoeDispatchForwardSmallTasks, ManyCalls) {
  Calls calls(1);
  EXPECT_EQ(calls.wrongCalls(4200), 0);
}

TEST(MoeDispatchForwardSmallTasks, CallsAtTheSameTime) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, -1);
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([i, &wrong] { wrong[i] = Calls(i + 10).wrongCalls(300); });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}
