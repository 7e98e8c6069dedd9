/* SPDX-License-Identifier: MIT */
#ifndef ZOO_GATHER_IN_UB_BATCHED_DRAW_H_
#define ZOO_GATHER_IN_UB_BATCHED_DRAW_H_

#include "tools/case_draw.h"

void gather_in_ub_batched_draw(mluopCaseDraw *draw, bool valid);

#endif /* ZOO_GATHER_IN_UB_BATCHED_DRAW_H_ */
