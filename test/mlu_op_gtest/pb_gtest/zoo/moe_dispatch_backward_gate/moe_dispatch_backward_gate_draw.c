/* SPDX-License-Identifier: MIT */
#include "moe_dispatch_backward_gate_draw.h"

#include "zoo/moe_dispatch_forward/dispatch_draw.h"

enum { INDICES, LOCATIONS, INPUT, DISPATCH, GRAD_GATES };

static DispatchDraw draw_good(mluopCaseDraw *draw, mluopDrawTensor *t) {
  const DispatchDraw d = dispatch_draw_sizes(draw);
  t[INDICES] = dispatch_draw_routing(draw, &d, "indices", d.num_experts);
  t[LOCATIONS] = dispatch_draw_routing(draw, &d, "locations", d.capacity);
  t[INPUT] = dispatch_draw_samples(&d, "input");
  t[DISPATCH] = dispatch_draw_slots(&d, "dispatch");
  t[GRAD_GATES] = dispatch_draw_vector(&d, "grad_gates");
  /* All of one sign, so that sums do not cancel and their relative error is meaningful. */
  mluop_draw_reals(draw, &t[INPUT], 0, 2);
  mluop_draw_reals(draw, &t[DISPATCH], 0, 4);
  return d;
}

void moe_dispatch_backward_gate_draw(mluopCaseDraw *draw, bool valid) {
  static const DispatchDrawKind kind = {
      .op = "moe_dispatch_backward_gate",
      .criteria =
          "  error_func: DIFF1\n  error_func: DIFF2\n  error_threshold: 0.003\n"
          "  error_threshold: 0.003\n",
      .matrix = DISPATCH,
      .draw_good = draw_good};
  dispatch_draw_case(draw, valid, &kind);
}
