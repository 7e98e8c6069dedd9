/* SPDX-License-Identifier: MIT */
#include "judge/diff.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "judge/bits.h"

enum {
  DIFF_GRAIN = 1 << 16,
  DIFF_BLOCK = 1024,
  DIFF4_PAIRS_MIN = 100,
  DIFF4_PAIRS_MAX = 1 << 22, /* enough samples to see a bias in a tensor of any size */
  DIFF_KL_COUNT_MIN = 1000,
};

static const double diff_denominator_floor = 1e-9;
static const double diff_kl_floor = 1e-10;

typedef struct DiffPartial {
  double abs_error, abs_base, abs_measured, sq_error, sq_base, max_mixed, max_abs;
  double kl_base, kl_measured; /* sums of max(|x|, floor) */
  double kl;
  size_t n_wrong, n_different, first;
} DiffPartial;

typedef struct DiffJob {
  const mluopDtypeInfo *info;
  const void *baseline, *measured;
  int part;
  bool loose;
  double eps;
  double kl_base, kl_measured; /* totals, for the second pass */
  DiffPartial *partials;
} DiffJob;

static double diff3_eps(const mluopDtypeInfo *info) {
  switch (info->part) {
    case MLUOP_PART_FLOAT:
      return 1e-6;
    case MLUOP_PART_HALF:
    case MLUOP_PART_BFLOAT16:
      return 1e-4;
    default:
      return 0;
  }
}

static bool nonfinite_equal(double b, double m, bool loose) {
  if (isnan(b) && isnan(m)) {
    return true;
  }
  if (loose && !isfinite(b) && !isfinite(m) && (isnan(b) || isnan(m))) {
    return true;
  }
  return b == m;
}

static double kl_weight(double x) {
  return fmax(fabs(x), diff_kl_floor);
}

static void accumulate(const DiffJob *job, DiffPartial *sum, double b, double m, size_t index) {
  if (!isfinite(b) || !isfinite(m)) {
    if (!nonfinite_equal(b, m, job->loose)) {
      sum->first = sum->n_different++ ? sum->first : index;
      ++sum->n_wrong;
    }
    return;
  }
  const double error = fabs(m - b), base = fabs(b);
  sum->kl_base += kl_weight(b);
  sum->kl_measured += kl_weight(m);
  sum->abs_base += base;
  sum->sq_base += base * base;
  if (error == 0) {
    return;
  }
  sum->first = sum->n_different++ ? sum->first : index;
  sum->abs_error += error;
  sum->sq_error += error * error;
  sum->max_abs = fmax(sum->max_abs, error);
  sum->max_mixed =
      fmax(sum->max_mixed, base < job->eps ? error : error / (base + diff_denominator_floor));
}

typedef void (*PairVisit)(const DiffJob *job, DiffPartial *sum, double b, double m, size_t index);

static void visit_pairs(const DiffJob *job, DiffPartial *sum, size_t begin, size_t end,
                        PairVisit visit) {
  double b[DIFF_BLOCK], m[DIFF_BLOCK];
  const size_t step = job->info->parts;
  for (size_t i = begin; i < end; i += DIFF_BLOCK) {
    const size_t n = end - i < DIFF_BLOCK ? end - i : DIFF_BLOCK;
    const size_t first = i * step + (size_t)job->part;
    mluop_parts_load(job->info, job->baseline, first, step, n, b);
    mluop_parts_load(job->info, job->measured, first, step, n, m);
    for (size_t k = 0; k < n; ++k) {
      visit(job, sum, b[k], m[k], i + k);
    }
  }
}

static void sums_piece(void *arg, size_t piece, size_t begin, size_t end) {
  const DiffJob *job = arg;
  visit_pairs(job, &job->partials[piece], begin, end, accumulate);
}

static void accumulate_kl(const DiffJob *job, DiffPartial *sum, double b, double m, size_t index) {
  (void)index;
  if (isfinite(b) && isfinite(m)) {
    const double p = kl_weight(b) / job->kl_base, q = kl_weight(m) / job->kl_measured;
    sum->kl += 0.5 * p * log(p / q) + 0.5 * q * log(q / p);
  }
}

static void kl_piece(void *arg, size_t piece, size_t begin, size_t end) {
  const DiffJob *job = arg;
  visit_pairs(job, &job->partials[piece], begin, end, accumulate_kl);
}

typedef struct Pair {
  double b, m;
} Pair;

static int compare_pairs(const void *x, const void *y) {
  const Pair *p = x, *q = y;
  if (p->b != q->b) {
    return p->b < q->b ? -1 : 1;
  }
  return (p->m > q->m) - (p->m < q->m);
}

