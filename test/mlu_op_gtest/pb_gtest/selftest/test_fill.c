/* SPDX-License-Identifier: MIT
 *
 * Large random tensors in memory: the specified bits whichever way they are generated, and digests.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/digest.h"
#include "base/memory.h"
#include "data/distribution.h"
#include "data/narrow.h"
#include "data/random.h"
#include "data/random_integer.h"
#include "data/random_array.h"
#include "selftest/check.h"
#include "selftest/random_expected.h"

/* Two pieces and a remainder that is not a multiple of any vector. */
enum { N = 2 * MLUOP_RANDOM_UNIFORM_PIECE + 4321, MARGIN = 64, SEED = 77 };

static const char margin_byte = 0x5c;

static Mluoptest__RandomData uniform(float lower, float upper) {
  Mluoptest__RandomData spec = MLUOPTEST__RANDOM_DATA__INIT;
  spec.has_seed = spec.has_lower_bound = spec.has_upper_bound = 1;
  spec.seed = SEED;
  spec.lower_bound = lower;
  spec.upper_bound = upper;
  return spec;
}

/* Fills a tensor inside `block`, `offset` bytes after an aligned address, with margins; returns its
 * address. */
static void *fill(const Mluoptest__RandomData *spec, mluopTestDtype type, char *block,
                  size_t offset, bool streamed) {
  const mluopDtypeInfo *info = mluop_dtype_info(type);
  const size_t size = N * mluop_dtype_size(info);
  char *data = block + MARGIN + offset;
  uint64_t digest = 0;
  mluopTestText errors = {0};
  memset(block, margin_byte, size + 3 * MARGIN);
  const mluopWrite write = {.to = data, .streamed = streamed, .digest = &digest};
  CHECK(!mluop_random_fill(spec, info, &write, N, &errors));
  CHECK(digest == mluop_digest(data, size));
  CHECK(data[-1] == margin_byte && data[size] == margin_byte);
  mluop_text_free(&errors);
  return data;
}

static void test_floats(const float *wanted, char *block) {
  const Mluoptest__RandomData spec = uniform(-3.5f, 100);
  uint16_t *narrow = malloc(N * sizeof(uint16_t));
  CHECK(narrow != NULL);
  for (int way = 0; narrow && way < 4; ++way) {
    const bool streamed = way % 2 == 1;
    const size_t offset = way < 2 ? 0 : 12; /* unaligned for vectors */
    const void *got = fill(&spec, MLUOPTEST__DATA_TYPE__DTYPE_FLOAT, block, offset, streamed);
    CHECK(!memcmp(got, wanted, N * sizeof(float)));
    got = fill(&spec, MLUOPTEST__DATA_TYPE__DTYPE_HALF, block, offset, streamed);
    mluop_floats_to_half(wanted, narrow, N);
    CHECK(!memcmp(got, narrow, N * sizeof(uint16_t)));
    got = fill(&spec, MLUOPTEST__DATA_TYPE__DTYPE_BFLOAT16, block, offset, streamed);
    mluop_floats_to_bfloat16(wanted, narrow, N);
    CHECK(!memcmp(got, narrow, N * sizeof(uint16_t)));
    const int32_t *integers =
        fill(&spec, MLUOPTEST__DATA_TYPE__DTYPE_INT32, block, offset, streamed);
    size_t wrong = 0;
    for (size_t i = 0; i < N; ++i) {
      wrong += integers[i] != (int32_t)floorf(wanted[i]);
    }
    CHECK(!wrong);
  }
  free(narrow);
}

/* Widths for which width / 2^31 is subnormal or infinite. */
static void test_widths(float *wanted, char *block) {
  const float bounds[][2] = {{0, 0x1p-100f}, {0, 0x1p-149f}, {-0x1p127f, 0x1.8p127f}};
  for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); ++i) {
    const Mluoptest__RandomData spec = uniform(bounds[i][0], bounds[i][1]);
    const void *got = fill(&spec, MLUOPTEST__DATA_TYPE__DTYPE_FLOAT, block, 0, true);
    expected_uniform_float(SEED, bounds[i][0], bounds[i][1], N, wanted);
    CHECK(!memcmp(got, wanted, N * sizeof(float)));
  }
}

