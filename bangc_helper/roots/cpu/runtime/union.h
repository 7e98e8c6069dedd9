/* SPDX-License-Identifier: MIT
 *
 * UnionN launches: which groups run when.
 */
#ifndef RUNTIME_UNION_H_
#define RUNTIME_UNION_H_

#include "group.h"

/* The last member of a group has returned. */
void rt_union_group_done(struct rt_group *group);

#endif /* RUNTIME_UNION_H_ */
