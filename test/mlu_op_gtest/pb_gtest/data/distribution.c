/* SPDX-License-Identifier: MIT */
#include "data/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/parallel.h"
#include "base/stream.h"
#include "data/integers.h"
#include "data/narrow.h"
#include "data/random.h"
#include "data/random_integer.h"
#include "data/random_array.h"
#include "data/random_uniform.h"

typedef struct FillTarget {
  const mluopDtypeInfo *info;
  void *data;
  bool convert_dtype;
  bool streamed;
  uint64_t *digests; /* per piece of uniform values: part of the digest; or NULL */
} FillTarget;

/* Stores a block of elements while it is still in the caches, unless it is already in place. */
static void put(FillTarget *target, size_t begin, const void *block, size_t n) {
  const size_t at = begin * target->info->part_size, size = n * target->info->part_size;
  char *place = (char *)target->data + at;
  if (block != place) {
    (target->streamed ? (void)mluop_stream_copy(place, block, size)
                      : (void)memcpy(place, block, size));
  }
  if (target->digests) {
    target->digests[begin / MLUOP_RANDOM_UNIFORM_PIECE] += mluop_digest_part(block, at, size);
  }
}

/* Converts a real value to an integer type (see the header). */
static double to_integer(const FillTarget *target, double value) {
  switch (target->info->part) {
    case MLUOP_PART_INT8:
    case MLUOP_PART_INT16:
      return target->convert_dtype ? floor(value) : round(value);
    case MLUOP_PART_BOOL:
      return trunc(value);
    case MLUOP_PART_UINT64:
      return floor(fabs(value));
    default:
      return floor(value);
  }
}

/* Only doubles use this; every other type is drawn as float. */
static void sink_double(void *arg, size_t begin, const double *values, size_t n) {
  put(arg, begin, values, n);
}

static void sink_float(void *arg, size_t begin, const float *values, size_t n) {
  FillTarget *target = arg;
  _Alignas(64) uint16_t narrow[MLUOP_RANDOM_BLOCK];
  const void *block = values;
  switch (target->info->part) {
    case MLUOP_PART_FLOAT:
      break;
    case MLUOP_PART_HALF:
      mluop_floats_to_half(values, narrow, n);
      block = narrow;
      break;
    case MLUOP_PART_BFLOAT16:
      mluop_floats_to_bfloat16(values, narrow, n);
      block = narrow;
      break;
    default:
      for (size_t i = 0; i < n; ++i) {
        mluop_part_store(target->info, target->data, begin + i,
                         to_integer(target, (double)values[i]));
      }
      block = (const char *)target->data + begin * target->info->part_size;
  }
  put(target, begin, block, n);
}

typedef struct UniformJob {
  FillTarget *target;
  mluopRandom start;
  float lower, width;
} UniformJob;

/* Values of a 16- or 32-bit float type are stored directly if the machine supports that.
 */
static void uniform_piece(void *arg, size_t piece, size_t begin, size_t end) {
  const UniformJob *job = arg;
  FillTarget *target = job->target;
  const size_t at = begin * target->info->part_size;
  mluopUniformRun run = {.part = target->info->part,
                         .to = (char *)target->data + at,
                         .streamed = target->streamed,
                         .sums = target->digests != NULL,
                         .place = at / sizeof(uint64_t)};
  mluopRandom random = job->start;
  mluop_random_skip(&random, begin);
  begin += mluop_random_uniform_run(&random, job->lower, job->width, &run, end - begin);
  if (run.sums) {
    target->digests[piece] += run.digest;
  }
  for (; begin < end; begin += MLUOP_RANDOM_BLOCK) {
    _Alignas(64) float values[MLUOP_RANDOM_BLOCK];
    const size_t n = end - begin < MLUOP_RANDOM_BLOCK ? end - begin : MLUOP_RANDOM_BLOCK;
    mluop_random_uniform_block_float(&random, job->lower, job->width, values, n);
    sink_float(target, begin, values, n);
  }
}

static double lower_bound(const Mluoptest__RandomData *spec) {
  return spec->has_lower_bound_double ? spec->lower_bound_double : (double)spec->lower_bound;
}

/* Both bounds must be of the same kind: the one of the other kind would be ignored. */
static double upper_bound(const Mluoptest__RandomData *spec) {
  return spec->has_lower_bound_double ? spec->upper_bound_double : (double)spec->upper_bound;
}

static bool has_bounds(const Mluoptest__RandomData *spec) {
  return spec->has_lower_bound_double ? spec->has_upper_bound_double
                                      : spec->has_lower_bound && spec->has_upper_bound;
}

