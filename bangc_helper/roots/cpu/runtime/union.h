/* SPDX-License-Identifier: MIT
 *
 * UnionN launches: which groups run when.
 */
#ifndef RUNTIME_UNION_H_
#define RUNTIME_UNION_H_

#include "launch.h"

/* Starts the groups of a UnionN launch. */
enum rt_op_state rt_union_start(struct rt_launch *launch);

#endif /* RUNTIME_UNION_H_ */
