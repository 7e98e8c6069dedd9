/* SPDX-License-Identifier: MIT
 *
 * mluOpPagedCacheWrite: every documented constraint, one wrong argument at a time.
 */
#include "util/paged_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

struct Operator {
  static PagedNames names() {
    PagedNames names;
    names.api = "mluOpPagedCacheWrite";
    names.values = {"input", "cache"};
    names.dtypes = {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT8,
                    MLUOP_DTYPE_UINT8};
    names.cache = "cache";
    names.ids = {"positions"};
    names.optional = {"request_ids"};
    names.output = "cache";
    return names;
  }
  static ApiCall good() {
    ApiCall c;
    c.input("input", kFloat, {9, 8});
    c.input("positions", kInt, {9});
    c.input("request_ids", kInt, {9});
    c.input("block_table", kInt, {2, 3});
    c.output("cache", kFloat, {32, 8});
    c.scalar = {{"block_size", 4}};
    return c;
  }
  static mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) {
    return mluOpPagedCacheWrite(handle, c.desc("input"), c.data("input"), c.desc("positions"),
                                c.data("positions"), c.desc("request_ids"), c.data("request_ids"),
                                c.desc("block_table"), c.data("block_table"),
                                (int)c.scalar.at("block_size"), c.desc("cache"), c.data("cache"));
  }
};

class PagedCacheWrite : public PagedTest<Operator> {};
}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(PagedCacheWrite, PagedTest, Operator);

TEST_F(PagedCacheWrite, RequestIds) {
  ApiCall one = good(); /* one request needs no ids */
  one["block_table"].dims = {1, 3};
  one.remove("request_ids");
  EXPECT_SUCCESS(run(one));
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.remove("request_ids"); },
                  "request_ids: wanted not NULL, because block_table has more than one row"}});
}

TEST_F(PagedCacheWrite, Dimensions) {
  expectWrongDims({{"positions", {8}, "dims[0] 9"},
                   {"request_ids", {8}, "dims[0] 9"},
                   {"cache", {32, 7}, "dims[1] 8"}});
}

TEST_F(PagedCacheWrite, NothingToWrite) {
  expectEmptyRefused("input", [](ApiCall &c) {
    for (const char *tensor : {"input", "positions", "request_ids"}) c[tensor].dims[0] = 0;
  });
}

/* All tables use the same offset. */
TEST_F(PagedCacheWrite, ManyTables) {
  expectDims(MLUOP_STATUS_NOT_SUPPORTED, "block_table", {2, 1 << 29},
             "at most 1073741823 entries, got 1073741824");
}

TEST_F(PagedCacheWrite, LargeCaches) {
  expectDims(MLUOP_STATUS_NOT_SUPPORTED, "cache", {(int64_t)1 << 32, 8},
             "at most 4294967295 rows, got 4294967296");
}
