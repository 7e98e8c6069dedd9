/* SPDX-License-Identifier: MIT
 *
 * The results of mluOpTopKTopPSample: equal to the reference where the answer is unambiguous, the
 * same for a row alone and in any batch, and inside the vocabulary for any input bytes.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "mlu_op.h"
#include "test/common/sample_ref.h"

namespace {
constexpr double kMargin = 1e-5;
constexpr uint8_t kGuard = 0xa5;

uint64_t nextRandom(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double uniform(uint64_t *state) {
  return (static_cast<double>(nextRandom(state) >> 11) + 0.5) * 0x1p-53;
}

double normal(uint64_t *state) {
  const double radius = std::sqrt(-2 * std::log(uniform(state)));
  return radius * std::cos(6.283185307179586 * uniform(state));
}

/* Rows in float; logits and settings are rounded to the data type of the call. */
struct Batch {
  int64_t rows = 0, vocab = 0;
  std::vector<float> logits, q, top_p, min_p;
  std::vector<int32_t> top_k;
  bool has_noise = true, has_filtered = true;
  float eps = 1e-8f;
  uint8_t workspace_byte = kGuard; /* initial contents of the workspace */
};

struct Result {
  std::vector<int64_t> index;
  std::vector<float> filtered;
};

uint16_t narrow(mluOpDataType_t dtype, float x) {
  return dtype == MLUOP_DTYPE_HALF ? ref_float_to_half(x) : ref_float_to_bfloat16(x);
}
float rounded(mluOpDataType_t dtype, float x) {
  if (dtype == MLUOP_DTYPE_FLOAT) return x;
  return dtype == MLUOP_DTYPE_HALF ? ref_half_to_float(narrow(dtype, x))
                                   : ref_bfloat16_to_float(narrow(dtype, x));
}

std::vector<uint8_t> encode(mluOpDataType_t dtype, const std::vector<float> &values) {
  std::vector<uint8_t> bytes(values.size() * (dtype == MLUOP_DTYPE_FLOAT ? 4 : 2));
  for (size_t i = 0; i < values.size(); ++i) {
    if (dtype == MLUOP_DTYPE_FLOAT) {
      std::memcpy(&bytes[i * 4], &values[i], 4);
    } else {
      const uint16_t bits = narrow(dtype, values[i]);
      std::memcpy(&bytes[i * 2], &bits, 2);
    }
  }
  return bytes;
}

/* Device memory with a guard after it. */
class DeviceBytes {
 public:
  DeviceBytes(const void *data, size_t size) : size_(size) {
    EXPECT_EQ(cnrtMalloc(&data_, size + kGuardBytes), cnrtSuccess);
    std::vector<uint8_t> bytes(size + kGuardBytes, kGuard);
    if (data != nullptr && size > 0) std::memcpy(bytes.data(), data, size);
    EXPECT_EQ(cnrtMemcpy(data_, bytes.data(), bytes.size(), cnrtMemcpyHostToDev), cnrtSuccess);
  }
  ~DeviceBytes() { cnrtFree(data_); }
  DeviceBytes(const DeviceBytes &) = delete;
  DeviceBytes &operator=(const DeviceBytes &) = delete;

  void *data() const { return data_; }
  /* Copies the contents and checks the guard. */
  void read(void *out) const {
    std::vector<uint8_t> bytes(size_ + kGuardBytes);
    EXPECT_EQ(cnrtMemcpy(bytes.data(), data_, bytes.size(), cnrtMemcpyDevToHost), cnrtSuccess);
    std::memcpy(out, bytes.data(), size_);
    for (size_t i = size_; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], kGuard);
  }

 private:
  static constexpr size_t kGuardBytes = 256;
  size_t size_;
  void *data_ = nullptr;
};

class Desc {
 public:
  Desc(mluOpDataType_t dtype, const std::vector<int64_t> &dims) {
    EXPECT_EQ(mluOpCreateTensorDescriptor(&desc_), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpSetTensorDescriptor_v2(desc_, MLUOP_LAYOUT_ARRAY, dtype,
                                          static_cast<int>(dims.size()), dims.data()),
              MLUOP_STATUS_SUCCESS);
  }
  ~Desc() { mluOpDestroyTensorDescriptor(desc_); }
  Desc(const Desc &) = delete;
  Desc &operator=(const Desc &) = delete;
  mluOpTensorDescriptor_t get() const { return desc_; }

 private:
  mluOpTensorDescriptor_t desc_ = nullptr;
};

