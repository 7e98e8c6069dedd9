/* SPDX-License-Identifier: MIT
 *
 * mluOpGatherInUb where addresses matter: it reads nothing outside of its tensors for any ids and
 * table; page arithmetic is exact up to the largest id; rows beyond 2^31 elements and bytes are
 * found.
 */
#include <algorithm>
#include <cstring>
#include <numeric>

#include "gather_in_ub/device_array.h"
#include "test/common/paged_ref.h"

namespace {
class GatherInUbMemory : public DeviceTest {
 protected:
  mluOpStatus_t run(const DeviceArray<uint8_t> &param, const DeviceArray<int32_t> &indices,
                    const DeviceArray<int32_t> &table, int block_size,
                    const DeviceArray<uint8_t> &output) {
    const mluOpStatus_t status =
        mluOpGatherInUb(handle_, param.desc(), param.data(), indices.desc(), indices.data(),
                        table.desc(), table.data(), block_size, -2, output.desc(), output.data());
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    return status;
  }
};

constexpr mluOpDataType_t kBytes = MLUOP_DTYPE_UINT8, kInt = MLUOP_DTYPE_INT32;
}  // namespace

/* Every tensor is whole pages with guard pages on both sides. */
TEST_F(GatherInUbMemory, RandomBitsStayInside) {
  std::mt19937 random(20260801);
  const int64_t k = 2048, entries = 1024;
  for (const int block_size : {1, 3, 16, 96, 128, 1000, 4096, 65537, 1 << 30, INT32_MAX}) {
    for (const int64_t hidden : {1, 16, 128, 129, 656, 4096}) {
      const int64_t rows = kPageBytes * (hidden % 16 == 0 ? 1 : 16) / 16;
      DeviceArray<uint8_t> param(kBytes, {rows, hidden}, randomBytes(random, rows * hidden));
      DeviceArray<uint8_t> output(kBytes, {k, hidden});
      const auto cache = param.get();
      /* Any bits; then such that most ids pass and the table decides; then both near the limits. */
      const int64_t id_limit = std::min<int64_t>(entries * block_size, INT32_MAX);
      const int32_t last_block = (int32_t)((rows - 1) / block_size);
      const std::vector<std::pair<std::vector<int32_t>, std::vector<int32_t>>> draws = {
          {randomWords(random, k), randomWords(random, entries)},
          {randomWords(random, k, 0, (int32_t)(id_limit - 1)), randomWords(random, entries)},
          {randomWords(random, k, -3, (int32_t)(id_limit - 1)),
           randomWords(random, entries, -1, last_block + 1)},
          {randomWords(random, k, (int32_t)(id_limit - 3),
                       (int32_t)std::min<int64_t>(id_limit + 3, INT32_MAX)),
           randomWords(random, entries, last_block, last_block)}};
      for (const auto &[ids, blocks] : draws) {
        DeviceArray<int32_t> indices(kInt, {1, k}, ids), table(kInt, {1, entries}, blocks);
        ASSERT_EQ(run(param, indices, table, block_size, output), MLUOP_STATUS_SUCCESS);
        const PagedRefTables tables = {blocks.data(), 1, entries, block_size, rows};
        const auto got = output.get();
        const std::vector<uint8_t> zeros((size_t)hidden);
        for (int64_t j = 0; j < k; ++j) {
          const int64_t row = paged_ref_row(&tables, 0, ids[(size_t)j]);
          const uint8_t *want = row < 0 ? zeros.data() : &cache[(size_t)(row * hidden)];
          ASSERT_EQ(memcmp(&got[(size_t)(j * hidden)], want, (size_t)hidden), 0)
              << "block_size " << block_size << " hidden " << hidden << " id " << ids[(size_t)j];
        }
      }
    }
  }
}

/* All entries point to block 0, so the row is the remainder: an error of one would give the wrong
 * byte. */
