/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_DISPATCH_BACKWARD_GATE_DRAW_H_
#define ZOO_MOE_DISPATCH_BACKWARD_GATE_DRAW_H_

#include "tools/case_draw.h"

/* Writes a random case; unless `valid`, with a mistake that the operator must refuse. */
void moe_dispatch_backward_gate_draw(mluopCaseDraw *draw, bool valid);

#endif /* ZOO_MOE_DISPATCH_BACKWARD_GATE_DRAW_H_ */