class SamplingResults : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS); }

  /* logits, top_p and min_p as bytes of `dtype`. */
  Result sampleBytes(mluOpDataType_t dtype, const Batch &b, const std::vector<uint8_t> &logits,
                     const std::vector<uint8_t> &top_p, const std::vector<uint8_t> &min_p,
                     int guess) {
    const Desc matrix(dtype, {b.rows, b.vocab}), floats(MLUOP_DTYPE_FLOAT, {b.rows, b.vocab});
    const Desc setting(dtype, {b.rows}), ints(MLUOP_DTYPE_INT32, {b.rows});
    const Desc longs(MLUOP_DTYPE_INT64, {b.rows});
    const size_t n = static_cast<size_t>(b.rows * b.vocab);
    Result result = {std::vector<int64_t>(b.rows), std::vector<float>(n)};
    size_t needed = 0;
    EXPECT_EQ(mluOpGetTopKTopPSampleWorkspaceSize(handle_, matrix.get(), &needed),
              MLUOP_STATUS_SUCCESS);
    const std::vector<uint8_t> unused(needed, b.workspace_byte);
    const DeviceBytes workspace(unused.data(), needed), in(logits.data(), logits.size());
    const DeviceBytes k(b.top_k.data(), b.rows * 4), p(top_p.data(), top_p.size());
    const DeviceBytes m(min_p.data(), min_p.size()), q(b.q.data(), n * 4);
    const DeviceBytes index(nullptr, b.rows * 8), filtered(nullptr, n * 4);
    EXPECT_EQ(mluOpTopKTopPSample_v2(
                  handle_, matrix.get(), in.data(), ints.get(), k.data(), setting.get(), p.data(),
                  setting.get(), m.data(), b.has_noise ? floats.get() : nullptr,
                  b.has_noise ? q.data() : nullptr, b.eps, b.has_filtered, guess, workspace.data(),
                  needed, longs.get(), index.data(), b.has_filtered ? floats.get() : nullptr,
                  b.has_filtered ? filtered.data() : nullptr),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    index.read(result.index.data());
    filtered.read(result.filtered.data());
    std::vector<uint8_t> unchanged(logits.size());
    in.read(unchanged.data());
    EXPECT_EQ(unchanged, logits);
    return result;
  }

  Result sample(mluOpDataType_t dtype, const Batch &b, int guess = 32) {
    return sampleBytes(dtype, b, encode(dtype, b.logits), encode(dtype, b.top_p),
                       encode(dtype, b.min_p), guess);
  }

  mluOpHandle_t handle_ = nullptr;
};

/* Adds a row with settings from the reference's catalogue. */
void addRow(Batch *b, uint64_t *state) {
  const double spreads[] = {0.01, 1, 2.5, 5, 300};
  const double spread = spreads[nextRandom(state) % 5];
  const double mean = static_cast<double>(nextRandom(state) % 41) - 20;
  const uint64_t kind = nextRandom(state) % 9;
  const int64_t first = static_cast<int64_t>(b->logits.size());
  for (int64_t v = 0; v < b->vocab; ++v) {
    double x = mean + spread * normal(state);
    if (kind == 0) x = static_cast<double>(nextRandom(state) % 3); /* ties */
    if (kind == 1) x = 1.5;
    if (kind == 2 && nextRandom(state) % 10) x = -INFINITY;
    if (kind == 3) x = uniform(state) * 10;
    b->logits.push_back(static_cast<float>(x));
    b->q.push_back(static_cast<float>(-std::log(uniform(state))));
  }
  if (kind == 4) b->logits[first + b->vocab / 3] = static_cast<float>(mean + 9 * spread);
  const int32_t ks[] = {0, -3, 1, 20, 50, 1000, 1024, 1025, static_cast<int32_t>(b->vocab)};
  const float ps[] = {1, 0.9f, 0.95f, 0.3f, 0, -1, 1e-4f, 0.999f};
  const float ms[] = {0, 0, 0, 0.05f, 1, -1};
  b->top_k.push_back(ks[nextRandom(state) % 9]);
  b->top_p.push_back(ps[nextRandom(state) % 8]);
  b->min_p.push_back(ms[nextRandom(state) % 6]);
  ++b->rows;
}

