/* SPDX-License-Identifier: MIT
 *
 * mluOpPagedCacheWrite accesses nothing outside of its tensors for any positions, tables and
 * request ids, and finds rows beyond 2^31 elements.
 */
#include <cstring>

#include "gather_in_ub/device_array.h"
#include "test/common/paged_ref.h"

namespace {
class PagedCacheWriteMemory : public DeviceTest {};
constexpr mluOpDataType_t kBytes = MLUOP_DTYPE_UINT8, kInt = MLUOP_DTYPE_INT32;
}  // namespace

/* Every tensor is whole pages with guard pages on both sides. */
TEST_F(PagedCacheWriteMemory, RandomBitsStayInside) {
  std::mt19937 random(20260803);
  const int64_t n = 2048, requests = 8, entries = 128, hidden = 128, rows = 96;
  for (const int block_size : {1, 16, 96, 1 << 30}) {
    const auto input_rows = randomBytes(random, n * hidden);
    auto want = randomBytes(random, rows * hidden);
    DeviceArray<uint8_t> input(kBytes, {n, hidden}, input_rows),
        cache(kBytes, {rows, hidden}, want);
    const int32_t last_id = (int32_t)std::min<int64_t>(entries * block_size, INT32_MAX) - 1;
    for (const bool is_tame : {false, true}) {
      const auto places = is_tame ? randomWords(random, n, -1, last_id) : randomWords(random, n);
      const auto blocks =
          is_tame ? randomWords(random, requests * entries, -1, (int32_t)(rows / block_size))
                  : randomWords(random, requests * entries);
      const auto ask = is_tame ? randomWords(random, n, -1, 8) : randomWords(random, n);
      DeviceArray<int32_t> positions(kInt, {n}, places), request_ids(kInt, {n}, ask);
      DeviceArray<int32_t> table(kInt, {requests, entries}, blocks);
      ASSERT_EQ(
          mluOpPagedCacheWrite(handle_, input.desc(), input.data(), positions.desc(),
                               positions.data(), request_ids.desc(), request_ids.data(),
                               table.desc(), table.data(), block_size, cache.desc(), cache.data()),
          MLUOP_STATUS_SUCCESS);
      ASSERT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
      const PagedRefTables ref_tables = {blocks.data(), requests, entries, block_size, rows};
      for (int64_t i = 0; i < n; ++i) {
        const int64_t row = paged_ref_row(&ref_tables, ask[(size_t)i], places[(size_t)i]);
        if (row >= 0)
          memcpy(&want[(size_t)(row * hidden)], &input_rows[(size_t)(i * hidden)], (size_t)hidden);
      }
      ASSERT_EQ(cache.get(), want) << "block_size " << block_size;
    }
  }
}

TEST_F(PagedCacheWriteMemory, RowsBeyond31Bits) {
  const int64_t rows = 3600000, hidden = 1200, n = 100, block_size = 128;
  const int64_t last_block = rows / block_size - 1;
  std::mt19937 random(5);
  const auto input_rows = randomBytes(random, n * hidden);
  std::vector<int32_t> places((size_t)n);
  for (int64_t i = 0; i < n; ++i) places[(size_t)i] = (int32_t)(block_size + i);
  DeviceArray<uint8_t> input(kBytes, {n, hidden}, input_rows), cache(kBytes, {rows, hidden});
  DeviceArray<int32_t> positions(kInt, {n}, places), table(kInt, {1, 2}, {-1, (int32_t)last_block});
  ASSERT_EQ(mluOpPagedCacheWrite(handle_, input.desc(), input.data(), positions.desc(),
                                 positions.data(), nullptr, nullptr, table.desc(), table.data(),
                                 (int)block_size, cache.desc(), cache.data()),
            MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
  EXPECT_EQ(cache.get(last_block * block_size * hidden, n * hidden), input_rows);
}
