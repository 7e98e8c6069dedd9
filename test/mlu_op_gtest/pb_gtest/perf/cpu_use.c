/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "perf/cpu_use.h"

#include <math.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

mluopPerfCpuUse mluop_perf_read_idle(FILE *stat, bool (*is_allowed)(int cpu, void *arg),
                                     void *arg) {
  const double tick_us = 1e6 / (double)sysconf(_SC_CLK_TCK);
  mluopPerfCpuUse use = {.cpus = 0};
  char line[512];
  while (fgets(line, sizeof(line), stat)) {
    int cpu;
    double user, nice, system, idle, disk; /* disk: idle while waiting for I/O */
    const bool is_sum = line[3] == ' ';    /* the first line is of all CPUs together */
    if (!is_sum &&
        sscanf(line, "cpu%d %lf %lf %lf %lf %lf", &cpu, &user, &nice, &system, &idle, &disk) == 6 &&
        is_allowed(cpu, arg)) {
      use.idle_us += (idle + disk) * tick_us;
      use.error_us += tick_us;
      ++use.cpus;
    }
  }
  if (use.idle_us <= 0) { /* some containers have the file with zeros only */
    use.cpus = 0;
  }
  return use;
}

static bool is_in_set(int cpu, void *set) {
  return cpu < CPU_SETSIZE && CPU_ISSET(cpu, (cpu_set_t *)set);
}

mluopPerfCpuUse mluop_perf_cpu_use(void) {
  mluopPerfCpuUse use = {.cpus = 0};
  cpu_set_t allowed;
  FILE *stat = fopen("/proc/stat", "re");
  if (stat && !sched_getaffinity(0, sizeof(allowed), &allowed)) {
    use = mluop_perf_read_idle(stat, is_in_set, &allowed);
  }
  if (stat) {
    fclose(stat);
  }
  struct timespec own;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  use.own_us = (double)own.tv_sec * 1e6 + (double)own.tv_nsec * 1e-3;
  use.now_us = mluop_clock_us();
  return use;
}

double mluop_perf_cpus_of_others(const mluopPerfCpuUse *from, const mluopPerfCpuUse *to) {
  const double us = to->now_us - from->now_us;
  if (from->cpus == 0 || from->cpus != to->cpus || us <= 0) {
    return INFINITY;
  }
  const double idle = to->idle_us - from->idle_us + to->error_us;
  return fmax(0, to->cpus - (to->own_us - from->own_us + idle) / us);
}
