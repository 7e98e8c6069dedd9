/* SPDX-License-Identifier: MIT
 *
 * Three samples, two experts with two slots each; the third sample selects an expert that does not
 * exist.
 */
#include "sample.h"

enum { SAMPLES = 3, CAPACITY = 2, HIDDEN = 2, EXPERTS = 2, SLOTS = EXPERTS * CAPACITY };

int show_dispatch(mluOpHandle_t handle) {
  int wrong = 0;
  Tensor gates = FLOATS(((float[]){0.5f, 2, 1}), SAMPLES);
  Tensor indices = INTS(((int[]){1, 0, 2}), SAMPLES);
  Tensor locations = INTS(((int[]){0, 1, 1}), SAMPLES);
  Tensor input = FLOATS(((float[]){2, 4, 1, 3, 7, 9}), SAMPLES, HIDDEN);
  Tensor slots = FLOATS(((float[]){-1, -1, -1, -1, -1, -1, -1, -1}), SLOTS, HIDDEN);
  CHECK(mluOpMoeDispatchForward(handle, gates.desc, gates.data, indices.desc, indices.data,
                                locations.desc, locations.data, input.desc, input.data, SAMPLES,
                                CAPACITY, HIDDEN, EXPERTS, slots.desc, slots.data));
  wrong += !is_right("moe_dispatch_forward", handle, &slots, (float[]){-1, -1, 2, 6, 1, 2, -1, -1});

  Tensor dispatch = FLOATS(((float[]){1, 2, 3, 4, 5, 6, 7, 8}), SLOTS, HIDDEN);
  Tensor grad_input = FLOATS(NULL, SAMPLES, HIDDEN);
  CHECK(mluOpMoeDispatchBackwardData(handle, gates.desc, gates.data, indices.desc, indices.data,
                                     locations.desc, locations.data, dispatch.desc, dispatch.data,
                                     SAMPLES, CAPACITY, HIDDEN, EXPERTS, grad_input.desc,
                                     grad_input.data));
  wrong +=
      !is_right("moe_dispatch_backward_data", handle, &grad_input, (float[]){2.5f, 3, 6, 8, 0, 0});

  size_t size;
  CHECK(mluOpGetMoeDispatchBackwardGateWorkspaceSize(handle, input.desc, &size));
  Tensor extra = workspace(size), grad_gates = FLOATS(NULL, SAMPLES);
  CHECK(mluOpMoeDispatchBackwardGate(handle, indices.desc, indices.data, locations.desc,
                                     locations.data, input.desc, input.data, dispatch.desc,
                                     dispatch.data, SAMPLES, CAPACITY, HIDDEN, EXPERTS, extra.data,
                                     size, grad_gates.desc, grad_gates.data));
  wrong += !is_right("moe_dispatch_backward_gate", handle, &grad_gates, (float[]){34, 15, 0});
  FREE(gates, indices, locations, input, slots, dispatch, grad_input, extra, grad_gates);
  return wrong;
}