static int fill_uniform(const Mluoptest__RandomData *spec, int32_t seed, FillTarget *target,
                        size_t n_parts, mluopTestText *errors) {
  if (!has_bounds(spec)) {
    mluop_text_add(errors,
                   "random_data UNIFORM needs lower_bound and upper_bound, or both as _double");
    return -1;
  }
  const double lower = lower_bound(spec), upper = upper_bound(spec);
  if (!(lower <= upper) || isinf(lower) || isinf(upper)) {
    mluop_text_add(errors,
                   "random_data UNIFORM needs finite lower_bound <= upper_bound, got %g and %g",
                   lower, upper);
    return -1;
  }
  if (target->info->part == MLUOP_PART_DOUBLE) {
    mluop_random_uniform_double(seed, lower, upper, n_parts, sink_double, target);
  } else if (target->info->is_float && (float)lower < (float)upper) {
    const UniformJob job = {target, mluop_random_seed(seed), (float)lower,
                            mluop_random_width_float((float)lower, (float)upper)};
    mluop_parallel_for(n_parts, MLUOP_RANDOM_UNIFORM_PIECE, uniform_piece, (void *)&job);
  } else {
    mluop_random_uniform_float(seed, (float)lower, (float)upper, n_parts, sink_float, target);
  }
  return 0;
}

static int fill_gaussian(const Mluoptest__RandomData *spec, int32_t seed, FillTarget *target,
                         size_t n_parts, mluopTestText *errors) {
  if (!(spec->has_mu_double ? spec->has_sigma_double : spec->has_mu && spec->has_sigma)) {
    mluop_text_add(errors, "random_data GAUSSIAN needs mu and sigma, or both as _double");
    return -1;
  }
  const double mu = spec->has_mu_double ? spec->mu_double : (double)spec->mu;
  const double sigma = spec->has_mu_double ? spec->sigma_double : (double)spec->sigma;
  const int failed =
      target->info->part == MLUOP_PART_DOUBLE
          ? mluop_random_gaussian_double(seed, mu, sigma, n_parts, sink_double, target)
          : mluop_random_gaussian_float(seed, (float)mu, (float)sigma, n_parts, sink_float, target);
  if (failed) {
    mluop_text_add(errors, "out of memory for random_data");
  }
  return failed;
}

static int bounds_range(const Mluoptest__RandomData *spec, bool closed, mluopIntegerRange *range,
                        mluopTestText *errors) {
  const double lower = lower_bound(spec), upper = upper_bound(spec);
  const double limit = 9.0e15; /* integers are exact below this */
  const double low = ceil(lower), high = closed ? floor(upper) + 1 : ceil(upper);
  if (!(fabs(lower) < limit && fabs(upper) < limit && low < high)) {
    mluop_text_add(errors, "random_data bounds %g and %g hold no integer", lower, upper);
    return -1;
  }
  *range = (mluopIntegerRange){.low = (int64_t)low, .size = (uint64_t)(high - low)};
  return 0;
}

static int index_range(const Mluoptest__RandomData *spec, mluopIntegerRange *range,
                       mluopTestText *errors) {
  if (!spec->has_begin_index || !spec->has_end_index || spec->end_index <= spec->begin_index) {
    mluop_text_add(errors, "random_data needs begin_index < end_index");
    return -1;
  }
  *range = (mluopIntegerRange){.low = spec->begin_index,
                               .size = (uint64_t)((int64_t)spec->end_index - spec->begin_index)};
  return 0;
}

static void store(const FillTarget *target, size_t index, int64_t value) {
  mluop_part_store(target->info, target->data, index, (double)value);
}

