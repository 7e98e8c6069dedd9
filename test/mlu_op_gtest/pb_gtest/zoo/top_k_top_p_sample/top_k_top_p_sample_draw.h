/* SPDX-License-Identifier: MIT */
#ifndef ZOO_TOP_K_TOP_P_SAMPLE_DRAW_H_
#define ZOO_TOP_K_TOP_P_SAMPLE_DRAW_H_

#include "tools/case_draw.h"

void top_k_top_p_sample_draw(mluopCaseDraw *draw, bool valid);

#endif /* ZOO_TOP_K_TOP_P_SAMPLE_DRAW_H_ */
