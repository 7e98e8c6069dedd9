/* SPDX-License-Identifier: MIT
 *
 * Faults of kernels: signals and checks become the driver's codes.
 */
#ifndef RUNTIME_FAULT_H_
#define RUNTIME_FAULT_H_

#include "core.h"

/* Catches the signals of faulting tasks from now on; other threads keep the program's handlers.
 * Tasks that run longer than the setting allows become faults, and at the end of the process tasks
 * are left. */
void rt_fault_install(void);

/* After a task was left: tells the launch and, once per launch, stderr. */
void rt_fault_report(struct rt_core *core);

#endif /* RUNTIME_FAULT_H_ */
