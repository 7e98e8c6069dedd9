/* SPDX-License-Identifier: MIT */
#include "core/context.h"

#include <thread>
#include <vector>

#include "util/log_capture.h"

namespace {
class Context : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS); }
  mluOpHandle_t handle_ = nullptr;
};

int attribute(cnrtDeviceAttr_t which) {
  int value = -1;
  EXPECT_EQ(cnrtDeviceGetAttribute(&value, which, 0), cnrtSuccess);
  return value;
}
}  // namespace

TEST_F(Context, TasksThatAreWorthStarting) {
  handle_->capability_cluster_num = 2;
  handle_->core_num_per_cluster = 4;
  EXPECT_EQ(mluop_context_tasks(handle_, 0, 100), 0u);
  EXPECT_EQ(mluop_context_tasks(handle_, 1, 100), 1u);
  EXPECT_EQ(mluop_context_tasks(handle_, 100, 100), 1u);
  EXPECT_EQ(mluop_context_tasks(handle_, 101, 100), 2u);
  EXPECT_EQ(mluop_context_tasks(handle_, 800, 100), 8u);
  EXPECT_EQ(mluop_context_tasks(handle_, 801, 100), 8u);
  EXPECT_EQ(mluop_context_tasks(handle_, SIZE_MAX, 100), 8u);
  EXPECT_EQ(mluop_context_task_dim(handle_, 800, 100, 9).x, 8u);
  EXPECT_EQ(mluop_context_task_dim(handle_, 800, 100, 3).x, 3u);
  EXPECT_EQ(mluop_context_task_dim(handle_, 0, 100, 9).x, 1u);
  EXPECT_EQ(mluop_context_task_dim(handle_, 800, 100, 0).x, 1u);
}

TEST(ContextNull, EveryFunctionNamesTheHandle) {
  cnrtQueue_t queue = nullptr;
  CNdev device = 0;
  CNctxConfigParam param;
  mluOpAtomicsMode_t atomics;
  mluOpQuantizeRoundMode_t round;
  EXPECT_BAD_PARAM(mluOpCreate(nullptr), "[mluOpCreate] handle: wanted not NULL, got NULL");
  EXPECT_BAD_PARAM(mluOpDestroy(nullptr), "[mluOpDestroy] handle");
  EXPECT_BAD_PARAM(mluOpUpdateContextInformation(nullptr), "handle");
  EXPECT_BAD_PARAM(mluOpSetQueue(nullptr, nullptr), "handle");
  EXPECT_BAD_PARAM(mluOpGetQueue(nullptr, &queue), "handle");
  EXPECT_BAD_PARAM(mluOpGetDevice(nullptr, &device), "handle");
  EXPECT_BAD_PARAM(mluOpGetContextParam(nullptr, CN_CTX_CONFIG_UNION_LIMIT, &param), "handle");
  EXPECT_BAD_PARAM(mluOpSetAtomicsMode(nullptr, MLUOP_ATOMICS_ALLOWED), "handle");
  EXPECT_BAD_PARAM(mluOpGetAtomicsMode(nullptr, &atomics), "handle");
  EXPECT_BAD_PARAM(mluOpSetQuantizeRoundMode(nullptr, MLUOP_ROUND_HALF_UP), "handle");
  EXPECT_BAD_PARAM(mluOpGetQuantizeRoundMode(nullptr, &round), "handle");
}

TEST_F(Context, EveryFunctionNamesTheMissingResult) {
  EXPECT_BAD_PARAM(mluOpGetQueue(handle_, nullptr), "queue");
  EXPECT_BAD_PARAM(mluOpGetDevice(handle_, nullptr), "device");
  EXPECT_BAD_PARAM(mluOpGetContextParam(handle_, CN_CTX_CONFIG_UNION_LIMIT, nullptr), "param");
  EXPECT_BAD_PARAM(mluOpGetAtomicsMode(handle_, nullptr), "atomics_mode");
  EXPECT_BAD_PARAM(mluOpGetQuantizeRoundMode(handle_, nullptr), "round_mode");
}

