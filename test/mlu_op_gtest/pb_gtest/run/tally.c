/* SPDX-License-Identifier: MIT */
#include "run/tally.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

enum { SLOWEST_SHOWN = 10 };

typedef struct TallyCase {
  char *path;
  char *op_name;
  double total_ms;
  bool passed;
} TallyCase;

static struct {
  pthread_mutex_t lock;
  TallyCase *cases;
  size_t n, n_failed, n_refused, expected;
  double start_us;
  bool line_shown;
} tally = {.lock = PTHREAD_MUTEX_INITIALIZER};

void mluop_tally_expect(size_t expected) {
  pthread_mutex_lock(&tally.lock);
  tally.expected = expected;
  tally.start_us = mluop_clock_us();
  pthread_mutex_unlock(&tally.lock);
}

void mluop_tally_add(const mluopCaseResult *result) {
  pthread_mutex_lock(&tally.lock);
  const bool passed = mluop_result_passed(result);
  TallyCase *cases = realloc(tally.cases, (tally.n + 1) * sizeof(TallyCase));
  if (cases) {
    tally.cases = cases;
    tally.cases[tally.n++] = (TallyCase){
        .path = mluop_text_format("%s", result->path),
        .op_name = mluop_text_format("%s", result->op_name ? result->op_name : "unknown"),
        .total_ms = result->total_ms,
        .passed = passed};
  }
  tally.n_failed += !passed;
  tally.n_refused += passed && result->refused_by_device;
  pthread_mutex_unlock(&tally.lock);
}

static bool on_terminal(void) {
  return isatty(STDOUT_FILENO);
}

void mluop_tally_show_progress(void) {
  if (!on_terminal()) {
    return;
  }
  pthread_mutex_lock(&tally.lock);
  const double seconds = (mluop_clock_us() - tally.start_us) * 1e-6;
  const size_t left = tally.expected > tally.n ? tally.expected - tally.n : 0;
  const int eta = tally.n ? (int)(seconds / (double)tally.n * (double)left + 0.5) : 0;
  const TallyCase *last = tally.n ? &tally.cases[tally.n - 1] : NULL;
  printf("[%4zu/%zu] %.40s %.1f ms %s | %zu failed | ETA %02d:%02d", tally.n, tally.expected,
         last && last->path ? mluop_path_base(last->path) : "", last ? last->total_ms : 0,
         last && !last->passed ? "FAILED" : "ok", tally.n_failed, eta / 60, eta % 60);
  fflush(stdout);
  tally.line_shown = true;
  pthread_mutex_unlock(&tally.lock);
}

void mluop_tally_hide_progress(void) {
  pthread_mutex_lock(&tally.lock);
  if (tally.line_shown) {
    printf("\r\033[K");
    fflush(stdout);
    tally.line_shown = false;
  }
  pthread_mutex_unlock(&tally.lock);
}

static int compare_slowest(const void *a, const void *b) {
  const TallyCase *const *x = a, *const *y = b;
  return ((*x)->total_ms < (*y)->total_ms) - ((*x)->total_ms > (*y)->total_ms);
}

static void print_slowest(void) {
  const TallyCase **order = malloc((tally.n + 1) * sizeof(*order));
  if (!order) {
    return;
  }
  for (size_t i = 0; i < tally.n; ++i) {
    order[i] = &tally.cases[i];
  }
  qsort(order, tally.n, sizeof(*order), compare_slowest);
  printf("[ SLOWEST  ]\n");
  for (size_t i = 0; i < tally.n && i < SLOWEST_SHOWN; ++i) {
    printf("  %10.1f ms  %s\n", order[i]->total_ms, order[i]->path);
  }
  free(order);
}

static size_t count_operators(void) {
  size_t n = 0;
  for (size_t i = 0; i < tally.n; ++i) {
    size_t k = 0;
    while (k < i && strcmp(tally.cases[k].op_name, tally.cases[i].op_name)) {
      ++k;
    }
    n += k == i;
  }
  return n;
}

void mluop_tally_print_summary(void) {
  pthread_mutex_lock(&tally.lock);
  if (tally.n > 1) {
    print_slowest();
  }
  printf("[ SUMMARY  ] Total %zu cases of %zu op(s).\n", tally.n, count_operators());
  if (tally.n_refused) {
    printf("%zu cases were refused as this device must: it has no bfloat16.\n", tally.n_refused);
  }
  if (!tally.n) {
    printf("NO CASE WAS RUN.\n");
  } else if (!tally.n_failed) {
    printf("ALL PASSED.\n");
  } else {
    printf("%zu CASES FAILED:\n", tally.n_failed);
    for (size_t i = 0; i < tally.n; ++i) {
      if (!tally.cases[i].passed) {
        printf("Failed: %s\n", tally.cases[i].path);
      }
    }
  }
  fflush(stdout);
  pthread_mutex_unlock(&tally.lock);
}

void mluop_tally_clear(void) {
  pthread_mutex_lock(&tally.lock);
  for (size_t i = 0; i < tally.n; ++i) {
    free(tally.cases[i].path);
    free(tally.cases[i].op_name);
  }
  free(tally.cases);
  tally.cases = NULL;
  tally.n = tally.n_failed = tally.n_refused = 0;
  pthread_mutex_unlock(&tally.lock);
}
