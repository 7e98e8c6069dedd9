/* SPDX-License-Identifier: MIT */
#ifndef ZOO_APPLY_TOP_K_TOP_P_DRAW_H_
#define ZOO_APPLY_TOP_K_TOP_P_DRAW_H_

#include "tools/case_draw.h"

/* Writes a random case; unless `valid`, with a mistake that the operator must refuse. */
void apply_top_k_top_p_draw(mluopCaseDraw *draw, bool valid);

#endif /* ZOO_APPLY_TOP_K_TOP_P_DRAW_H_ */
