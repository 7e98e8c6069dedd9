/* SPDX-License-Identifier: MIT
 *
 * Faults of kernels: signals and checks become the driver's codes.
 */
#ifndef RUNTIME_FAULT_H_
#define RUNTIME_FAULT_H_

#include "core.h"

/* From now on catches the signals of faulting tasks; other threads keep the program's handlers.
 * Tasks that exceed the time limit become faults, and tasks end with the process. */
void rt_fault_install(void);

/* Called after a task ended early: records the fault in the launch and, once per launch, prints it.
 */
void rt_fault_report(struct rt_core *core);

#endif /* RUNTIME_FAULT_H_ */