TEST_F(Context, KnowsTheDevice) {
  EXPECT_EQ(handle_->cluster_num, attribute(cnrtAttrClusterCount));
  EXPECT_EQ(handle_->core_num_per_cluster, attribute(cnrtAttrMcorePerCluster));
  EXPECT_EQ(handle_->nram_size, attribute(cnrtAttrNramSizePerMcore));
  EXPECT_EQ(handle_->wram_size, attribute(cnrtAttrWramSizePerMcore));
  EXPECT_EQ(handle_->sram_size, attribute(cnrtAttrSramSizePerMcore));
  EXPECT_GT(handle_->clock_rate, 0);
  EXPECT_GT(handle_->memory_band_width, 0);
  EXPECT_GE(handle_->arch, MLUOP_MLU370);
  EXPECT_STRNE(handle_->device_name, "");
  EXPECT_EQ(handle_->capability_cluster_num, handle_->cluster_num);
  EXPECT_EQ(mluop_context_core_num(handle_), handle_->cluster_num * handle_->core_num_per_cluster);
  const int most = handle_->capability_union_clusters;
  EXPECT_GE(most, (int)handle_->capability_job_limit / CN_KERNEL_CLASS_UNION);
  EXPECT_EQ(mluop_context_union_of(handle_, 1), 1);
  EXPECT_EQ(mluop_context_union_of(handle_, 100000), most);
  if (most > (int)handle_->capability_job_limit / CN_KERNEL_CLASS_UNION) {
    EXPECT_EQ(mluop_context_union_of(handle_, 3), 3);
  } else if (most >= 2) {
    EXPECT_EQ(mluop_context_union_of(handle_, 3), 2);
  }
  CNdev device = 99;
  EXPECT_SUCCESS(mluOpGetDevice(handle_, &device));
  EXPECT_EQ(device, 0u);
}

TEST_F(Context, QueueIsKept) {
  cnrtQueue_t queue = nullptr, got = nullptr;
  ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
  EXPECT_SUCCESS(mluOpGetQueue(handle_, &got));
  EXPECT_EQ(got, nullptr);
  EXPECT_SUCCESS(mluOpSetQueue(handle_, queue));
  EXPECT_SUCCESS(mluOpGetQueue(handle_, &got));
  EXPECT_EQ(got, queue);
  EXPECT_SUCCESS(mluOpUpdateContextInformation(handle_));
  EXPECT_SUCCESS(mluOpSetQueue(handle_, nullptr));
  EXPECT_SUCCESS(mluOpGetQueue(handle_, &got));
  EXPECT_EQ(got, nullptr);
  EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
}

TEST_F(Context, RefusesOtherQueues) {
  cnrtQueue_t queue = nullptr, got = nullptr;
  unsigned devices = 0;
  ASSERT_EQ(cnrtGetDeviceCount(&devices), cnrtSuccess);
  if (devices > 1) {
    ASSERT_EQ(cnrtSetDevice(1), cnrtSuccess);
    ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
    ASSERT_EQ(cnrtSetDevice(0), cnrtSuccess);
    EXPECT_BAD_PARAM(mluOpSetQueue(handle_, queue), "queue: wanted a queue of the handle's device");
    EXPECT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
  }
  ASSERT_EQ(cnrtQueueCreate(&queue), cnrtSuccess);
  ASSERT_EQ(cnrtQueueDestroy(queue), cnrtSuccess);
  EXPECT_BAD_PARAM(mluOpSetQueue(handle_, queue), "queue: wanted a queue that exists");
  EXPECT_SUCCESS(mluOpGetQueue(handle_, &got));
  EXPECT_EQ(got, nullptr);
  EXPECT_SUCCESS(mluOpSetQueue(handle_, cnrtQueuePerThread));
  int device = -1;
  EXPECT_EQ(cnrtGetDevice(&device), cnrtSuccess);
  EXPECT_EQ(device, 0);
}

TEST(ContextDestroyed, IsRefused) {
  mluOpHandle_t destroyed = nullptr, other = nullptr;
  cnrtQueue_t queue = nullptr;
  ASSERT_EQ(mluOpCreate(&destroyed), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpDestroy(destroyed), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpCreate(&other), MLUOP_STATUS_SUCCESS);
  EXPECT_BAD_PARAM(mluOpDestroy(destroyed),
                   "[mluOpDestroy] handle: wanted one that is not destroyed");
  EXPECT_BAD_PARAM(mluOpGetQueue(destroyed, &queue), "handle: wanted one that is not destroyed");
  EXPECT_BAD_PARAM(mluOpSetQueue(destroyed, nullptr), "handle: wanted one that is not destroyed");
  EXPECT_EQ(mluOpDestroy(other), MLUOP_STATUS_SUCCESS);
}