TEST_F(GatherInUbMemory, PageArithmeticIsExact) {
  std::mt19937 random(7);
  const int64_t k = 30000;
  for (const int block_size : {1, 2, 3, 5, 7, 96, 100, 127, 128, 255, 641, 65535, 65537, 46341,
                               715827883, 1073741823, 1073741824, 1073741825, INT32_MAX}) {
    const int64_t entries = std::min<int64_t>(INT32_MAX / block_size + (int64_t)1, 1 << 25);
    const int64_t last = std::min<int64_t>(entries * block_size, (int64_t)INT32_MAX + 1) - 1;
    std::vector<int32_t> ids = randomWords(random, k, 0, (int32_t)last);
    for (int64_t j = 0; j < k / 2; ++j) { /* neighbours of multiples */
      const int64_t near = ids[(size_t)j] / block_size * (int64_t)block_size + j % 3 - 1;
      ids[(size_t)j] = (int32_t)std::min(std::max<int64_t>(near, 0), last);
    }
    ids[0] = (int32_t)last;
    DeviceArray<int32_t> indices(kInt, {1, k}, ids), table(kInt, {1, entries});
    ASSERT_EQ(cnrtMemset(table.data(), 0, (size_t)entries * sizeof(int32_t)), cnrtSuccess);
    const int64_t rows = std::min(block_size, 100003);
    std::vector<uint8_t> cache((size_t)rows);
    for (int64_t row = 0; row < rows; ++row) cache[(size_t)row] = (uint8_t)(row % 251 + 1);
    DeviceArray<uint8_t> param(kBytes, {rows, 1}, cache), output(kBytes, {k, 1});
    ASSERT_EQ(run(param, indices, table, block_size, output), MLUOP_STATUS_SUCCESS);
    const auto got = output.get();
    for (int64_t j = 0; j < k; ++j) {
      const int64_t row = ids[(size_t)j] % block_size;
      ASSERT_EQ(got[(size_t)j], row < rows ? cache[(size_t)row] : 0)
          << "block_size " << block_size << " id " << ids[(size_t)j];
    }
  }
}

/* Only the rows that are used occupy memory. */
TEST_F(GatherInUbMemory, RowsBeyond31Bits) {
  struct {
    int64_t rows, hidden;
    int block_size;
  } const shapes[] = {{((int64_t)1 << 31) + 4096, 1, 1 << 20},
                      {3600000, 1200, 128},
                      {2200000000 / 656, 656, 96},
                      {1 << 25, 128, 64}, /* the last byte that 32-bit offsets can address */
                      {(1 << 25) + 4096, 128, 64}};
  for (const auto &shape : shapes) {
    const int64_t last_block = (shape.rows - 1) / shape.block_size;
    const int64_t first_row = last_block * shape.block_size,
                  k = std::min<int64_t>(shape.rows - first_row, 100);
    std::mt19937 random(3);
    const auto last_rows = randomBytes(random, k * shape.hidden);
    DeviceArray<uint8_t> param(kBytes, {shape.rows, shape.hidden}),
        output(kBytes, {k, shape.hidden});
    param.put(first_row * shape.hidden, last_rows);
    DeviceArray<int32_t> table(kInt, {1, 4},
                               {0, (int32_t)last_block + 1, (int32_t)last_block, INT32_MAX});
    std::vector<int32_t> ids((size_t)k);
    std::iota(ids.begin(), ids.end(), 2 * shape.block_size);
    ASSERT_EQ(run(param, {kInt, {1, k}, ids}, table, shape.block_size, output),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(output.get(), last_rows) << shape.rows << " x " << shape.hidden;
    /* In reverse order no row follows its predecessor. */
    std::reverse(ids.begin(), ids.end());
    ASSERT_EQ(run(param, {kInt, {1, k}, ids}, table, shape.block_size, output),
              MLUOP_STATUS_SUCCESS);
    const std::vector<uint8_t> backwards = output.get();
    for (int64_t j = 0; j < k; ++j)
      EXPECT_EQ(memcmp(&backwards[(size_t)(j * shape.hidden)],
                       &last_rows[(size_t)((k - 1 - j) * shape.hidden)], (size_t)shape.hidden),
                0)
          << shape.rows << " x " << shape.hidden << ", row " << j;
  }
}
