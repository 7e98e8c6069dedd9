# SPDX-License-Identifier: MIT
"""torch.ops.mluops.moe_dispatch_*: registrations and the functions around them."""
import torch

import mluops
from ._arguments import as_indices
from ._register import register

_ops = torch.ops.mluops


def _slots(indices, locations, capacity, num_experts):
    """The slot of each sample, and whether it has one."""
    used = (indices >= 0) & (indices < num_experts) & (locations >= 0) & (locations < capacity)
    return torch.where(used, indices.long() * capacity + locations.long(), 0), used


def _add_to_slots(weights, rows, indices, locations, capacity, num_experts):
    """The sum, for each slot, of the rows of its samples times their weights: the gradient for what samples read."""
    slots, used = _slots(indices, locations, capacity, num_experts)
    products = torch.where(used, weights.float(), 0.0)[:, None] * rows.float()
    sums = products.new_zeros((capacity * num_experts, rows.shape[1])).index_add(0, slots, products)
    return sums.to(rows.dtype)


# ---- dispatch

_WHERE = "Tensor indices, Tensor locations"
_SIZES = "SymInt capacity, SymInt num_experts"


def _save_forward(ctx, inputs, output):
    gates, places, locations, samples, ctx.capacity, ctx.num_experts = inputs
    ctx.save_for_backward(gates, places, locations, samples)


def _forward_backward(ctx, grad):
    gates, places, locations, samples = ctx.saved_tensors
    sizes = ctx.capacity, ctx.num_experts
    to_gates = _ops.moe_dispatch_backward_gate(places, locations, samples, grad, *sizes)
    to_samples = _ops.moe_dispatch_backward_data(gates, places, locations, grad, *sizes)
    return to_gates, None, None, to_samples, None, None


register("moe_dispatch_forward", f"Tensor gates, {_WHERE}, Tensor input, {_SIZES}", "Tensor out",
         mluops.moe_dispatch_forward,
         lambda gates, places, locations, samples, capacity, num_experts:
         samples.new_empty((capacity * num_experts, samples.shape[1])), _forward_backward, _save_forward)


def _save_data(ctx, inputs, output):
    gates, places, locations, dispatch, ctx.capacity, ctx.num_experts = inputs
    ctx.save_for_backward(gates, places, locations, dispatch)


def _data_backward(ctx, grad):
    gates, places, locations, dispatch = ctx.saved_tensors
    sizes = ctx.capacity, ctx.num_experts
    to_gates = _ops.moe_dispatch_backward_gate(places, locations, grad, dispatch, *sizes)
    return to_gates, None, None, _add_to_slots(gates, grad, places, locations, *sizes), None, None


register("moe_dispatch_backward_data", f"Tensor gates, {_WHERE}, Tensor dispatch, {_SIZES}", "Tensor out",
         mluops.moe_dispatch_backward_data,
         lambda gates, places, locations, dispatch, capacity, num_experts:
         dispatch.new_empty((gates.shape[0], dispatch.shape[1])), _data_backward, _save_data)


def _save_gate(ctx, inputs, output):
    places, locations, samples, dispatch, ctx.capacity, ctx.num_experts = inputs
    ctx.save_for_backward(places, locations, samples, dispatch)


def _gate_backward(ctx, grad):
    places, locations, samples, dispatch = ctx.saved_tensors
    sizes = ctx.capacity, ctx.num_experts
    to_samples = _ops.moe_dispatch_backward_data(grad, places, locations, dispatch, *sizes)
    return None, None, to_samples, _add_to_slots(grad, samples, places, locations, *sizes), None, None


register("moe_dispatch_backward_gate", f"{_WHERE}, Tensor input, Tensor dispatch, {_SIZES}", "Tensor out",
         mluops.moe_dispatch_backward_gate,
         lambda places, locations, samples, dispatch, capacity, num_experts: samples.new_empty((samples.shape[0],)),
         _gate_backward, _save_gate)


def moe_dispatch_forward(gates, indices, locations, input, capacity, num_experts, *, out=None):
    """As mluops.moe_dispatch_forward, with gradients for gates and input.

    Gradients are those of slots with one sample each: where several samples address a slot, all of them get its
    gradient, though only the last one is read.

    >>> gates = torch.tensor([0.5, 2.], requires_grad=True)
    >>> moe_dispatch_forward(gates, [1, 0], [0, 0], torch.tensor([[2., 4], [1, 3]]), 1, 2).sum().backward()
    >>> gates.grad
    tensor([6., 4.])
    """
    given = (gates, as_indices("indices", indices), as_indices("locations", locations), input, capacity, num_experts)
    if out is None:
        return _ops.moe_dispatch_forward(*given)
    _ops.moe_dispatch_forward.out(*given, out=out)
    return out


def moe_dispatch_backward_data(gates, indices, locations, dispatch, capacity, num_experts, *, out=None):
    """As mluops.moe_dispatch_backward_data, with gradients for gates and dispatch.

    >>> moe_dispatch_backward_data(torch.tensor([0.5, 2.]), [1, 0], [0, 0], torch.tensor([[2.], [4.]]), 1, 2)
    tensor([[2.],
            [4.]])
    """
    given = (gates, as_indices("indices", indices), as_indices("locations", locations), dispatch, capacity, num_experts)
    if out is None:
        return _ops.moe_dispatch_backward_data(*given)
    _ops.moe_dispatch_backward_data.out(*given, out=out)
    return out


def moe_dispatch_backward_gate(indices, locations, input, dispatch, capacity, num_experts, *, out=None):
    """As mluops.moe_dispatch_backward_gate, with gradients for input and dispatch.

    >>> moe_dispatch_backward_gate([1, 0], [0, 0], torch.tensor([[1.], [3.]]), torch.tensor([[2.], [4.]]), 1, 2)
    tensor([4., 6.])
    """
    given = (as_indices("indices", indices), as_indices("locations", locations), input, dispatch, capacity, num_experts)
    if out is None:
        return _ops.moe_dispatch_backward_gate(*given)
    _ops.moe_dispatch_backward_gate.out(*given, out=out)
    return out
