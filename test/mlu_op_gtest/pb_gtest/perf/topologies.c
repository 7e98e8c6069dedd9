/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched.h: sets of CPUs */
#include "perf/topologies.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "perf/report_json.h"

extern char **environ;

/* What a process measures: cases of a series at one point of it. */
typedef struct Point {
  const char *series;
  char name[16];
  int x;
  bool is_topology; /* `name` is that of the virtual device; else x is the number of CPUs */
} Point;

/* 8x4 is an MLU590. */
static const Point topologies[] = {{"tasks", "1x1", 1, true},
                                   {"tasks", "1x2", 2, true},
                                   {"tasks", "1x4", 4, true},
                                   {"tasks", "2x4", 8, true},
                                   {"tasks", "8x4", 32, true}};
enum { N_TOPOLOGIES = sizeof(topologies) / sizeof(topologies[0]) };

/* Seconds per case of a process. With a budget, it does not start processes itself. */
enum { SECONDS_PER_CASE = 3 };

/* The scaling case of an operator that moves most bytes. */
static const mluopPerfCase *largest_of(const mluopPerfReport *report, const char *op_name) {
  const mluopPerfCase *most = NULL;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!strcmp(item->op_name, op_name) && mluop_perf_case_is_of(item, "size") &&
        (!most || item->theory_bytes > most->theory_bytes)) {
      most = item;
    }
  }
  return most;
}

/* The first network shape of an operator. */
static const mluopPerfCase *first_of(const mluopPerfReport *report, const char *op_name) {
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!strcmp(item->op_name, op_name) && !strcmp(item->case_set, "perf")) {
      return item;
    }
  }
  return NULL;
}

/* Lists the path of the case that `choose` takes of each operator; the number of them. */
static size_t list_cases(const mluopPerfReport *report, const mluopCaseEntry *const *entries,
                         size_t n,
                         const mluopPerfCase *(*choose)(const mluopPerfReport *report,
                                                        const char *op_name),
                         mluopTestText *list) {
  size_t listed = 0;
  for (size_t i = 0; i < n; ++i) {
    const mluopPerfCase *item = choose(report, mluop_case_entry_op(entries[i]));
    char *file = item ? mluop_text_format("/%s/%s.", item->case_set, item->name) : NULL;
    if (file && strstr(entries[i]->path, file)) {
      mluop_text_add(list, "%s\n", entries[i]->path);
      ++listed;
    }
    free(file);
  }
  return listed;
}

/* The environment with another topology; free() the array and its last string. */
static char **environment_with(char *topology) {
  size_t n = 0, kept = 0;
  while (environ[n]) {
    ++n;
  }
  char **copy = calloc(n + 2, sizeof(char *));
  for (size_t i = 0; copy && i < n; ++i) {
    if (strncmp(environ[i], "MLUOP_CPU_TOPOLOGY=", 19)) {
      copy[kept++] = environ[i];
    }
  }
  if (copy) {
    copy[kept] = topology;
  }
  return copy;
}

/* The first n CPUs of a set. */
static cpu_set_t first_cpus(const cpu_set_t *allowed, int n) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu = 0; cpu < CPU_SETSIZE && n > 0; ++cpu) {
    if (CPU_ISSET(cpu, allowed)) {
      CPU_SET(cpu, &set);
      --n;
    }
  }
  return set;
}

/* Runs this program with these arguments at a point; 0 when it ended by itself. */
static int run_process(const Point *point, char **arguments) {
  char *variable =
      point->is_topology ? mluop_text_format("MLUOP_CPU_TOPOLOGY=%s", point->name) : NULL;
  char **environment = environment_with(variable);
  int status = -1;
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  cpu_set_t allowed;
  if (environment && !posix_spawn_file_actions_init(&actions)) {
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    /* A process inherits the CPUs of the thread that starts it. */
    sched_getaffinity(0, sizeof(allowed), &allowed);
    const cpu_set_t cpus = point->is_topology ? allowed : first_cpus(&allowed, point->x);
    sched_setaffinity(0, sizeof(cpus), &cpus);
    const int failed =
        posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environment);
    sched_setaffinity(0, sizeof(allowed), &allowed);
    if (!failed) {
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  free(environment);
  free(variable);
  /* Status 1 means that cases miss the standard, which is expected with few tasks. */
  return status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) <= 1 ? 0 : -1;
}

/* Moves the child's cases into the report. They get no verdict, since the limit is that of all
 * CPUs. */
