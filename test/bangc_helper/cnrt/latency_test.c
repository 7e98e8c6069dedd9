/* SPDX-License-Identifier: MIT
 *
 * Latencies of the runtime's mechanisms. They are printed but have no limit, since other load on
 * the machine changes them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

enum { RUNS = 1000, BARRIERS = 1000 };

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

static void nothing(void *argument) {
  (void)argument;
}

static void measure_launch(const char *what, cnrtDim3_t dim, cnrtFunctionType_t type) {
  static double times[RUNS];
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  for (int i = 0; i < RUNS; ++i) {
    const double start = now_us();
    CHECK_OK(launch(nothing, NULL, dim, type, queue));
    CHECK_OK(cnrtQueueSync(queue));
    times[i] = now_us() - start;
  }
  CHECK_OK(cnrtQueueDestroy(queue));
  qsort(times, RUNS, sizeof(times[0]), compare);
  printf("launch + sync, %s: median %.1f us, 90%% %.1f us\n", what, times[RUNS / 2],
         times[RUNS * 9 / 10]);
}

static void launch_latency(void) {
  measure_launch("1 block task", dim3(1, 1, 1), cnrtFuncTypeBlock);
  measure_launch("4 block tasks", dim3(4, 1, 1), cnrtFuncTypeBlock);
  measure_launch("union1", dim3(4, 1, 1), cnrtFuncTypeUnion1);
}

static void many_barriers(void *argument) {
  (void)argument;
  for (int i = 0; i < BARRIERS; ++i) {
    __bang_barrier(BANG_BARRIER_CLUSTER, __FILE__, __LINE__);
  }
}

static void barrier_latency(void) {
  double best = 1e30;
  double sum = 0;
  enum { REPEATS = 10 };
  for (int i = 0; i < REPEATS; ++i) {
    const double start = now_us();
    CHECK_OK(launch(many_barriers, NULL, dim3(4, 1, 1), cnrtFuncTypeUnion1, NULL));
    CHECK_OK(cnrtQueueSync(NULL));
    const double each = (now_us() - start) / BARRIERS;
    best = each < best ? each : best;
    sum += each;
  }
  printf("barrier of 5 contexts: best %.1f us, mean %.1f us\n", best, sum / REPEATS);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"launch_latency", launch_latency},
      {"barrier_latency", barrier_latency},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
