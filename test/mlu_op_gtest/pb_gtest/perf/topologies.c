/* SPDX-License-Identifier: MIT */
#include "perf/topologies.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "perf/report_json.h"

extern char **environ;

/* 8x4 is an MLU590. */
static const struct {
  const char *name;
  int tasks;
} topologies[] = {{"1x1", 1}, {"1x2", 2}, {"1x4", 4}, {"2x4", 8}, {"8x4", 32}};
enum { N_TOPOLOGIES = sizeof(topologies) / sizeof(topologies[0]) };

/* Time budget of a child process in seconds. With a budget, the child does not start topologies
 * itself. */
static const char budget[] = "--perf_budget=15";

/* The scaling case of an operator that moves most bytes. */
static const mluopPerfCase *largest_of(const mluopPerfReport *report, const char *op_name) {
  const mluopPerfCase *most = NULL;
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (!strcmp(item->op_name, op_name) && item->series && !strcmp(item->series, "size") &&
        (!most || item->theory_bytes > most->theory_bytes)) {
      most = item;
    }
  }
  return most;
}

/* A list file with the path of each operator's largest scaling case; the number of them. */
static size_t list_cases(const mluopPerfReport *report, const mluopCaseEntry *const *entries,
                         size_t n, mluopTestText *list) {
  size_t listed = 0;
  for (size_t i = 0; i < n; ++i) {
    const mluopPerfCase *most = largest_of(report, mluop_case_entry_op(entries[i]));
    char *file = most ? mluop_text_format("/scaling/%s.", most->name) : NULL;
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

/* Runs this program on the listed cases; 0 when it ended by itself. */
static int run_child(const char *topology, const char *folder, const char *list) {
  char *variable = mluop_text_format("MLUOP_CPU_TOPOLOGY=%s", topology);
  char *acceptance = mluop_text_format("--perf_acceptance=%s", folder);
  char *cases = mluop_text_format("--cases_list=%s", list);
  char **environment = variable ? environment_with(variable) : NULL;
  char *arguments[] = {"mluop_gtest", acceptance, cases, (char *)budget, NULL};
  int status = -1;
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  if (environment && acceptance && cases && !posix_spawn_file_actions_init(&actions)) {
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environment)) {
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  free(environment);
  free(variable);
  free(acceptance);
  free(cases);
  /* Status 1 means that cases miss the standard, which is expected with few tasks. */
  return status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) <= 1 ? 0 : -1;
}

/* Moves the child's cases into the report. They get no verdict, since the limit is that of all
 * CPUs. */
static void take_results(mluopPerfReport *report, const char *json, const char *topology,
                         int tasks) {
  mluopPerfReport child;
  mluopTestText errors = {0};
  if (mluop_perf_json_read(&child, json, &errors)) {
    fprintf(stderr, "[WARNING] %s", mluop_text_get(&errors));
    mluop_text_free(&errors);
    return;
  }
  for (size_t i = 0; i < child.n; ++i) {
    const mluopPerfCase *from = &child.cases[i];
    char *name = mluop_text_format("%s/%s", topology, from->name);
    mluopPerfCase *to =
        name ? mluop_perf_report_add(report, from->op_name, "topology", name) : NULL;
    free(name);
    if (!to) {
      continue;
    }
    mluop_perf_set_text(&to->data_type, "%s", from->data_type);
    mluop_perf_set_text(&to->shape, "%s", from->shape);
    mluop_perf_set_text(&to->bottleneck, "%s", from->bottleneck);
    mluop_perf_set_text(&to->series, "tasks");
    to->series_x = tasks;
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

void mluop_perf_topologies(mluopPerfReport *report, const char *folder,
                           const mluopCaseEntry *const *entries, size_t n,
                           const volatile sig_atomic_t *interrupted) {
  mluopTestText list = {0}, errors = {0};
  char *list_path = mluop_path_join(folder, "topology_cases.txt");
  if (list_path && list_cases(report, entries, n, &list) &&
      !mluop_file_write_all(list_path, list.data, list.length, &errors)) {
    for (int i = 0; i < N_TOPOLOGIES && !*interrupted; ++i) {
      printf("scaling: topology %s, %d tasks\n", topologies[i].name, topologies[i].tasks);
      fflush(stdout);
      char *child = mluop_text_format("%s/topology_%s", folder, topologies[i].name);
      char *json = mluop_text_format("%s/topology_%s/report.json", folder, topologies[i].name);
      if (child && json && (!mkdir(child, 0777) || errno == EEXIST) &&
          !run_child(topologies[i].name, child, list_path)) {
        take_results(report, json, topologies[i].name, topologies[i].tasks);
      } else if (!*interrupted) {
        fprintf(stderr, "[WARNING] topology %s could not be measured\n", topologies[i].name);
      }
      free(child);
      free(json);
    }
  }
  if (errors.length) {
    fprintf(stderr, "[WARNING] %s\n", mluop_text_get(&errors));
  }
  free(list_path);
  mluop_text_free(&list);
  mluop_text_free(&errors);
}
