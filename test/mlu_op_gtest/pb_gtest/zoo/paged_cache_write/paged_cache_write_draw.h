/* SPDX-License-Identifier: MIT */
#ifndef ZOO_PAGED_CACHE_WRITE_DRAW_H_
#define ZOO_PAGED_CACHE_WRITE_DRAW_H_

#include "tools/case_draw.h"

void paged_cache_write_draw(mluopCaseDraw *draw, bool valid);

#endif /* ZOO_PAGED_CACHE_WRITE_DRAW_H_ */