static void take_results(mluopPerfReport *report, const char *json, const Point *point) {
  mluopPerfReport child;
  mluopTestText errors = {0};
  if (mluop_perf_json_read(&child, json, &errors)) {
    fprintf(stderr, "[WARNING] %s", mluop_text_get(&errors));
    mluop_text_free(&errors);
    return;
  }
  for (size_t i = 0; i < child.n; ++i) {
    const mluopPerfCase *from = &child.cases[i];
    char *name = mluop_text_format("%s/%s", point->name, from->name);
    mluopPerfCase *to =
        name ? mluop_perf_report_add(report, from->op_name, "topology", name) : NULL;
    free(name);
    if (!to) {
      continue;
    }
    mluop_perf_set_text(&to->data_type, "%s", from->data_type);
    mluop_perf_set_text(&to->shape, "%s", from->shape);
    mluop_perf_set_text(&to->bottleneck, "%s", from->bottleneck);
    mluop_perf_set_text(&to->series, "%s", point->series);
    to->series_x = point->x;
    to->theory_bytes = from->theory_bytes;
    to->theory_ops = from->theory_ops;
    to->io_efficiency = from->io_efficiency;
    to->compute_efficiency = from->compute_efficiency;
    to->efficiency = from->efficiency;
    to->efficiency_p10 = from->efficiency_p10;
    to->efficiency_p90 = from->efficiency_p90;
    to->limit_gbps = from->limit_gbps;
    to->times[MLUOP_PERF_OURS] = from->times[MLUOP_PERF_OURS];
    to->times[MLUOP_PERF_OURS_WARM] = from->times[MLUOP_PERF_OURS_WARM];
  }
  mluop_perf_report_free(&child);
}

/* Measures the listed cases at a point. */
static int measure_point(mluopPerfReport *report, const char *folder, const Point *point,
                         const char *list, size_t listed, int case_ms) {
  char *child = mluop_text_format("%s/scaling_%s", folder, point->name);
  char *json = mluop_text_format("%s/scaling_%s/report.json", folder, point->name);
  char *arguments[] = {"mluop_gtest",
                       mluop_text_format("--perf_acceptance=%s", child),
                       mluop_text_format("--cases_list=%s", list),
                       mluop_text_format("--perf_case_ms=%d", case_ms),
                       mluop_text_format("--perf_budget=%zu", SECONDS_PER_CASE * listed),
                       NULL};
  int failed = !child || !json;
  for (int i = 1; i < 5; ++i) {
    failed |= !arguments[i];
  }
  failed = failed || (mkdir(child, 0777) && errno != EEXIST) || run_process(point, arguments);
  if (!failed) {
    take_results(report, json, point);
  }
  for (int i = 1; i < 5; ++i) {
    free(arguments[i]);
  }
  free(json);
  free(child);
  return failed;
}

/* The list of cases of a series; free() it. Sets their number. */
static char *write_list(const mluopPerfReport *report, const char *folder, const char *series,
                        const mluopCaseEntry *const *entries, size_t n, size_t *listed) {
  mluopTestText list = {0}, errors = {0};
  char *path = mluop_text_format("%s/scaling_%s.txt", folder, series);
  *listed = list_cases(report, entries, n, strcmp(series, "cores") ? largest_of : first_of, &list);
  if (path && *listed && mluop_file_write_all(path, list.data, list.length, &errors)) {
    fprintf(stderr, "[WARNING] %s\n", mluop_text_get(&errors));
    *listed = 0;
  }
  mluop_text_free(&list);
  mluop_text_free(&errors);
  return path;
}

static void measure_points(mluopPerfReport *report, const char *folder, int case_ms,
                           const mluopCaseEntry *const *entries, size_t n, const Point *points,
                           int n_points, const volatile sig_atomic_t *interrupted) {
  size_t listed = 0;
  char *list = write_list(report, folder, points[0].series, entries, n, &listed);
  for (int i = 0; list && listed && i < n_points && !*interrupted; ++i) {
    printf("scaling: %s, %d %s\n", points[i].name, points[i].x, points[i].series);
    fflush(stdout);
    if (measure_point(report, folder, &points[i], list, listed, case_ms) && !*interrupted) {
      fprintf(stderr, "[WARNING] %s could not be measured\n", points[i].name);
    }
  }
  free(list);
}

/* 1, 2, 4 and so on, and all CPUs that this process may use. */
static int points_of_cores(Point *points, int most) {
  cpu_set_t allowed;
  const int cpus = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  int n = 0;
  for (int x = 1; n < most; x = 2 * x < cpus ? 2 * x : cpus) {
    points[n] = (Point){.series = "cores", .x = x};
    snprintf(points[n++].name, sizeof(points->name), "cores_%d", x);
    if (x == cpus) {
      break;
    }
  }
  return n;
}

void mluop_perf_topologies(mluopPerfReport *report, const char *folder, int case_ms,
                           const mluopCaseEntry *const *entries, size_t n,
                           const volatile sig_atomic_t *interrupted) {
  enum { CORES_MAX = 12 };
  Point cores[CORES_MAX];
  measure_points(report, folder, case_ms, entries, n, topologies, N_TOPOLOGIES, interrupted);
  measure_points(report, folder, case_ms, entries, n, cores, points_of_cores(cores, CORES_MAX),
                 interrupted);
}
