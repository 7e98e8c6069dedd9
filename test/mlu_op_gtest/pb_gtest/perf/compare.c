/* SPDX-License-Identifier: MIT */
#include "perf/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "perf/report_json.h"

enum { EXIT_AGREE = 0, EXIT_CONTRADICT = 1, EXIT_WRONG_USE = 2 };

/* Scaling over tasks is shown, not judged. */
static const mluopPerfCase *partner_of(const mluopPerfCase *item, const mluopPerfReport *other) {
  const bool judged = item->times[MLUOP_PERF_OURS].samples && strcmp(item->case_set, "topology");
  return judged ? mluop_perf_report_find(other, item->op_name, item->case_set, item->name) : NULL;
}

static bool fails(const mluopPerfCase *item) {
  return item->verdict == MLUOP_PERF_FAIL;
}

static bool is_undecided(const mluopPerfCase *item) {
  return item->verdict == MLUOP_PERF_NONE;
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

mluopPerfAgreement mluop_perf_agreement(const mluopPerfReport *a, const mluopPerfReport *b) {
  mluopPerfAgreement sum = {0};
  double *shifts = calloc(a->n + 1, sizeof(double));
  for (size_t i = 0; shifts && i < a->n; ++i) {
    const mluopPerfCase *item = &a->cases[i], *other = partner_of(item, b);
    if (!other) {
      continue;
    }
    if (item->efficiency > 0) {
      shifts[sum.cases] = fabs(other->efficiency / item->efficiency - 1);
    }
    ++sum.cases;
    sum.same += item->verdict == other->verdict;
    sum.undecided += is_undecided(item) != is_undecided(other);
    sum.contradicted += !is_undecided(item) && !is_undecided(other) && fails(item) != fails(other);
  }
  if (sum.cases) {
    qsort(shifts, sum.cases, sizeof(double), compare_doubles);
    sum.median_shift = shifts[sum.cases / 2];
    sum.largest_shift = shifts[sum.cases - 1];
  }
  free(shifts);
  return sum;
}

static void print_differences(const mluopPerfReport *a, const mluopPerfReport *b) {
  for (size_t i = 0; i < a->n; ++i) {
    const mluopPerfCase *item = &a->cases[i], *other = partner_of(item, b);
    if (other && item->verdict != other->verdict) {
      printf("  %s/%s: %s at %.1f %%, then %s at %.1f %%\n", item->op_name, item->name,
             mluop_perf_verdict_name(item->verdict), 100 * item->efficiency,
             mluop_perf_verdict_name(other->verdict), 100 * other->efficiency);
    }
  }
}

int mluop_perf_compare(const char *list) {
  mluopPerfReport first = {0};
  mluopTestText errors = {0};
  int code = EXIT_AGREE;
  size_t n = 0;
  for (const char *at = list; code != EXIT_WRONG_USE && *at; ++n) {
    const size_t length = strcspn(at, ",");
    char *path = mluop_text_format("%.*s", (int)length, at);
    mluopPerfReport report = {0};
    if (!path || mluop_perf_json_read(&report, path, &errors)) {
      code = EXIT_WRONG_USE;
    } else if (n == 0) {
      first = report;
      report = (mluopPerfReport){0};
    } else {
      const mluopPerfAgreement sum = mluop_perf_agreement(&first, &report);
      printf(
          "%s: %zu cases, %zu with the same verdict, %zu decided in one only, %zu contradict; "
          "efficiencies differ by %.1f %% (median), %.1f %% (most)\n",
          path, sum.cases, sum.same, sum.undecided, sum.contradicted, 100 * sum.median_shift,
          100 * sum.largest_shift);
      print_differences(&first, &report);
      code = sum.contradicted ? EXIT_CONTRADICT : code;
    }
    mluop_perf_report_free(&report);
    free(path);
    at += length + (at[length] == ',');
  }
  if (n < 2 && code != EXIT_WRONG_USE) {
    mluop_text_add(&errors, "--perf_compare: two files or more are wanted, with commas between\n");
    code = EXIT_WRONG_USE;
  }
  if (errors.length) {
    fprintf(stderr, "[ERROR] %s", mluop_text_get(&errors));
  }
  mluop_text_free(&errors);
  mluop_perf_report_free(&first);
  return code;
}