/* Row r alone. */
Batch onlyRow(const Batch &b, int64_t r) {
  Batch one = b;
  one.rows = 1;
  one.logits.assign(b.logits.begin() + r * b.vocab, b.logits.begin() + (r + 1) * b.vocab);
  one.q.assign(b.q.begin() + r * b.vocab, b.q.begin() + (r + 1) * b.vocab);
  one.top_k = {b.top_k[r]};
  one.top_p = {b.top_p[r]};
  one.min_p = {b.min_p[r]};
  return one;
}

/* Compares bits, except that a GPU has only one NaN. */
bool isSame(const float *a, const float *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const bool is_equal = std::memcmp(a + i, b + i, sizeof(float)) == 0;
    if (!is_equal && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return true;
}

/* Compares rows with the reference where the answer is unambiguous; returns how many were. */
int checkRows(mluOpDataType_t dtype, const Batch &b, const Result &result) {
  std::vector<float> logits(b.logits);
  for (float &x : logits) x = rounded(dtype, x);
  std::vector<SampleRefToken> tokens(b.vocab);
  std::vector<float> filtered(b.vocab);
  int clear = 0;
  for (int64_t r = 0; r < b.rows; ++r) {
    const float min_p = rounded(dtype, b.min_p[r]);
    const SampleRefRow row = {&logits[r * b.vocab],
                              b.vocab,
                              b.top_k[r],
                              rounded(dtype, b.top_p[r]),
                              min_p > 0 ? min_p : 0,
                              b.has_noise ? &b.q[r * b.vocab] : nullptr,
                              b.eps};
    const SampleRefResult wanted = sample_ref_row(&row, tokens.data());
    if (wanted.cut_margin < kMargin || wanted.score_margin < kMargin) continue;
    ++clear;
    EXPECT_EQ(result.index[r], wanted.index) << "row " << r;
    if (!b.has_filtered) continue;
    std::fill(filtered.begin(), filtered.end(), -INFINITY);
    for (int64_t i = 0; i < wanted.kept; ++i) filtered[tokens[i].id] = row.logits[tokens[i].id];
    EXPECT_TRUE(isSame(&result.filtered[r * b.vocab], filtered.data(), b.vocab)) << "row " << r;
  }
  return clear;
}

/* A row of `vocab` logits computed by `logit`, with exponential noise and without top-k. */
template <typename Logit>
void addMadeRow(Batch *b, float top_p, float min_p, uint64_t *state, Logit logit) {
  for (int64_t v = 0; v < b->vocab; ++v) {
    b->logits.push_back(static_cast<float>(logit(v)));
    b->q.push_back(static_cast<float>(-std::log(uniform(state))));
  }
  b->top_k.push_back(0);
  b->top_p.push_back(top_p);
  b->min_p.push_back(min_p);
  ++b->rows;
}

constexpr mluOpDataType_t kTypes[] = {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16};
}  // namespace

TEST_F(SamplingResults, EqualReferenceWhereClear) {
  uint64_t state = 6;
  int clear = 0, rows = 0;
  for (int round = 0; round < 24; ++round) {
    const mluOpDataType_t dtype = kTypes[round % 3];
    const int64_t vocabs[] = {1, 97, 1024, 1025, 8193, 30000};
    Batch b;
    b.vocab = vocabs[nextRandom(&state) % 6];
    b.has_noise = round % 4 != 0;
    const int64_t wanted = 1 + static_cast<int64_t>(nextRandom(&state) % 6);
    while (b.rows < wanted) addRow(&b, &state);
    const Result result = sample(dtype, b);
    rows += static_cast<int>(b.rows);
    clear += checkRows(dtype, b, result);
  }
  EXPECT_GT(clear, rows * 4 / 5);
}

TEST_F(SamplingResults, RowAloneEqualsRowInAnyBatch) {
  uint64_t state = 7;
  for (const mluOpDataType_t dtype : kTypes) {
    Batch b;
    b.vocab = 20001; /* all tasks share a single row, but not a row of a batch */
    while (b.rows < 9) addRow(&b, &state);
    const Result together = sample(dtype, b), again = sample(dtype, b);
    EXPECT_EQ(together.index, again.index);
    EXPECT_TRUE(isSame(together.filtered.data(), again.filtered.data(), b.rows * b.vocab));
    for (int64_t r = 0; r < b.rows; ++r) {
      const Result alone = sample(dtype, onlyRow(b, r));
      EXPECT_EQ(alone.index[0], together.index[r]);
      EXPECT_TRUE(isSame(alone.filtered.data(), &together.filtered[r * b.vocab], b.vocab));
    }
  }
}