TEST_F(Context, AtomicsMode) {
  mluOpAtomicsMode_t mode;
  EXPECT_SUCCESS(mluOpGetAtomicsMode(handle_, &mode));
  EXPECT_EQ(mode, MLUOP_ATOMICS_NOT_ALLOWED);
  EXPECT_SUCCESS(mluOpSetAtomicsMode(handle_, MLUOP_ATOMICS_ALLOWED));
  for (int number : {-1, 0, 3}) {
    EXPECT_BAD_PARAM(mluOpSetAtomicsMode(handle_, (mluOpAtomicsMode_t)number), "atomics_mode");
  }
  EXPECT_SUCCESS(mluOpGetAtomicsMode(handle_, &mode));
  EXPECT_EQ(mode, MLUOP_ATOMICS_ALLOWED);
}

TEST_F(Context, RoundMode) {
  mluOpQuantizeRoundMode_t mode;
  EXPECT_SUCCESS(mluOpGetQuantizeRoundMode(handle_, &mode));
  EXPECT_EQ(mode, MLUOP_ROUND_HALF_TO_EVEN);
  for (auto wanted : {MLUOP_ROUND_HALF_UP, MLUOP_ROUND_HALF_OFF_ZERO, MLUOP_ROUND_HALF_TO_EVEN}) {
    EXPECT_SUCCESS(mluOpSetQuantizeRoundMode(handle_, wanted));
    EXPECT_SUCCESS(mluOpGetQuantizeRoundMode(handle_, &mode));
    EXPECT_EQ(mode, wanted);
  }
  for (int number : {-1, 3}) {
    EXPECT_BAD_PARAM(mluOpSetQuantizeRoundMode(handle_, (mluOpQuantizeRoundMode_t)number),
                     "round_mode");
  }
  EXPECT_EQ(handle_->round_mode, MLUOP_ROUND_HALF_TO_EVEN);
}

TEST_F(Context, FollowsTheDriverContextWhenAsked) {
  CNcontext context = nullptr;
  CNctxConfigParam before, limit, got;
  ASSERT_EQ(cnSharedContextAcquire(&context, 0), CN_SUCCESS);
  EXPECT_SUCCESS(mluOpGetContextParam(handle_, CN_CTX_CONFIG_VISIBLE_CLUSTER, &before));
  limit.visibleCluster = 1;
  ASSERT_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &limit), CN_SUCCESS);
  EXPECT_EQ(handle_->capability_cluster_num, handle_->cluster_num);
  EXPECT_SUCCESS(mluOpUpdateContextInformation(handle_));
  EXPECT_EQ(handle_->capability_cluster_num, 1);
  EXPECT_SUCCESS(mluOpGetContextParam(handle_, CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, &got));
  EXPECT_EQ(got.visibleClusterNumber, 1u);
  ASSERT_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &before), CN_SUCCESS);
  EXPECT_SUCCESS(mluOpUpdateContextInformation(handle_));
  EXPECT_EQ(handle_->capability_cluster_num, handle_->cluster_num);
  EXPECT_BAD_PARAM(mluOpGetContextParam(handle_, (CNctxConfigParamType)7, &got), "type");
}

TEST(ContextThreads, FourThreadsWithHandlesOfTheirOwn) {
  std::vector<std::thread> threads;
  std::vector<int> failures(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &failures] {
      for (int round = 0; round < 50; ++round) {
        mluOpHandle_t handle = nullptr;
        cnrtQueue_t queue = nullptr, got = nullptr;
        mluOpTensorDescriptor_t desc = nullptr;
        const int dims[] = {t + 1, round + 1};
        bool ok = mluOpCreate(&handle) == MLUOP_STATUS_SUCCESS &&
                  cnrtQueueCreate(&queue) == cnrtSuccess &&
                  mluOpSetQueue(handle, queue) == MLUOP_STATUS_SUCCESS &&
                  mluOpGetQueue(handle, &got) == MLUOP_STATUS_SUCCESS && got == queue &&
                  mluOpCreateTensorDescriptor(&desc) == MLUOP_STATUS_SUCCESS &&
                  mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 2, dims) ==
                      MLUOP_STATUS_SUCCESS &&
                  mluOpGetTensorElementNum(desc) == (size_t)((t + 1) * (round + 1));
        ok = mluOpDestroyTensorDescriptor(desc) == MLUOP_STATUS_SUCCESS && ok;
        ok = cnrtQueueDestroy(queue) == cnrtSuccess && ok;
        ok = mluOpDestroy(handle) == MLUOP_STATUS_SUCCESS && ok;
        failures[t] += !ok;
      }
    });
  }
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(failures, std::vector<int>(4, 0));
}
