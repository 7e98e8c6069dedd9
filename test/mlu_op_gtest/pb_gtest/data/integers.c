/* SPDX-License-Identifier: MIT */
#include "data/integers.h"

#include <stdatomic.h>

#include "base/parallel.h"
#include "data/random_array.h"
#include "data/random_integer.h"

enum { PIECE = 1 << 20 };

typedef struct IntegersJob {
  const mluopDtypeInfo *info;
  void *data;
  mluopRandom start;
  mluopIntegerRange range;
  bool fits; /* the integer type can hold the whole range */
  atomic_bool one_by_one;
} IntegersJob;

static bool type_holds(const mluopDtypeInfo *info, mluopIntegerRange range) {
  const bool is_unsigned = info->part == MLUOP_PART_UINT8 || info->part == MLUOP_PART_UINT16 ||
                           info->part == MLUOP_PART_UINT32 || info->part == MLUOP_PART_UINT64;
  const int bits = 8 * info->part_size - (is_unsigned ? 0 : 1);
  const int64_t most = bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
  return !info->is_float && range.low >= (is_unsigned ? 0 : -most - 1) &&
         range.low + (int64_t)(range.size - 1) <= most;
}

#define STORE_ALL(type)                                                            \
  for (size_t i = 0; i < n; ++i) {                                                 \
    ((type *)job->data)[begin + i] = (type)((uint64_t)job->range.low + values[i]); \
  }

static void store(const IntegersJob *job, size_t begin, const uint64_t *values, size_t n) {
  switch (job->fits ? job->info->part_size : 0) {
    case 1:
      STORE_ALL(uint8_t)
      break;
    case 2:
      STORE_ALL(uint16_t)
      break;
    case 4:
      STORE_ALL(uint32_t)
      break;
    case 8:
      STORE_ALL(uint64_t)
      break;
    default:
      for (size_t i = 0; i < n; ++i) {
        mluop_part_store(job->info, job->data, begin + i,
                         (double)(job->range.low + (int64_t)values[i]));
      }
  }
}

static void integers_piece(void *arg, size_t piece, size_t begin, size_t end) {
  IntegersJob *job = arg;
  (void)piece;
  mluopRandom random = job->start;
  mluop_random_skip(&random, 2 * (uint64_t)begin);
  for (; begin < end; begin += MLUOP_RANDOM_BLOCK) {
    uint64_t values[MLUOP_RANDOM_BLOCK];
    const size_t n = end - begin < MLUOP_RANDOM_BLOCK ? end - begin : MLUOP_RANDOM_BLOCK;
    if (!mluop_random_below_many(&random, job->range.size, values, n)) {
      atomic_store(&job->one_by_one, true);
    }
    store(job, begin, values, n);
  }
}

void mluop_integers_fill(mluopRandom random, mluopIntegerRange range, const mluopDtypeInfo *info,
                         void *data, size_t n) {
  IntegersJob job = {
      .info = info, .data = data, .start = random, .range = range, .fits = type_holds(info, range)};
  mluop_parallel_for(n, PIECE, integers_piece, &job);
  for (size_t i = 0; i < n && atomic_load(&job.one_by_one); ++i) {
    const uint64_t value = mluop_random_below(&random, range.size);
    store(&job, i, &value, 1);
  }
}
