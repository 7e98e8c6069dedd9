/* SPDX-License-Identifier: MIT */
#include "moe_dispatch_backward_data_draw.h"

#include "zoo/moe_dispatch_forward/dispatch_draw.h"

enum { GATES, INDICES, LOCATIONS, DISPATCH, GRAD_INPUT };

static DispatchDraw draw_good(mluopCaseDraw *draw, mluopDrawTensor *t) {
  const DispatchDraw d = dispatch_draw_sizes(draw);
  t[GATES] = dispatch_draw_vector(&d, "gates");
  t[INDICES] = dispatch_draw_routing(draw, &d, "indices", d.num_experts);
  t[LOCATIONS] = dispatch_draw_routing(draw, &d, "locations", d.capacity);
  t[DISPATCH] = dispatch_draw_slots(&d, "dispatch");
  t[GRAD_INPUT] = dispatch_draw_samples(&d, "grad_input");
  mluop_draw_reals(draw, &t[GATES], -2, 2);
  mluop_draw_reals(draw, &t[DISPATCH], -100, 100);
  return d;
}

void moe_dispatch_backward_data_draw(mluopCaseDraw *draw, bool valid) {
  static const DispatchDrawKind kind = {.op = "moe_dispatch_backward_data",
                                        .criteria = "  error_func: DIFF3\n  error_threshold: 0\n",
                                        .matrix = DISPATCH,
                                        .draw_good = draw_good};
  dispatch_draw_case(draw, valid, &kind);
}
