/* SPDX-License-Identifier: MIT
 *
 * One task on the calling thread.
 */
#ifndef RUNTIME_TASK_H_
#define RUNTIME_TASK_H_

#include "group.h"
#include "launch.h"

/* Runs one task of a launch on the calling core, as a member of a union group unless that is NULL.
 * On a fault the launch keeps the first code, one line goes to stderr, and the result is false. */
bool rt_task_run(struct rt_launch *launch, const struct rt_task *task, struct rt_member *member);

#endif /* RUNTIME_TASK_H_ */
