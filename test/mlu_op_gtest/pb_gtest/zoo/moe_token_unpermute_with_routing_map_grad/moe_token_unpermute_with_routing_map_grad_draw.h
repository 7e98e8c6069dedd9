/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_DRAW_H_
#define ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_DRAW_H_

#include "tools/case_draw.h"

/* Writes a random case; unless `valid`, with a mistake that the operator must refuse. */
void moe_token_unpermute_with_routing_map_grad_draw(mluopCaseDraw *draw, bool valid);

#endif /* ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_DRAW_H_ */
