/* SPDX-License-Identifier: MIT
 *
 * mluOpSparseAttentionScores reads nothing outside of its tensors for any ids, tables, request ids
 * and counts, and its results have the same bits as with keys gathered first.
 */
#include <cmath>

#include "gather_in_ub/device_array.h"
#include "test/common/paged_ref.h"

namespace {
class SparseAttentionScoresMemory : public DeviceTest {};
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;
}  // namespace

/* Every tensor is whole pages with guard pages on both sides. */
TEST_F(SparseAttentionScoresMemory, RandomBitsStayInside) {
  std::mt19937 random(20260804);
  const int64_t queries = 1024, heads = 2, k = 16, requests = 8, entries = 128, dim = 32, rows = 96;
  std::vector<float> keys((size_t)(rows * dim)), asked((size_t)(queries * heads * dim));
  /* Small integers make every sum exact, so every order of addition gives the same bits. */
  for (float &x : keys) x = (float)(int)(random() % 17) - 8;
  for (float &x : asked) x = (float)(int)(random() % 17) - 8;
  DeviceArray<float> query(kFloat, {queries, heads, dim}, asked), param(kFloat, {rows, dim}, keys);
  DeviceArray<float> scores(kFloat, {queries, heads, k});
  for (const bool is_tame : {false, true}) {
    const int block_size = 3;
    const auto ids =
        is_tame ? randomWords(random, queries * k, -5, 400) : randomWords(random, queries * k);
    const auto blocks = is_tame ? randomWords(random, requests * entries, -3, 40)
                                : randomWords(random, requests * entries);
    const auto ask = is_tame ? randomWords(random, queries, -1, 8) : randomWords(random, queries);
    const auto counts =
        is_tame ? randomWords(random, queries, -1, 17) : randomWords(random, queries);
    DeviceArray<int32_t> indices(kInt, {queries, k}, ids), table(kInt, {requests, entries}, blocks);
    DeviceArray<int32_t> request_ids(kInt, {queries}, ask), valid_counts(kInt, {queries}, counts);
    ASSERT_EQ(mluOpSparseAttentionScores(handle_, query.desc(), query.data(), param.desc(),
                                         param.data(), indices.desc(), indices.data(), table.desc(),
                                         table.data(), request_ids.desc(), request_ids.data(),
                                         valid_counts.desc(), valid_counts.data(), block_size, 0.5f,
                                         scores.desc(), scores.data()),
              MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    const PagedRefTables ref_tables = {blocks.data(), requests, entries, block_size, rows};
    const PagedRefQueries ref_queries = {ids.data(), queries, k, ask.data(), counts.data()};
    const auto got = scores.get();
    for (int64_t i = 0; i < queries * heads * k; ++i) {
      const int64_t q = i / (heads * k), h = i / k % heads, j = i % k;
      const int64_t row = paged_ref_query_row(&ref_tables, &ref_queries, q, j);
      float want = row < 0 ? -INFINITY : 0;
      for (int64_t d = 0; d < dim && row >= 0; ++d)
        want += 0.5f * asked[(size_t)((q * heads + h) * dim + d)] * keys[(size_t)(row * dim + d)];
      ASSERT_EQ(got[(size_t)i], want) << q << " " << h << " " << j;
    }
  }
}
