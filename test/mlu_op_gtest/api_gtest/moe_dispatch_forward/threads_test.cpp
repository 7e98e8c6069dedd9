/* SPDX-License-Identifier: MIT
 *
 * Four threads, each with a handle and a queue of its own, call mluOpMoeDispatchForward at the same
 * time.
 */
#include <thread>
#include <vector>

#include "util/api_tensor.h"
#include "util/log_capture.h"

namespace {
constexpr int kSamples = 37, kHidden = 129, kCapacity = 20, kExperts = 2, kRounds = 20;

template <typename T>
bool upload(const ApiTensor &tensor, const std::vector<T> &values) {
  return cnrtMemcpy(tensor.data(), (void *)values.data(), values.size() * sizeof(T),
                    cnrtMemcpyHostToDev) == cnrtSuccess;
}

/* Sample i goes to row i with the gate `number`. */
bool dispatchAndCompare(int number) {
  mluOpHandle_t handle = nullptr;
  cnrtQueue_t queue = nullptr;
  bool ok = mluOpCreate(&handle) == MLUOP_STATUS_SUCCESS &&
            cnrtQueueCreate(&queue) == cnrtSuccess &&
            mluOpSetQueue(handle, queue) == MLUOP_STATUS_SUCCESS;
  const ApiTensor gates(MLUOP_DTYPE_FLOAT, {kSamples}), indices(MLUOP_DTYPE_INT32, {kSamples});
  const ApiTensor locations(MLUOP_DTYPE_INT32, {kSamples});
  const ApiTensor input(MLUOP_DTYPE_FLOAT, {kSamples, kHidden});
  const ApiTensor dispatch(MLUOP_DTYPE_FLOAT, {kExperts * kCapacity, kHidden});
  std::vector<float> gate(kSamples, (float)number), row(kSamples * kHidden);
  std::vector<float> result(kSamples * kHidden);
  std::vector<int> expert(kSamples), slot(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    expert[i] = i / kCapacity;
    slot[i] = i % kCapacity;
  }
  for (size_t i = 0; i < row.size(); ++i) row[i] = (float)i + 0.5f;
  ok = ok && upload(gates, gate) && upload(indices, expert) && upload(locations, slot) &&
       upload(input, row);
  for (int round = 0; ok && round < kRounds; ++round) {
    ok = mluOpMoeDispatchForward(handle, gates.desc(), gates.data(), indices.desc(), indices.data(),
                                 locations.desc(), locations.data(), input.desc(), input.data(),
                                 kSamples, kCapacity, kHidden, kExperts, dispatch.desc(),
                                 dispatch.data()) == MLUOP_STATUS_SUCCESS &&
         cnrtQueueSync(queue) == cnrtSuccess &&
         cnrtMemcpy(result.data(), dispatch.data(), result.size() * sizeof(float),
                    cnrtMemcpyDevToHost) == cnrtSuccess;
    for (size_t i = 0; ok && i < result.size(); ++i) ok = result[i] == (float)number * row[i];
  }
  ok = cnrtQueueDestroy(queue) == cnrtSuccess && ok;
  return mluOpDestroy(handle) == MLUOP_STATUS_SUCCESS && ok;
}
}  // namespace

TEST(MoeDispatchForwardThreads, FourHandles) {
  std::vector<std::thread> threads;
  std::vector<char> results(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &results] { results[t] = dispatchAndCompare(t + 2); });
  }
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(results, std::vector<char>(4, 1));
}
