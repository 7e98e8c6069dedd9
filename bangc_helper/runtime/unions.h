/* SPDX-License-Identifier: MIT
 *
 * Union types: how many clusters they have.
 */
#ifndef RUNTIME_UNIONS_H_
#define RUNTIME_UNIONS_H_

#include "common.h"

enum { RT_MAX_UNION = 16 }; /* clusters of the largest union type */

/* N of UnionN, the clusters of a union; 0 for Block; -1 for anything else. */
int rt_union_clusters(cnrtFunctionType_t type);

/* True if there is a type of this name. Some devices also take unions of other sizes. */
bool rt_union_has_name(int clusters);

/* Largest N of UnionN on a device with this many clusters: a power of two. */
int rt_largest_union(unsigned clusters);

#endif /* RUNTIME_UNIONS_H_ */
