/* SPDX-License-Identifier: MIT
 *
 * The memory core of a cluster.
 */
#ifndef CNCC_LOWER_MEMORY_CORE_H_
#define CNCC_LOWER_MEMORY_CORE_H_

#include "lowering.h"

/* Does it have nothing of its own to do in this unit? */
bool memory_core_is_idle(Lowering *lowering);

#endif /* CNCC_LOWER_MEMORY_CORE_H_ */
