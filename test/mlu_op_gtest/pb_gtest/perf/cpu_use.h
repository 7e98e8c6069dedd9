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
  double error_us; /* at most so much of the idle time is not counted yet */
  int cpus;        /* 0: the system does not tell how idle they were */
} mluopPerfCpuUse;

mluopPerfCpuUse mluop_perf_cpu_use(void);

/* Adds up the idle time that /proc/stat has for the CPUs `is_allowed` takes. */
mluopPerfCpuUse mluop_perf_read_idle(FILE *stat, bool (*is_allowed)(int cpu, void *arg), void *arg);

/* How many CPUs other processes, or other guests of the same host, had on average between two
 * moments: what was neither idle nor ours. INFINITY where the system does not tell. */
double mluop_perf_cpus_of_others(const mluopPerfCpuUse *from, const mluopPerfCpuUse *to);

#endif /* MLUOP_TEST_PERF_CPU_USE_H_ */
