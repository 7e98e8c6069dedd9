/* SPDX-License-Identifier: MIT
 *
 * Scalar loops whose iterations do not depend on each other: a task is one warp, so its lanes can
 * share them.
 */
#ifndef CNCC_LANE_LOOPS_H_
#define CNCC_LANE_LOOPS_H_

#include "lowering.h"

/* Divides the loops of a function among the lanes where that cannot be seen from their results.
 * `opening` gets what belongs at the beginning of its body, behind what others put there. */
void divide_loops(Lowering *lowering, const Declaration *decl, StrBuf *opening);

#endif /* CNCC_LANE_LOOPS_H_ */
