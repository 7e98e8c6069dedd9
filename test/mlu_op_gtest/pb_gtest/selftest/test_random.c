/* SPDX-License-Identifier: MIT
 *
 * Random data: the bits of the C++ library for any number of threads, and the properties of the
 * other distributions. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "data/distribution.h"
#include "data/narrow.h"
#include "data/random.h"
#include "data/random_integer.h"
#include "data/random_array.h"
#include "selftest/check.h"
#include "selftest/random_expected.h"

static void keep_float(void *arg, size_t begin, const float *values, size_t n) {
  memcpy((float *)arg + begin, values, n * sizeof(float));
}

static void keep_double(void *arg, size_t begin, const double *values, size_t n) {
  memcpy((double *)arg + begin, values, n * sizeof(double));
}

static void test_bits(int seed, size_t n) {
  void *got = malloc(n * sizeof(double)), *wanted = malloc(n * sizeof(double));
  if (!got || !wanted) {
    ++check_failures;
    free(got);
    free(wanted);
    return;
  }
  mluop_random_uniform_float(seed, -3.5f, 100, n, keep_float, got);
  expected_uniform_float(seed, -3.5f, 100, n, wanted);
  CHECK(!memcmp(got, wanted, n * sizeof(float)));
  mluop_random_uniform_double(seed, -3.5, 100, n, keep_double, got);
  expected_uniform_double(seed, -3.5, 100, n, wanted);
  CHECK(!memcmp(got, wanted, n * sizeof(double)));
  CHECK(!mluop_random_gaussian_float(seed, 0.5f, 2, n, keep_float, got));
  expected_gaussian_float(seed, 0.5f, 2, n, wanted);
  CHECK(!memcmp(got, wanted, n * sizeof(float)));
  CHECK(!mluop_random_gaussian_double(seed, 0.5, 2, n, keep_double, got));
  expected_gaussian_double(seed, 0.5, 2, n, wanted);
  CHECK(!memcmp(got, wanted, n * sizeof(double)));
  free(got);
  free(wanted);
}

/* Floats with each of the 2^16 patterns in the upper bits, at and next to the points where rounding
 * changes. */
static void test_narrowing(void) {
  static const uint32_t lower[] = {0, 1, 0xfff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001, 0xffff};
  enum { N_LOWER = sizeof(lower) / sizeof(lower[0]) };
  size_t wrong = 0;
  for (uint32_t upper = 0; upper < 1 << 16; ++upper) {
    float values[N_LOWER];
    uint16_t half[N_LOWER], bfloat16[N_LOWER];
    for (size_t i = 0; i < N_LOWER; ++i) {
      const uint32_t bits = upper << 16 | lower[i];
      memcpy(&values[i], &bits, sizeof(bits));
    }
    mluop_floats_to_half(values, half, N_LOWER);
    mluop_floats_to_bfloat16(values, bfloat16, N_LOWER);
    for (size_t i = 0; i < N_LOWER; ++i) {
      const bool nan = isnan(values[i]);
      wrong += nan ? !isnan(mluop_half_to_double(half[i]))
                   : half[i] != mluop_half_from_double((double)values[i]);
      wrong += nan ? !isnan(mluop_bfloat16_to_double(bfloat16[i]))
                   : bfloat16[i] != mluop_bfloat16_from_double((double)values[i]);
    }
  }
  CHECK(wrong == 0);
}

static void test_engine(void) {
  mluopRandom one = mluop_random_seed(23), two = mluop_random_seed(23);
  for (int i = 0; i < 1000; ++i) {
    mluop_random_next(&one);
  }
  mluop_random_skip(&two, 1000);
  CHECK(one.state == two.state);
  CHECK(mluop_random_seed(0).state == 1);
  CHECK(mluop_random_seed(2147483647).state == 1);
  for (int i = 0; i < 1000; ++i) {
    CHECK(mluop_random_below(&one, 7) < 7);
  }
}

/* Fills int32 from a description. */
static int fill(Mluoptest__RandomData *spec, int32_t *values, size_t n) {
  mluopTestText errors = {0};
  const mluopDtypeInfo *info = mluop_dtype_info(MLUOPTEST__DATA_TYPE__DTYPE_INT32);
  const int failed = mluop_random_fill(spec, info, &(mluopWrite){.to = values}, n, &errors);
  CHECK(!failed == !errors.length);
  mluop_text_free(&errors);
  return failed;
}

static int count_equal(const int32_t *values, size_t n, int32_t wanted) {
  int found = 0;
  for (size_t i = 0; i < n; ++i) {
    found += values[i] == wanted;
  }
  return found;
}

enum { N = 1000 };