/* Tasks that share a row take its tiles dynamically, so the assignment differs each time; equal
 * elements lie on both sides of every tile border. */
TEST_F(SamplingResults, SharedRowsAreTheSameEveryTime) {
  uint64_t state = 14;
  const auto few_values = [&](int64_t) { return std::fmin(std::round(5 * normal(&state)), 13); };
  const auto many_values = [&](int64_t) { return 5 * normal(&state); };
  const auto one_nan = [&](int64_t v) { return v == 100001 ? -NAN : normal(&state); };
  for (const mluOpDataType_t dtype : kTypes) {
    Batch b;
    b.vocab = 151936;
    for (const float p : {0.5f, 0.9f, 0.99f}) {
      addMadeRow(&b, p, 0, &state, few_values);
      addMadeRow(&b, p, 0, &state, many_values);
    }
    for (const int32_t k : {0, 50, 1000}) {
      addMadeRow(&b, 0.9f, 0, &state, one_nan);
      b.top_k.back() = k;
      addMadeRow(&b, 0.9f, 0, &state, few_values);
      b.top_k.back() = k;
    }
    b.has_filtered = false;
    b.workspace_byte = 0; /* as if a task had already started */
    const Result together = sample(dtype, b);
    EXPECT_GE(checkRows(dtype, b, together), b.rows / 2);
    for (int64_t r = 0; r < b.rows; ++r) {
      Batch one = onlyRow(b, r);
      for (int turn = 0; turn < 4; ++turn)
        EXPECT_EQ(sample(dtype, one).index[0], together.index[r]) << "row " << r;
      one.has_filtered = true;
      const Result filtered = sample(dtype, one);
      EXPECT_EQ(filtered.index[0], together.index[r]) << "row " << r;
      checkRows(dtype, one, filtered);
    }
  }
}

/* A draw need not know the whole kept set, but its result must not depend on that. */
TEST_F(SamplingResults, DrawAloneEqualsDrawWithFiltered) {
  uint64_t state = 10;
  for (const mluOpDataType_t dtype : kTypes) {
    for (const int64_t vocab : {8192, 20001, 70000}) {
      Batch b;
      b.vocab = vocab;
      const float ps[] = {0.3f, 0.9f, 0.95f, 0.999f};
      while (b.rows < 10) {
        addRow(&b, &state);
        b.top_k.back() = 0;
        b.top_p.back() = ps[b.rows % 4];
        b.min_p.back() = 0;
      }
      const Result with = sample(dtype, b);
      b.has_filtered = false;
      const Result without = sample(dtype, b);
      EXPECT_EQ(with.index, without.index) << "vocab " << vocab;
      for (int64_t r = 0; r < b.rows; ++r)
        EXPECT_EQ(sample(dtype, onlyRow(b, r)).index[0], without.index[r]) << "row " << r;
    }
  }
}

/* A few elements have nearly all of the mass; one may have a large part of it, even the last. */
TEST_F(SamplingResults, PeakedRows) {
  uint64_t state = 15;
  for (const mluOpDataType_t dtype : kTypes) {
    Batch b;
    b.vocab = 12289;
    b.has_filtered = false;
    for (int i = 0; i < 72; ++i) {
      const double spread = 4 + 2 * (i % 4);
      const float ps[] = {0.5f, 0.9f, 0.99f};
      addMadeRow(&b, ps[i % 3], 0, &state, [&](int64_t) { return spread * normal(&state); });
    }
    EXPECT_GE(checkRows(dtype, b, sample(dtype, b)), b.rows * 4 / 5);
  }
}

/* Threshold guesses sample a few positions of a row; the large elements are elsewhere. */
TEST_F(SamplingResults, ManyLargeElementsWhereNobodyLooks) {
  uint64_t state = 16;
  for (const mluOpDataType_t dtype : kTypes) {
    Batch b;
    b.vocab = 65536;
    b.has_filtered = false;
    for (const int64_t large : {20000, 28000, 40000, 60000}) {
      addMadeRow(&b, 0.9f, 0, &state, [&](int64_t v) {
        if (v % 4096 == 7) return 9 + 0.01 * normal(&state);
        if (v % 4096 == 2000) return 20 + normal(&state);
        return v % 4096 >= 128 && v >= b.vocab - large ? 8 + normal(&state) : -5 + normal(&state);
      });
    }
    const Result together = sample(dtype, b);
    EXPECT_GE(checkRows(dtype, b, together), b.rows / 2);
    for (int64_t r = 0; r < b.rows; ++r)
      EXPECT_EQ(sample(dtype, onlyRow(b, r)).index[0], together.index[r]) << "row " << r;
  }
}