static int compare_ascending(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* True if n distinct integers are picked from a list of the whole range. */
static bool is_listed(mluopIntegerRange range, size_t n) {
  return range.size <= 4 * (uint64_t)n + 64;
}

/* Draws `n` distinct integers of the range (n <= range.size) in random order. Memory is
 * proportional to n, not to the range: a sparse Fisher-Yates shuffle would need a map, so for a
 * range much larger than n duplicates are redrawn instead. `all` has room for the range if that is
 * listed. */
static int draw_distinct(mluopRandom *random, mluopIntegerRange range, int64_t *all,
                         int64_t *values, size_t n, mluopTestText *errors) {
  if (is_listed(range, n)) {
    for (uint64_t i = 0; i < range.size; ++i) {
      all[i] = range.low + (int64_t)i;
    }
    for (size_t i = 0; i < n; ++i) {
      const uint64_t j = i + mluop_random_below(random, range.size - i);
      const int64_t picked = all[j];
      all[j] = all[i];
      values[i] = all[i] = picked;
    }
    return 0;
  }
  /* Open addressing, a quarter full; duplicates are drawn again. */
  size_t slots = 64;
  while (slots < 4 * n) {
    slots *= 2;
  }
  int64_t *table = malloc(slots * sizeof(int64_t));
  unsigned char *used = calloc(slots, 1);
  if (!table || !used) {
    free(table);
    free(used);
    mluop_text_add(errors, "out of memory for random_data");
    return -1;
  }
  for (size_t i = 0; i < n;) {
    const int64_t value = range.low + (int64_t)mluop_random_below(random, range.size);
    size_t slot = (size_t)((uint64_t)value * UINT64_C(0x9E3779B97F4A7C15)) & (slots - 1);
    while (used[slot] && table[slot] != value) {
      slot = (slot + 1) & (slots - 1);
    }
    if (!used[slot]) {
      used[slot] = 1;
      table[slot] = value;
      values[i++] = value;
    }
  }
  free(table);
  free(used);
  return 0;
}

/* `all` has room for the range if that is listed. */
static void sort_values(mluopIntegerRange range, int64_t *all, int64_t *values, size_t n) {
  if (!is_listed(range, n)) {
    qsort(values, n, sizeof(values[0]), compare_ascending);
    return;
  }
  memset(all, 0, (size_t)range.size * sizeof(all[0]));
  for (size_t i = 0; i < n; ++i) {
    ++all[values[i] - range.low];
  }
  size_t at = 0;
  for (uint64_t v = 0; v < range.size; ++v) {
    for (; all[v] > 0; --all[v]) {
      values[at++] = range.low + (int64_t)v;
    }
  }
}

static void store_values(const FillTarget *target, size_t begin, const int64_t *values, size_t n,
                         int sorted_status) {
  for (size_t i = 0; i < n; ++i) {
    store(target, begin + i, values[sorted_status == 2 ? n - 1 - i : i]);
  }
}

/* Fills rows with distinct integers; if `rounds` is set, a row may be longer than the range and
 * takes several rounds. */
static int fill_distinct(const Mluoptest__RandomData *spec, mluopRandom *random,
                         const FillTarget *target, mluopIntegerRange range, size_t n_rows,
                         size_t row, bool rounds, mluopTestText *errors) {
  if (!rounds && row > range.size) {
    mluop_text_add(errors, "random_data asks for %zu distinct integers of %llu", row,
                   (unsigned long long)range.size);
    return -1;
  }
  int64_t *values = malloc((row ? row : 1) * sizeof(int64_t));
  int64_t *all = malloc((is_listed(range, row) ? (size_t)range.size : 1) * sizeof(int64_t));
  int failed = !values || !all ? -1 : 0;
  if (failed) {
    mluop_text_add(errors, "out of memory for random_data");
  }
  for (size_t r = 0; r < n_rows && !failed; ++r) {
    for (size_t done = 0; done < row && !failed;) {
      const size_t left = row - done;
      const size_t n = left < range.size ? left : (size_t)range.size;
      failed = draw_distinct(random, range, all, values + done, n, errors);
      done += n;
    }
    const int sorted_status = spec->has_sorted_status ? spec->sorted_status : 0;
    if (!failed && (sorted_status == 1 || sorted_status == 2)) {
      sort_values(range, all, values, row);
    }
    if (!failed) {
      store_values(target, r * row, values, row, sorted_status);
    }
  }
  free(all);
  free(values);
  return failed;
}

/* Elements in each of the dim_shape rows. */
static int row_length(const Mluoptest__RandomData *spec, size_t n_parts, size_t *row,
                      mluopTestText *errors) {
  if (spec->dim_shape < 1 || n_parts % (size_t)spec->dim_shape) {
    mluop_text_add(errors, "random_data dim_shape %d does not divide %zu elements", spec->dim_shape,
                   n_parts);
    return -1;
  }
  *row = n_parts / (size_t)spec->dim_shape;
  return 0;
}

static int fill_binomial(const Mluoptest__RandomData *spec, mluopRandom *random,
                         const FillTarget *target, size_t n_parts, mluopTestText *errors) {
  if (!spec->has_true_number) {
    mluop_integers_fill(*random, (mluopIntegerRange){.size = 2}, target->info, target->data,
                        n_parts);
    return 0;
  }
  size_t row;
  if (row_length(spec, n_parts, &row, errors)) {
    return -1;
  }
  if (spec->true_number < 0 || (size_t)spec->true_number > row) {
    mluop_text_add(errors, "random_data true_number %d is not in [0, %zu]", spec->true_number, row);
    return -1;
  }
  /* Selection sampling: one pass gives exactly true_number ones per row. */
  for (size_t begin = 0; begin < n_parts; begin += row) {
    size_t left = (size_t)spec->true_number;
    for (size_t i = 0; i < row; ++i) {
      const bool take = mluop_random_below(random, row - i) < left;
      store(target, begin + i, take);
      left -= take;
    }
  }
  return 0;
}

static int fill_certain(const Mluoptest__RandomData *spec, const FillTarget *target, size_t n_parts,
                        mluopTestText *errors) {
  if (!spec->has_begin_index && !spec->has_end_index) {
    for (size_t i = 0; i < n_parts; ++i) {
      mluop_part_store(target->info, target->data, i, lower_bound(spec));
    }
    return 0;
  }
  mluopIntegerRange range;
  if (index_range(spec, &range, errors)) {
    return -1;
  }
  for (size_t i = 0; i < n_parts; ++i) {
    store(target, i, range.low + (int64_t)(i % range.size));
  }
  return 0;
}

static int fill_unique_index(const Mluoptest__RandomData *spec, mluopRandom *random,
                             const FillTarget *target, size_t n_parts, mluopTestText *errors) {
  mluopIntegerRange range;
  if (index_range(spec, &range, errors)) {
    return -1;
  }
  size_t row;
  if (row_length(spec, n_parts, &row, errors) ||
      fill_distinct(spec, random, target, range, (size_t)spec->dim_shape, row, false, errors)) {
    return -1;
  }
  const double ratio = spec->has_negative_ratio ? (double)spec->negative_ratio : 0;
  if (!(ratio >= 0 && ratio <= 1)) {
    mluop_text_add(errors, "random_data negative_ratio %g is not in [0, 1]", ratio);
    return -1;
  }
  size_t left = (size_t)(ratio * (double)n_parts);
  for (size_t i = 0; i < n_parts && left; ++i) {
    if (mluop_random_below(random, n_parts - i) < left) {
      store(target, i, -1);
      --left;
    }
  }
  return 0;
}

static bool is_uniform(const Mluoptest__RandomData *spec) {
  return spec->distribution == MLUOPTEST__RANDOM_DISTRIBUTION__UNIFORM;
}

static int fill(const Mluoptest__RandomData *spec, FillTarget *target, size_t n_parts,
                mluopTestText *errors) {
  const int32_t seed = spec->has_seed ? spec->seed : MLUOP_RANDOM_SEED_DEFAULT;
  mluopRandom random = mluop_random_seed(seed);
  mluopIntegerRange range;
  switch (spec->distribution) {
    case MLUOPTEST__RANDOM_DISTRIBUTION__UNIFORM:
      return fill_uniform(spec, seed, target, n_parts, errors);
    case MLUOPTEST__RANDOM_DISTRIBUTION__GAUSSIAN:
      return fill_gaussian(spec, seed, target, n_parts, errors);
    case MLUOPTEST__RANDOM_DISTRIBUTION__DISCRETE_UNIFORM:
      if (bounds_range(spec, true, &range, errors)) {
        return -1;
      }
      mluop_integers_fill(random, range, target->info, target->data, n_parts);
      return 0;
    case MLUOPTEST__RANDOM_DISTRIBUTION__SAMPLE:
      return bounds_range(spec, false, &range, errors) ||
                     fill_distinct(spec, &random, target, range, 1, n_parts, true, errors)
                 ? -1
                 : 0;
    case MLUOPTEST__RANDOM_DISTRIBUTION__BINOMIAL:
      return fill_binomial(spec, &random, target, n_parts, errors);
    case MLUOPTEST__RANDOM_DISTRIBUTION__CERTAIN:
      return fill_certain(spec, target, n_parts, errors);
    case MLUOPTEST__RANDOM_DISTRIBUTION__UNIQUE_INDEX:
      return fill_unique_index(spec, &random, target, n_parts, errors);
    default:
      mluop_text_add(errors, "random_data distribution %d is unknown", (int)spec->distribution);
      return -1;
  }
}

int mluop_random_fill(const Mluoptest__RandomData *spec, const mluopDtypeInfo *info,
                      const mluopWrite *write, size_t count, mluopTestText *errors) {
  const size_t n_parts = count * info->parts;
  const size_t pieces = mluop_parallel_pieces(n_parts, MLUOP_RANDOM_UNIFORM_PIECE);
  FillTarget target = {.info = info,
                       .data = write->to,
                       .convert_dtype = spec->convert_dtype != 0,
                       .streamed = write->streamed && is_uniform(spec)};
  if (write->digest && is_uniform(spec)) { /* while the blocks are still cached */
    target.digests = calloc(pieces, sizeof(uint64_t));
  }
  const int failed = fill(spec, &target, n_parts, errors);
  if (!failed && target.digests) {
    *write->digest = 0;
    for (size_t i = 0; i < pieces; ++i) {
      *write->digest += target.digests[i];
    }
  } else if (!failed && write->digest) {
    *write->digest = mluop_digest(write->to, count * mluop_dtype_size(info));
  }
  free(target.digests);
  return failed;
}

bool mluop_random_is_quick(const Mluoptest__RandomData *spec, const mluopDtypeInfo *info) {
  return is_uniform(spec) && info->is_float;
}
