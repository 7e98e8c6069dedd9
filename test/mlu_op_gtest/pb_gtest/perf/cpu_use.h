/* SPDX-License-Identifier: MIT
 *
 * Who had the CPUs while something was measured. Threads of this process that outnumber the CPUs
 * wait for each other: only the CPU time that other processes took disturbs a measurement. */
#ifndef MLUOP_TEST_PERF_CPU_USE_H_
#define MLUOP_TEST_PERF_CPU_USE_H_

#include <stdbool.h>
#include <stdio.h>

/* Counters at one moment, in microseconds. */
typedef struct mluopPerfCpuUse {
  double now_us;
  double own_us;   /* CPU time of all threads of this process */
  double idle_us;  /* of the CPUs the process may use, all together */
  double error_us; /* resolution of idle_us: up to this much is not counted yet */
  int cpus;        /* 0: the system does not count idle time */
} mluopPerfCpuUse;

mluopPerfCpuUse mluop_perf_cpu_use(void);

/* Adds up the idle time of the CPUs that `is_allowed` accepts, from a file like /proc/stat. */
mluopPerfCpuUse mluop_perf_read_idle(FILE *stat, bool (*is_allowed)(int cpu, void *arg), void *arg);

/* How many CPUs were neither idle nor ours between two moments, on average: other processes had
 * them, or other guests of the host. INFINITY where the system does not count idle time. */
double mluop_perf_cpus_of_others(const mluopPerfCpuUse *from, const mluopPerfCpuUse *to);

#endif /* MLUOP_TEST_PERF_CPU_USE_H_ */
