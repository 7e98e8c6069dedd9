/* SPDX-License-Identifier: MIT
 *
 * Keeps the busy threads of this process on different CPUs. The kernel often runs a thread on the
 * CPU of the one that woke it, though another CPU is idle: cores that should run at the same time
 * would then take turns for as long as they yield to each other while they wait.
 */
#ifndef RUNTIME_CPU_PLACEMENT_H_
#define RUNTIME_CPU_PLACEMENT_H_

/* The calling thread begins to work. If another busy thread of the process is on the same CPU, it
 * moves to an idle one. Returns what rt_cpu_leave wants when the thread is done. */
int rt_cpu_enter(void);
void rt_cpu_leave(int cpu);

#endif /* RUNTIME_CPU_PLACEMENT_H_ */
