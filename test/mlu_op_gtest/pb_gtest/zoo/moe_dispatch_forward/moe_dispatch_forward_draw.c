/* SPDX-License-Identifier: MIT */
#include "moe_dispatch_forward_draw.h"

#include "dispatch_draw.h"

enum { GATES, INDICES, LOCATIONS, INPUT, DISPATCH };

static DispatchDraw draw_good(mluopCaseDraw *draw, mluopDrawTensor *t) {
  DispatchDraw d = dispatch_draw_sizes(draw);
  if (mluop_draw_chance(draw, 20) && d.num_experts * d.capacity * d.hidden <= 400000) {
    d.samples = d.num_experts * d.capacity; /* so that it can be in place */
  }
  t[GATES] = dispatch_draw_vector(&d, "gates");
  t[INDICES] = dispatch_draw_routing(draw, &d, "indices", d.num_experts);
  t[LOCATIONS] = dispatch_draw_routing(draw, &d, "locations", d.capacity);
  t[INPUT] = dispatch_draw_samples(&d, "input");
  t[DISPATCH] = dispatch_draw_slots(&d, "dispatch");
  mluop_draw_reals(draw, &t[GATES], -2, 2);
  mluop_draw_reals(draw, &t[INPUT], -100, 100);
  mluop_draw_reals(draw, &t[DISPATCH], -1, 1);
  return d;
}

void moe_dispatch_forward_draw(mluopCaseDraw *draw, bool valid) {
  static const DispatchDrawKind kind = {.op = "moe_dispatch_forward",
                                        .criteria = "  error_func: DIFF3\n  error_threshold: 0\n",
                                        .matrix = INPUT,
                                        .draw_good = draw_good};
  mluopDrawTensor t[DISPATCH_DRAW_TENSORS];
  const DispatchDraw d = dispatch_draw_begin(draw, valid, &kind, t);
  const bool is_in_place = valid && d.samples == d.num_experts * d.capacity;
  for (int i = 0; i < DISPATCH_DRAW_TENSORS - is_in_place; ++i) {
    mluop_draw_tensor(draw, "input", &t[i]);
  }
  mluopDrawTensor output = t[DISPATCH];
  output.id = t[DISPATCH].id[0] == 'N' ? "NULL" : "output";
  output.data[0] = '\0';
  mluop_draw_tensor(draw, "output", &output);
  dispatch_draw_end(draw, &d, kind.op, kind.criteria);
}