/* Thousands of nearly equal elements next to a few distant ones: elements at the cutoff must be
 * separated step by step. */
TEST_F(SamplingResults, CrowdedValues) {
  uint64_t state = 11;
  const auto crowded = [&](int64_t v) {
    return v % 100 == 0 ? 4 * normal(&state) : 2 + 5e-5 * normal(&state);
  };
  const auto doubled = [&](int64_t v) {
    return v % 100 == 0 ? 4 * normal(&state) : v % 3 ? 2 : 2 + 5e-5 * normal(&state);
  };
  for (const mluOpDataType_t dtype : kTypes) {
    Batch b;
    b.vocab = 12000;
    for (const float p : {0.5f, 0.75f, 0.9f, 0.97f}) {
      addMadeRow(&b, p, 0, &state, crowded);
      addMadeRow(&b, p, 0, &state, doubled);
    }
    EXPECT_GE(checkRows(dtype, b, sample(dtype, b)), b.rows / 2);
    for (int64_t r = 0; r < b.rows; ++r) { /* shared by all tasks, with and without the set */
      Batch one = onlyRow(b, r);
      checkRows(dtype, one, sample(dtype, one));
      one.has_filtered = false;
      checkRows(dtype, one, sample(dtype, one));
    }
  }
}

/* min-p cuts after many equal elements, among others that are only slightly smaller. */
TEST_F(SamplingResults, MinPAfterEqualElements) {
  uint64_t state = 12;
  const float value = -0.7f, weight = std::exp(value);
  Batch b;
  b.vocab = 30000;
  const auto logit = [&](int64_t v) {
    if (v == 77) return 0.0f;
    return v % 3 ? value : value - 1e-5f * static_cast<float>(v % 300);
  };
  addMadeRow(&b, 1.0f, weight * (1 - 5e-7f), &state, logit);
  addMadeRow(&b, 1.0f, weight * (1 - 1e-3f), &state, logit);
  const Result result = sample(MLUOP_DTYPE_FLOAT, b);
  for (int64_t v = 0; v < b.vocab; ++v) {
    const float x = b.logits[v], y = result.filtered[v], z = result.filtered[b.vocab + v];
    EXPECT_EQ(y, x >= value ? x : -INFINITY) << v;
    const bool is_clear = x > value - 0.00099f || x < value - 0.00101f;
    EXPECT_TRUE(!is_clear || z == (x > value - 0.001f ? x : -INFINITY)) << v;
  }
  for (int64_t r = 0; r < b.rows; ++r) {
    const Result alone = sample(MLUOP_DTYPE_FLOAT, onlyRow(b, r));
    EXPECT_EQ(alone.index[0], result.index[r]);
    EXPECT_TRUE(isSame(alone.filtered.data(), &result.filtered[r * b.vocab], b.vocab));
  }
}

/* Noise that falls as the weights do, so that all candidates tie; noise that lets none win. */
TEST_F(SamplingResults, UnusualNoise) {
  uint64_t state = 13;
  for (const mluOpDataType_t dtype : kTypes) {
    Batch b;
    b.vocab = 20001;
    for (int i = 0; i < 3; ++i)
      addMadeRow(&b, 0.9f, 0, &state, [&](int64_t) { return normal(&state); });
    std::vector<float> sorted(b.logits.begin(), b.logits.begin() + b.vocab);
    for (float &x : sorted) x = rounded(dtype, x);
    std::sort(sorted.begin(), sorted.end(), std::greater<float>());
    for (int64_t rank = 0; rank < b.vocab; ++rank)
      b.q[rank] = std::exp(sorted[rank] - sorted[0]) * (rank == 3000 ? 0.99f : 1.0f);
    std::fill_n(b.q.begin() + b.vocab, b.vocab, INFINITY);
    std::fill_n(b.q.begin() + 2 * b.vocab, 1000, NAN);
    std::fill_n(b.q.begin() + 2 * b.vocab + 1000, b.vocab - 1000, INFINITY);
    for (const bool has_filtered : {true, false}) {
      b.has_filtered = has_filtered;
      const Result result = sample(dtype, b);
      for (int64_t r = 0; r < b.rows; ++r) {
        const float *row = &b.logits[r * b.vocab];
        std::vector<int64_t> ids(b.vocab);
        std::iota(ids.begin(), ids.end(), 0);
        std::stable_sort(ids.begin(), ids.end(), [&](int64_t x, int64_t y) {
          return rounded(dtype, row[x]) > rounded(dtype, row[y]);
        });
        const int64_t winners[] = {3000, 0, 1000};
        EXPECT_EQ(result.index[r], ids[winners[r]]) << "row " << r;
        EXPECT_EQ(sample(dtype, onlyRow(b, r)).index[0], result.index[r]) << "row " << r;
      }
    }
  }
}

