/* SPDX-License-Identifier: MIT
 *
 * The order in which tasks are done, where a setting asks for one.
 */
#ifndef RUNTIME_ORDER_H_
#define RUNTIME_ORDER_H_

#include "common.h"

/* The task at position `index` of `total` in the order that the setting asks for. */
uint64_t rt_ordered_index(uint64_t index, uint64_t total);

#endif /* RUNTIME_ORDER_H_ */
