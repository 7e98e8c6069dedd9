/* SPDX-License-Identifier: MIT
 *
 * Keeps the busy threads of this process on different CPUs. The kernel often runs a thread on the
 * CPU of the thread that woke it, although another CPU is idle: cores that should run at the same
 * time would then take turns as long as they yield while they wait.
 */
#ifndef RUNTIME_CPU_PLACEMENT_H_
#define RUNTIME_CPU_PLACEMENT_H_

/* The calling thread starts work. If another busy thread of the process is on its CPU, it moves to
 * an idle one. Returns the value for rt_cpu_leave. */
int rt_cpu_enter(void);
void rt_cpu_leave(int cpu);

#endif /* RUNTIME_CPU_PLACEMENT_H_ */