/* Noise that lets the last kept element win, or would let the next one: bounds of masses do not
 * decide that. */
TEST_F(SamplingResults, NoiseFavoursTheCut) {
  uint64_t state = 17;
  for (const mluOpDataType_t dtype : kTypes) {
    Batch b;
    b.vocab = 30000;
    for (const double spread : {1.0, 1.0, 2.5, 2.5})
      addMadeRow(&b, 0.9f, 0, &state, [&](int64_t) { return spread * normal(&state); });
    const Result before = sample(dtype, b);
    std::vector<float> last(b.rows);
    for (int64_t r = 0; r < b.rows; ++r) {
      std::vector<float> kept;
      for (int64_t v = 0; v < b.vocab; ++v)
        if (std::isfinite(before.filtered[r * b.vocab + v]))
          kept.push_back(before.filtered[r * b.vocab + v]);
      last[r] = *std::min_element(kept.begin(), kept.end());
      b.q[r * b.vocab + static_cast<int64_t>(kept.size()) - 1 + r % 2] = 1e-9f;
    }
    b.has_filtered = false;
    const Result drawn = sample(dtype, b);
    for (int64_t r = 0; r < b.rows; ++r) {
      const float value = rounded(dtype, b.logits[r * b.vocab + drawn.index[r]]);
      EXPECT_EQ(value == last[r], r % 2 == 0) << "row " << r;
      EXPECT_EQ(sample(dtype, onlyRow(b, r)).index[0], drawn.index[r]) << "row " << r;
    }
  }
}

TEST_F(SamplingResults, GuessChangesNothing) {
  uint64_t state = 8;
  Batch b;
  b.vocab = 12000;
  while (b.rows < 5) addRow(&b, &state);
  const Result result = sample(MLUOP_DTYPE_BFLOAT16, b);
  for (int guess : {-100, 0, 1, 1024, 1 << 30}) {
    const Result other = sample(MLUOP_DTYPE_BFLOAT16, b, guess);
    EXPECT_EQ(result.index, other.index);
    EXPECT_TRUE(isSame(result.filtered.data(), other.filtered.data(), b.rows * b.vocab));
  }
}

/* Any bit pattern in any input: the index stays in the vocabulary, and nothing else is written. */
TEST_F(SamplingResults, RandomBytes) {
  uint64_t state = 9;
  for (int round = 0; round < 60; ++round) {
    const mluOpDataType_t dtype = kTypes[round % 3];
    const size_t size = dtype == MLUOP_DTYPE_FLOAT ? 4 : 2;
    Batch b;
    b.rows = 1 + static_cast<int64_t>(nextRandom(&state) % 7);
    b.vocab = 1 + static_cast<int64_t>(nextRandom(&state) % (round % 10 == 0 ? 40000 : 3000));
    b.eps = round % 2 ? 0 : 1e-8f;
    b.has_filtered = round % 4 != 1;
    const auto bytes = [&](size_t count) {
      std::vector<uint8_t> data(count);
      for (uint8_t &byte : data) byte = static_cast<uint8_t>(nextRandom(&state));
      return data;
    };
    const auto fill = [&](void *data, size_t count) {
      const std::vector<uint8_t> random = bytes(count);
      std::memcpy(data, random.data(), count);
    };
    b.q.resize(b.rows * b.vocab);
    b.top_k.resize(b.rows);
    fill(b.q.data(), b.q.size() * 4);
    fill(b.top_k.data(), b.top_k.size() * 4);
    for (int32_t &k : b.top_k)
      if (nextRandom(&state) % 2) k &= 1023;
    const Result result =
        sampleBytes(dtype, b, bytes(b.rows * b.vocab * size), bytes(b.rows * size),
                    bytes(b.rows * size), static_cast<int>(nextRandom(&state)));
    for (int64_t index : result.index) {
      EXPECT_GE(index, 0);
      EXPECT_LT(index, b.vocab);
    }
  }
}
