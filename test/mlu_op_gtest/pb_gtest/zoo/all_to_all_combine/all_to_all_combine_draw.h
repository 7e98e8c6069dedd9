/* SPDX-License-Identifier: MIT */
#ifndef ZOO_ALL_TO_ALL_COMBINE_DRAW_H_
#define ZOO_ALL_TO_ALL_COMBINE_DRAW_H_

#include "tools/case_draw.h"

/* Writes a random case; unless `valid`, with a mistake that the operator must refuse. */
void all_to_all_combine_draw(mluopCaseDraw *draw, bool valid);

#endif /* ZOO_ALL_TO_ALL_COMBINE_DRAW_H_ */
