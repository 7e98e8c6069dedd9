/* SPDX-License-Identifier: MIT */
#ifndef ZOO_SPARSE_ATTENTION_SCORES_DRAW_H_
#define ZOO_SPARSE_ATTENTION_SCORES_DRAW_H_

#include "tools/case_draw.h"

/* Writes a random case; unless `valid`, with a mistake that the operator must refuse. */
void sparse_attention_scores_draw(mluopCaseDraw *draw, bool valid);

#endif /* ZOO_SPARSE_ATTENTION_SCORES_DRAW_H_ */
