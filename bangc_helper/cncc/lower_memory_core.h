/* SPDX-License-Identifier: MIT
 *
 * The memory core of a cluster.
 */
#ifndef CNCC_LOWER_MEMORY_CORE_H_
#define CNCC_LOWER_MEMORY_CORE_H_

#include "lowering.h"

/* True if the memory core has no work of its own in this unit. */
bool memory_core_is_idle(Lowering *lowering);

#endif /* CNCC_LOWER_MEMORY_CORE_H_ */
