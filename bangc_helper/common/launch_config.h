/* SPDX-License-Identifier: MIT
 *
 * From `kernel<<<dim, type, queue>>>(...)` to a launch: the configuration of the call that comes
 * next, and what makes one valid.
 */
#ifndef RUNTIME_LAUNCH_CONFIG_H_
#define RUNTIME_LAUNCH_CONFIG_H_

#include "devices.h"

enum { RT_MAX_UNION = 16 }; /* clusters of the largest union type */

struct rt_launch_config {
  cnrtDim3_t dim;
  cnrtFunctionType_t type;
  cnrtQueue_t queue;
};

/* Takes the innermost configuration of this thread. */
cnrtRet_t rt_launch_config_take(struct rt_launch_config *config);
/* Whether a device can run a launch of this shape. */
cnrtRet_t rt_launch_config_check(const struct rt_launch_config *config,
                                 const struct rt_device *device);

/* N of UnionN, the clusters of a union; 0 for Block; -1 for anything else. */
int rt_union_clusters(cnrtFunctionType_t type);
/* Whether there is a type of this name. Some devices take unions of any other size, too. */
bool rt_union_has_name(int clusters);
/* Largest N of UnionN for so many clusters: a power of two. */
int rt_largest_union(unsigned clusters);

#endif /* RUNTIME_LAUNCH_CONFIG_H_ */