static double diff4(const DiffJob *job, size_t count, size_t n_different) {
  const size_t capacity = n_different < DIFF4_PAIRS_MAX ? n_different : DIFF4_PAIRS_MAX;
  if (capacity < DIFF4_PAIRS_MIN) {
    return MLUOP_DIFF_IGNORED;
  }
  Pair *pairs = malloc(capacity * sizeof(Pair));
  if (!pairs) {
    return MLUOP_DIFF_IGNORED;
  }
  size_t n = 0;
  const size_t step = job->info->parts;
  for (size_t i = 0; i < count && n < capacity; ++i) {
    const size_t at = i * step + (size_t)job->part;
    const Pair pair = {mluop_part_load(job->info, job->baseline, at),
                       mluop_part_load(job->info, job->measured, at)};
    if (isfinite(pair.b) && isfinite(pair.m) && pair.b != pair.m) {
      pairs[n++] = pair;
    }
  }
  qsort(pairs, n, sizeof(Pair), compare_pairs);
  size_t distinct = 0, below = 0;
  for (size_t i = 0; i < n; ++i) {
    if (i && !compare_pairs(&pairs[i], &pairs[i - 1])) {
      continue;
    }
    ++distinct;
    below += pairs[i].m < pairs[i].b;
  }
  free(pairs);
  return distinct < DIFF4_PAIRS_MIN ? MLUOP_DIFF_IGNORED : (double)below / (double)distinct;
}

/* In piece order, so that the sums do not depend on the threads. */
static DiffPartial combine(const DiffPartial *partials, size_t n) {
  DiffPartial total = {.first = SIZE_MAX};
  for (size_t i = 0; i < n; ++i) {
    const DiffPartial *p = &partials[i];
    total.abs_error += p->abs_error;
    total.abs_base += p->abs_base;
    total.sq_error += p->sq_error;
    total.sq_base += p->sq_base;
    total.kl_base += p->kl_base;
    total.kl_measured += p->kl_measured;
    total.kl += p->kl;
    total.max_abs = fmax(total.max_abs, p->max_abs);
    total.max_mixed = fmax(total.max_mixed, p->max_mixed);
    total.n_wrong += p->n_wrong;
    if (p->n_different && total.first == SIZE_MAX) {
      total.first = p->first;
    }
    total.n_different += p->n_different;
  }
  return total;
}

static mluopDiffs all_equal(size_t count) {
  mluopDiffs diffs = {0};
  diffs.value[MLUOP_DIFF4] = MLUOP_DIFF_IGNORED;
  if (count < DIFF_KL_COUNT_MIN) {
    diffs.value[MLUOP_DIFF_KL] = MLUOP_DIFF_IGNORED;
  }
  return diffs;
}

mluopDiffs mluop_diffs_compute(const mluopDtypeInfo *info, const void *baseline,
                               const void *measured, size_t count, int part, bool loose) {
  if (mluop_bytes_equal(baseline, measured, count * mluop_dtype_size(info))) {
    mluopDiffs same = all_equal(count);
    same.same_bits = true;
    return same;
  }
  const size_t n_pieces = mluop_parallel_pieces(count, DIFF_GRAIN);
  DiffJob job = {.info = info,
                 .baseline = baseline,
                 .measured = measured,
                 .part = part,
                 .loose = loose,
                 .eps = diff3_eps(info),
                 .partials = calloc(n_pieces, sizeof(DiffPartial))};
  mluopDiffs diffs = {0};
  if (!job.partials) {
    /* A formula that was not evaluated does not count as passed. */
    diffs.n_different = count;
    for (int kind = 0; kind < MLUOP_DIFF_KINDS; ++kind) {
      diffs.value[kind] = DBL_MAX;
    }
    return diffs;
  }
  mluop_parallel_for(count, DIFF_GRAIN, sums_piece, &job);
  DiffPartial total = combine(job.partials, n_pieces);
  if (!total.n_different) {
    free(job.partials);
    return all_equal(count); /* the bits differ in zeros' signs or NaN payloads only */
  }
  diffs.value[MLUOP_DIFF1] = total.abs_error / (total.abs_base + diff_denominator_floor);
  diffs.value[MLUOP_DIFF2] = sqrt(total.sq_error / (total.sq_base + diff_denominator_floor));
  diffs.value[MLUOP_DIFF3] = total.max_mixed;
  diffs.value[MLUOP_DIFF3_2] = total.max_abs;
  diffs.value[MLUOP_DIFF4] = diff4(&job, count, total.n_different);
  diffs.value[MLUOP_DIFF_KL] = MLUOP_DIFF_IGNORED;
  if (count >= DIFF_KL_COUNT_MIN) {
    job.kl_base = total.kl_base;
    job.kl_measured = total.kl_measured;
    mluop_parallel_for(count, DIFF_GRAIN, kl_piece, &job);
    diffs.value[MLUOP_DIFF_KL] = fmax(0, combine(job.partials, n_pieces).kl);
  }
  diffs.n_nonfinite_wrong = total.n_wrong;
  diffs.n_different = total.n_different;
  diffs.first = total.first;
  for (int kind = 0; total.n_wrong && kind < MLUOP_DIFF_KINDS; ++kind) {
    diffs.value[kind] = DBL_MAX;
  }
  free(job.partials);
  return diffs;
}

bool mluop_diff_passes(mluopDiffKind kind, double value, double threshold) {
  if (value == MLUOP_DIFF_IGNORED) {
    return true;
  }
  if (kind == MLUOP_DIFF4) {
    return threshold >= 0 && value > 0 && value < 1;
  }
  return value >= 0 && value <= threshold;
}