static void test_integers(void) {
  int32_t values[N];
  Mluoptest__RandomData spec = MLUOPTEST__RANDOM_DATA__INIT;
  spec.has_lower_bound = spec.has_upper_bound = 1;
  spec.lower_bound = 0;
  spec.upper_bound = 4;
  /* UNIFORM: floor of [0, 4), the upper bound never appears */
  CHECK(!fill(&spec, values, N));
  CHECK(count_equal(values, N, 0) && count_equal(values, N, 3) && !count_equal(values, N, 4));
  /* DISCRETE_UNIFORM: includes the upper bound */
  spec.has_distribution = 1;
  spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__DISCRETE_UNIFORM;
  CHECK(!fill(&spec, values, N));
  CHECK(count_equal(values, N, 0) && count_equal(values, N, 4) && !count_equal(values, N, 5));
  /* SAMPLE: every round uses each integer once */
  spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__SAMPLE;
  CHECK(!fill(&spec, values, N));
  for (int v = 0; v < 4; ++v) {
    CHECK(count_equal(values, N, v) == N / 4);
    CHECK(count_equal(values, 4, v) == 1);
  }
  spec.has_sorted_status = 1;
  spec.sorted_status = 2;
  CHECK(!fill(&spec, values, N));
  CHECK(values[0] == 3 && values[N - 1] == 0);
  /* BINOMIAL: an exact number of ones */
  spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__BINOMIAL;
  spec.has_true_number = 1;
  spec.true_number = 123;
  CHECK(!fill(&spec, values, N));
  CHECK(count_equal(values, N, 1) == 123 && count_equal(values, N, 0) == N - 123);
  spec.true_number = N + 1;
  CHECK(fill(&spec, values, N));
  spec.has_dim_shape = 1;
  spec.dim_shape = N / 10; /* the same number of ones in every row of 10 */
  spec.true_number = 3;
  CHECK(!fill(&spec, values, N));
  for (int row = 0; row < N; row += 10) {
    CHECK(count_equal(values + row, 10, 1) == 3 && count_equal(values + row, 10, 0) == 7);
  }
  spec.true_number = 11;
  CHECK(fill(&spec, values, N));
  spec.dim_shape = 7; /* not a divisor */
  CHECK(fill(&spec, values, N));
}

static void test_indices(void) {
  int32_t values[N];
  Mluoptest__RandomData spec = MLUOPTEST__RANDOM_DATA__INIT;
  spec.has_distribution = 1;
  spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__CERTAIN;
  spec.has_begin_index = spec.has_end_index = 1;
  spec.begin_index = 5;
  spec.end_index = 8;
  CHECK(!fill(&spec, values, N));
  CHECK(values[0] == 5 && values[2] == 7 && values[3] == 5);
  spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__UNIQUE_INDEX;
  CHECK(fill(&spec, values, N)); /* 1000 distinct integers from a range of 3 */
  spec.end_index = 5 + N / 2;
  spec.has_dim_shape = 1;
  spec.dim_shape = 2;
  CHECK(!fill(&spec, values, N)); /* two rows of 500 distinct integers from a range of 500 */
  for (int32_t v = 5; v < 5 + N / 2; ++v) {
    CHECK(count_equal(values, N / 2, v) == 1);
  }
  spec.end_index = 2000000000; /* a range too large to list */
  spec.has_negative_ratio = 1;
  spec.negative_ratio = 0.1f;
  CHECK(!fill(&spec, values, N));
  CHECK(count_equal(values, N, -1) == N / 10);
  spec.dim_shape = 3;
  CHECK(fill(&spec, values, N)); /* 3 rows do not divide 1000 */
}

static void test_refusals(void) {
  int32_t values[4];
  Mluoptest__RandomData spec = MLUOPTEST__RANDOM_DATA__INIT;
  CHECK(fill(&spec, values, 4)); /* UNIFORM without bounds */
  spec.has_lower_bound = spec.has_upper_bound = 1;
  spec.lower_bound = 2;
  spec.upper_bound = 1;
  CHECK(fill(&spec, values, 4));
  spec.upper_bound = INFINITY;
  CHECK(fill(&spec, values, 4));
  spec.has_distribution = 1;
  spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__GAUSSIAN;
  CHECK(fill(&spec, values, 4)); /* without mu and sigma */
}

int main(void) {
  const int seeds[] = {0, 1, 23, -5, 233, 2147483647};
  const size_t sizes[] = {1, 2, 7, 40001, 200000};
  for (int threads = 1; threads <= 3; threads += 2) {
    mluop_parallel_set_threads(threads);
    for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); ++i) {
      for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); ++k) {
        test_bits(seeds[i], sizes[k]);
      }
    }
  }
  test_engine();
  test_narrowing();
  test_integers();
  test_indices();
  test_refusals();
  return check_result("random");
}