/* Other distributions also give a digest. */
static void test_gaussian(float *wanted, char *block) {
  Mluoptest__RandomData spec = uniform(0, 1);
  spec.has_distribution = spec.has_mu = spec.has_sigma = 1;
  spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__GAUSSIAN;
  spec.mu = 0.5f;
  spec.sigma = 2;
  const void *got = fill(&spec, MLUOPTEST__DATA_TYPE__DTYPE_FLOAT, block, 0, true);
  expected_gaussian_float(SEED, 0.5f, 2, N, wanted);
  CHECK(!memcmp(got, wanted, N * sizeof(float)));
}

static bool is_refused(const Mluoptest__RandomData *spec) {
  float value = 0;
  mluopTestText errors = {0};
  const mluopWrite write = {.to = &value};
  const bool refused = mluop_random_fill(spec, mluop_dtype_info(MLUOPTEST__DATA_TYPE__DTYPE_FLOAT),
                                         &write, 1, &errors);
  mluop_text_free(&errors);
  return refused;
}

/* Where only one value of a Gaussian pair is used, nothing is written for the other. */
static void test_halves_of_pairs(void) {
  Mluoptest__RandomData spec = uniform(-3, 5);
  CHECK(!is_refused(&spec));
  spec.has_lower_bound_double = 1;
  CHECK(is_refused(&spec));
  spec.has_upper_bound_double = 1;
  CHECK(!is_refused(&spec));
  spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__GAUSSIAN;
  CHECK(is_refused(&spec));
  spec.has_mu_double = spec.has_sigma = 1;
  CHECK(is_refused(&spec));
  spec.has_sigma_double = 1;
  CHECK(!is_refused(&spec));
}

/* Several threads give the same integers as one. */
static void test_integers(char *block) {
  static const struct {
    mluopTestDtype type;
    double lower, upper;
  } cases[] = {
      {MLUOPTEST__DATA_TYPE__DTYPE_INT8, -128, 127},
      {MLUOPTEST__DATA_TYPE__DTYPE_UINT8, 0, 255},
      {MLUOPTEST__DATA_TYPE__DTYPE_INT8, -3, 1000},
      {MLUOPTEST__DATA_TYPE__DTYPE_INT16, 5, 5},
      {MLUOPTEST__DATA_TYPE__DTYPE_INT32, 0, 65535},
      {MLUOPTEST__DATA_TYPE__DTYPE_INT32, 0, 65536},
      {MLUOPTEST__DATA_TYPE__DTYPE_FLOAT, -7, 41},
      {MLUOPTEST__DATA_TYPE__DTYPE_INT64, -5, 1000000},
      {MLUOPTEST__DATA_TYPE__DTYPE_INT64, -4e15, 4e15},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    Mluoptest__RandomData spec = uniform(0, 0);
    spec.has_lower_bound_double = spec.has_upper_bound_double = spec.has_distribution = 1;
    spec.lower_bound_double = cases[i].lower;
    spec.upper_bound_double = cases[i].upper;
    spec.distribution = MLUOPTEST__RANDOM_DISTRIBUTION__DISCRETE_UNIFORM;
    const void *got = fill(&spec, cases[i].type, block, 0, false);
    const mluopDtypeInfo *info = mluop_dtype_info(cases[i].type);
    const uint64_t range = (uint64_t)(cases[i].upper - cases[i].lower) + 1;
    mluopRandom random = mluop_random_seed(SEED);
    size_t wrong = 0;
    for (size_t k = 0; k < N; ++k) {
      uint64_t wanted = 0;
      mluop_part_store(info, &wanted, 0,
                       cases[i].lower + (double)mluop_random_below(&random, range));
      wrong += mluop_part_bits(info, got, k) != mluop_part_bits(info, &wanted, 0);
    }
    CHECK(!wrong);
  }
}

