/* SPDX-License-Identifier: MIT
 *
 * moe_dispatch_backward_data has the same bits for any number of tasks.
 */
#include "util/task_counts.h"

TEST(MoeDispatchBackwardDataTasks, SameBits) {
  const int samples = 2501, hidden = 301, experts = 5, capacity = 400;
  TaskTensor gates(MLUOP_DTYPE_FLOAT, {samples});
  TaskTensor indices(MLUOP_DTYPE_INT32, {samples}), locations(MLUOP_DTYPE_INT32, {samples});
  TaskTensor dispatch(MLUOP_DTYPE_FLOAT, {experts * capacity, hidden});
  TaskTensor grad_input(MLUOP_DTYPE_FLOAT, {samples, hidden});
  gates.fillFloats(1);
  indices.fill<int32_t>([](int64_t i) { return (int32_t)(i % 7 - 1); });
  locations.fill<int32_t>([](int64_t i) { return (int32_t)(i * 13 % 403 - 1); });
  dispatch.fillFloats(2);
  expectSameBits({&grad_input}, [&](mluOpHandle_t handle) {
    return mluOpMoeDispatchBackwardData(handle, gates.desc(), gates.data(), indices.desc(),
                                        indices.data(), locations.desc(), locations.data(),
                                        dispatch.desc(), dispatch.data(), samples, capacity, hidden,
                                        experts, grad_input.desc(), grad_input.data());
  });
}
