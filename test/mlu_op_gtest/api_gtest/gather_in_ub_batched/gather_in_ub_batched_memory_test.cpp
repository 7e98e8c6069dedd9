/* SPDX-License-Identifier: MIT
 *
 * mluOpGatherInUbBatched reads nothing outside of its tensors for any ids, tables, request ids and
 * counts.
 */
#include <cstring>

#include "gather_in_ub/device_array.h"
#include "test/common/paged_ref.h"

namespace {
class GatherInUbBatchedMemory : public DeviceTest {};
constexpr mluOpDataType_t kBytes = MLUOP_DTYPE_UINT8, kInt = MLUOP_DTYPE_INT32;
}  // namespace

/* Every tensor is whole pages with guard pages on both sides. */
TEST_F(GatherInUbBatchedMemory, RandomBitsStayInside) {
  std::mt19937 random(20260802);
  const int64_t queries = 1024, k = 16, requests = 8, entries = 128, hidden = 128, rows = 96;
  for (const int block_size : {1, 16, 96, 1 << 30}) {
    DeviceArray<uint8_t> param(kBytes, {rows, hidden}, randomBytes(random, rows * hidden));
    DeviceArray<uint8_t> output(kBytes, {queries, k, hidden});
    const int32_t last_id = (int32_t)std::min<int64_t>(entries * block_size, INT32_MAX) - 1;
    for (const bool is_tame : {false, true}) {
      const auto ids = is_tame ? randomWords(random, queries * k, -1, last_id)
                               : randomWords(random, queries * k);
      const auto blocks =
          is_tame ? randomWords(random, requests * entries, -1, (int32_t)(rows / block_size))
                  : randomWords(random, requests * entries);
      const auto ask = is_tame ? randomWords(random, queries, -1, 8) : randomWords(random, queries);
      const auto counts =
          is_tame ? randomWords(random, queries, -1, 17) : randomWords(random, queries);
      DeviceArray<int32_t> indices(kInt, {queries, k}, ids),
          table(kInt, {requests, entries}, blocks);
      DeviceArray<int32_t> request_ids(kInt, {queries}, ask), valid_counts(kInt, {queries}, counts);
      ASSERT_EQ(
          mluOpGatherInUbBatched(handle_, param.desc(), param.data(), indices.desc(),
                                 indices.data(), table.desc(), table.data(), request_ids.desc(),
                                 request_ids.data(), valid_counts.desc(), valid_counts.data(),
                                 block_size, -2, output.desc(), output.data()),
          MLUOP_STATUS_SUCCESS);
      ASSERT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
      const PagedRefTables ref_tables = {blocks.data(), requests, entries, block_size, rows};
      const PagedRefQueries ref_queries = {ids.data(), queries, k, ask.data(), counts.data()};
      const auto cache = param.get(), got = output.get();
      const std::vector<uint8_t> zeros((size_t)hidden);
      for (int64_t j = 0; j < queries * k; ++j) {
        const int64_t row = paged_ref_query_row(&ref_tables, &ref_queries, j / k, j % k);
        const uint8_t *want = row < 0 ? zeros.data() : &cache[(size_t)(row * hidden)];
        ASSERT_EQ(memcmp(&got[(size_t)(j * hidden)], want, (size_t)hidden), 0) << j;
      }
    }
  }
}
