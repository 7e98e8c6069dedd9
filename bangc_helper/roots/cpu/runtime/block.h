/* SPDX-License-Identifier: MIT
 *
 * Block launches.
 */
#ifndef RUNTIME_BLOCK_H_
#define RUNTIME_BLOCK_H_

#include "launch.h"

/* Starts the tasks of a Block launch. */
enum rt_op_state rt_block_start(struct rt_launch *launch);

#endif /* RUNTIME_BLOCK_H_ */
