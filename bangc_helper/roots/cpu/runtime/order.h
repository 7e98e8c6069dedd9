/* SPDX-License-Identifier: MIT
 *
 * The order in which tasks are done, where a setting asks for one.
 */
#ifndef RUNTIME_ORDER_H_
#define RUNTIME_ORDER_H_

#include "common.h"

/* Number that the task order setting puts at place `index` of `total`. */
uint64_t rt_ordered_index(uint64_t index, uint64_t total);

#endif /* RUNTIME_ORDER_H_ */
