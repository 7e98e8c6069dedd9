/* SPDX-License-Identifier: MIT
 *
 * The sum of moe_dispatch_backward_gate has the same bits for any number of tasks, whether they own
 * samples or share them.
 */
#include "util/task_counts.h"

namespace {
void checkGate(int samples, int hidden) {
  const int experts = 3, capacity = samples + 1;
  TaskTensor indices(MLUOP_DTYPE_INT32, {samples}), locations(MLUOP_DTYPE_INT32, {samples});
  TaskTensor input(MLUOP_DTYPE_FLOAT, {samples, hidden});
  TaskTensor dispatch(MLUOP_DTYPE_FLOAT, {experts * capacity, hidden});
  TaskTensor grad_gates(MLUOP_DTYPE_FLOAT, {samples});
  indices.fill<int32_t>([&](int64_t i) { return (int32_t)(i % (experts + 1)); });
  locations.fill<int32_t>([&](int64_t i) { return (int32_t)(i * 7 % (capacity + 1)); });
  input.fillFloats(1);
  dispatch.fillFloats(2);
  expectSameBits({&grad_gates}, [&](mluOpHandle_t handle) {
    size_t size = 0;
    EXPECT_EQ(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle, input.desc(), &size),
              MLUOP_STATUS_SUCCESS);
    UnalignedMemory workspace(size, 4);
    const mluOpStatus_t status = mluOpMoeDispatchBackwardGate(
        handle, indices.desc(), indices.data(), locations.desc(), locations.data(), input.desc(),
        input.data(), dispatch.desc(), dispatch.data(), samples, capacity, hidden, experts,
        workspace.data(), size, grad_gates.desc(), grad_gates.data());
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    EXPECT_TRUE(workspace.isFrameUntouched());
    return status;
  });
}
}  // namespace

TEST(MoeDispatchBackwardGateTasks, SameBits) {
  checkGate(1, 300001);
  checkGate(2, 70000);
  checkGate(3, 40000);
  checkGate(31, 5000);
  checkGate(32, 5000);
  checkGate(700, 1500);
  checkGate(5000, 130);
}