/* The one pair of draws in 2^62 that is rejected and drawn again. */
static void test_drawn_again(void) {
  const uint64_t modulus = 2147483647, range = modulus - 1, all = range * range;
  mluopRandom inverse = {.state = 1};
  mluop_random_skip(&inverse, modulus - 2); /* inverse of the multiplier */
  const mluopRandom before = {.state = (uint32_t)(modulus - inverse.state)};
  uint64_t bound = 30000, value = 0;
  while (all % bound < 20000) {
    ++bound;
  }
  for (uint64_t factor = 1; factor <= 3; factor += 2) { /* also for bounds that vectors do not
                                                         * handle */
    mluopRandom one = before, many = before;
    const bool again =
        all % (bound * factor) > 16806; /* the second draw is 16807 below the modulus */
    CHECK(mluop_random_next(&one) == range);
    CHECK(mluop_random_below_many(&many, bound * factor, &value, 1) == !again);
    one = before;
    mluop_random_below(&one, bound * factor);
    CHECK((one.state == many.state) == !again);
  }
}

static void test_digest(char *block) {
  enum { SIZE = 100003 };
  memset(block, 0, SIZE);
  const uint64_t zeros = mluop_digest(block, SIZE);
  /* any bit, in the words of vectors and in the rest */
  for (size_t at = 0; at < SIZE; at += at < SIZE - 300 ? 997 : 1) {
    for (int bit = 0; bit < 8; ++bit) {
      block[at] = (char)(1 << bit);
      CHECK(mluop_digest(block, SIZE) != zeros);
    }
    block[at] = 0;
  }
  CHECK(mluop_digest(block, SIZE) == zeros);
  /* a constant everywhere, and two swapped words */
  memset(block, 1, SIZE);
  CHECK(mluop_digest(block, SIZE) != zeros);
  memset(block, 0, SIZE);
  block[8] = 1;
  const uint64_t one = mluop_digest(block, SIZE);
  block[8] = 0;
  block[16] = 1;
  CHECK(mluop_digest(block, SIZE) != one);
  /* parts in any order */
  uint64_t sum = 0;
  for (size_t end = SIZE, begin = SIZE / 8 * 8; end;
       end = begin, begin -= begin < 4088 ? begin : 4088) {
    sum += mluop_digest_part(block + begin, begin, end - begin);
  }
  CHECK(sum == mluop_digest(block, SIZE));
  /* together with another array */
  char *other = malloc(SIZE);
  CHECK(other != NULL);
  if (other) {
    memcpy(other, block, SIZE);
    sum = 0;
    CHECK(mluop_digest_part_if_same(block, other, 0, SIZE, &sum));
    CHECK(sum == mluop_digest(block, SIZE));
    for (size_t at = 0; at < SIZE; at += at < SIZE - 300 ? 997 : 1) {
      other[at] ^= 4;
      CHECK(!mluop_digest_part_if_same(block, other, 0, SIZE, &sum));
      other[at] ^= 4;
    }
    CHECK(sum == mluop_digest(block, SIZE));
  }
  free(other);
}

/* Copies and fills with and without non-temporal stores, at any alignment. */
static void test_copies(char *block, char *other) {
  enum { SIZE = 9 << 20 };
  for (int way = 0; way < 4; ++way) {
    const size_t offset = way < 2 ? 0 : 3, size = SIZE + offset;
    const bool streamed = way % 2 == 1;
    memset(block, 0, size + 8);
    mluop_memory_fill(block + offset, size, 0x04030201, streamed);
    size_t wrong = 0;
    for (size_t i = 0; i < size; ++i) {
      wrong += block[offset + i] != (char)(i % 4 + 1);
    }
    CHECK(!wrong && block[offset + size] == 0);
    memset(other, 0, size + 8);
    mluop_memory_copy(other, block + offset, size, streamed);
    CHECK(!memcmp(other, block + offset, size) && other[size] == 0);
  }
}

int main(void) {
  /* doubles are the largest elements */
  char *block = aligned_alloc(MARGIN, (N * sizeof(double) / MARGIN + 8) * MARGIN);
  float *wanted = malloc(N * sizeof(float));
  CHECK(block && wanted);
  if (block && wanted) {
    expected_uniform_float(SEED, -3.5f, 100, N, wanted);
    test_floats(wanted, block);
    test_widths(wanted, block);
    test_gaussian(wanted, block);
    test_integers(block);
    test_halves_of_pairs();
    test_drawn_again();
    test_digest(block);
    char *other = malloc(N * sizeof(double));
    CHECK(other != NULL);
    if (other) {
      test_copies(block, other);
    }
    free(other);
  }
  free(block);
  free(wanted);
  return check_result("fill");
}
