/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sysconf names of caches */
#include "perf/environment.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "run/device_copy.h"
#include "run/estimate.h"
#include "run/report.h"
#include "test/benchmark/machine_limits.h"

extern char **environ;

/* The value of the first line "key<spaces>: value" of a file of the kernel; false when there is
 * none. */
static bool find_line(const char *path, const char *key, char *value, size_t size) {
  char line[512];
  bool found = false;
  FILE *file = fopen(path, "re");
  while (file && !found && fgets(line, sizeof(line), file)) {
    const char *colon = strchr(line, ':');
    if (colon && !strncmp(line, key, strlen(key))) {
      snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
      value[strcspn(value, "\n")] = '\0';
      found = true;
    }
  }
  if (file) {
    fclose(file);
  }
  return found;
}

/* Arm CPUs have no model name, only numbers. */
static void read_model(char *name, size_t size) {
  char maker[64], part[64];
  if (find_line("/proc/cpuinfo", "model name", name, size)) {
    return;
  }
  if (find_line("/proc/cpuinfo", "CPU implementer", maker, sizeof(maker)) &&
      find_line("/proc/cpuinfo", "CPU part", part, sizeof(part))) {
    snprintf(name, size, "Arm, implementer %s, part %s", maker, part);
  } else {
    snprintf(name, size, "unknown");
  }
}

static void read_cpu(Mluoptest__PerfContext *context) {
  char value[256];
  read_model(value, sizeof(value));
  mluop_perf_set_text(&context->cpu_model, "%s", value);
  if (!mluop_device_is_host()) {
    char device[256];
    mluop_device_name(device, sizeof(device));
    mluopEstimate estimate;
    if (mluop_estimate_ask(&estimate)) { /* its first word: estimated or extrapolated */
      const int word = (int)strcspn(estimate.time_class, ",");
      mluop_perf_set_text(&context->cpu_model, "%s (times %.*s) beside %s", device, word,
                          estimate.time_class, value);
    } else {
      mluop_perf_set_text(&context->cpu_model, "%s beside %s", device, value);
    }
  }
  mluop_perf_set_text(&context->vector_isa, "%s", limit_isa());
  if (find_line("/proc/cpuinfo", "cpu MHz", value, sizeof(value))) {
    context->has_mhz_per_cpu = 1;
    context->mhz_per_cpu = (int)atof(value);
  }
  context->has_num_cpus = 1;
  context->num_cpus = bench_threads();
  context->has_cpu_scaling_enabled = 1;
  char governor[64] = "";
  FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");
  if (file) {
    context->cpu_scaling_enabled =
        fgets(governor, sizeof(governor), file) && strncmp(governor, "performance", 11) != 0;
    fclose(file);
  }
}

static void add_cache(Mluoptest__PerfContext *context, const char *type, int level, long size) {
  Mluoptest__PerfCache **caches =
      realloc(context->caches, (context->n_caches + 1) * sizeof(*caches));
  Mluoptest__PerfCache *cache = malloc(sizeof(*cache));
  if (caches) {
    context->caches = caches;
  }
  if (!caches || !cache || size <= 0 || size > INT_MAX) {
    free(cache);
    return;
  }
  mluoptest__perf_cache__init(cache);
  mluop_perf_set_text(&cache->type, "%s", type);
  cache->has_level = cache->has_size = cache->has_num_sharing = 1;
  cache->level = level;
  cache->size = (int)size;
  cache->num_sharing = level < 3 ? 1 : context->num_cpus;
  caches[context->n_caches++] = cache;
}

static void read_caches(Mluoptest__PerfContext *context) {
  add_cache(context, "Data", 1, sysconf(_SC_LEVEL1_DCACHE_SIZE));
  add_cache(context, "Instruction", 1, sysconf(_SC_LEVEL1_ICACHE_SIZE));
  add_cache(context, "Unified", 2, sysconf(_SC_LEVEL2_CACHE_SIZE));
  add_cache(context, "Unified", 3, sysconf(_SC_LEVEL3_CACHE_SIZE));
}

static void read_system(Mluoptest__PerfContext *context) {
  struct utsname names;
  if (!uname(&names)) {
    mluop_perf_set_text(&context->system, "%s %s %s", names.sysname, names.release, names.machine);
    mluop_perf_set_text(&context->host_name, "%s", names.nodename);
  }
  context->has_memory_gib = 1;
  context->memory_gib =
      (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / (double)(1 << 30);
  double loads[3];
  const int n = getloadavg(loads, 3);
  context->load_avg = malloc(sizeof(loads));
  if (n > 0 && context->load_avg) {
    memcpy(context->load_avg, loads, (size_t)n * sizeof(double));
    context->n_load_avg = (size_t)n;
  }
  char date[64];
  const time_t now = time(NULL);
  struct tm local;
  localtime_r(&now, &local);
  strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S%z", &local);
  mluop_perf_set_text(&context->date, "%s", date);
}

static void take_property(void *arg, const char *name, const char *value) {
  Mluoptest__PerfContext *context = arg;
  if (!strcmp(name, "mluop_version")) {
    mluop_perf_set_text(&context->mluop_version, "%s", value);
  } else if (!strcmp(name, "mlu_platform")) {
    mluop_perf_set_text(&context->device, "%s", value);
  } else if (!strcmp(name, "commit_id")) {
    mluop_perf_set_text(&context->commit, "%s", value);
  }
}

static void read_settings(Mluoptest__PerfContext *context) {
  mluopTestText settings = {0};
  for (char **variable = environ; *variable; ++variable) {
    if (!strncmp(*variable, "MLUOP_", 6) || !strncmp(*variable, "CNRT_", 5)) {
      mluop_text_add(&settings, "%s%s", settings.length ? " " : "", *variable);
    }
  }
  mluop_perf_set_text(&context->settings, "%s", mluop_text_get(&settings));
  mluop_text_free(&settings);
}

void mluop_perf_environment(Mluoptest__PerfContext *context, const mluopTestOptions *options) {
  read_cpu(context);
  read_caches(context);
  read_system(context);
  read_settings(context);
  mluop_report_environment(options, take_property, context);
  mluop_perf_set_text(&context->executable, "mluop_gtest");
#if defined(__clang__)
  mluop_perf_set_text(&context->compiler, "clang %s", __clang_version__);
#else
  mluop_perf_set_text(&context->compiler, "gcc %s", __VERSION__);
#endif
#if defined(__OPTIMIZE__)
  mluop_perf_set_text(&context->library_build_type, "release");
#else
  mluop_perf_set_text(&context->library_build_type, "debug");
#endif
}
