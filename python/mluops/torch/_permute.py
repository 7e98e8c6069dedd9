# SPDX-License-Identifier: MIT
"""torch.ops.mluops.moe_token_*: registrations and the functions around them."""
import torch

import mluops
from .._arguments import outputs
from ..moe import permuted_rows
from ._arguments import as_indices, nothing, or_none
from ._register import register

_ops = torch.ops.mluops


def _like(tensor, *shape):
    return tensor.new_empty(shape)


# ---- permute

def _permute_fake(tokens, routing_map, num_out_tokens, probs=None, drop_and_pad=False):
    count, experts = routing_map.shape
    rows = permuted_rows(count, experts, num_out_tokens, drop_and_pad)
    permuted_probs = nothing(tokens) if probs is None else _like(probs, rows)
    return (_like(tokens, rows, tokens.shape[1]), permuted_probs, routing_map.new_empty((rows,), dtype=torch.int32),
            routing_map.new_empty((experts,), dtype=torch.int32))


def _save_permute(ctx, inputs, output):
    _, routing_map, _, probs, ctx.drop_and_pad = inputs
    ctx.has_probs = probs is not None
    ctx.save_for_backward(output[2], routing_map)


def _permute_backward(ctx, rows_grad, probs_grad, *_):
    sorted_indices, routing_map = ctx.saved_tensors
    tokens, probs = _ops.moe_token_permute_with_routing_map_grad(
        rows_grad, sorted_indices, routing_map, probs_grad if ctx.has_probs else None, ctx.drop_and_pad)
    return tokens, None, None, or_none(probs, ctx.has_probs), None


register("moe_token_permute_with_routing_map",
         "Tensor tokens, Tensor routing_map, SymInt num_out_tokens, Tensor? probs=None, bool drop_and_pad=False",
         "Tensor permuted_tokens, Tensor? permuted_probs, Tensor sorted_indices, Tensor tokens_per_expert",
         mluops.moe_token_permute_with_routing_map, _permute_fake, _permute_backward, _save_permute)


def moe_token_permute_with_routing_map(tokens, routing_map, num_out_tokens, probs=None, drop_and_pad=False, *, out=None):
    """As mluops.moe_token_permute_with_routing_map, with gradients for tokens and probs.

    >>> tokens = torch.tensor([[10.], [11], [12]], requires_grad=True)
    >>> routing_map = torch.tensor([[1, 0, 1], [0, 1, 1], [1, 0, 1]], dtype=torch.bool)
    >>> rows, _, indices, counts = moe_token_permute_with_routing_map(tokens, routing_map, 6)
    >>> rows.ravel().tolist(), counts.tolist()
    ([10.0, 12.0, 11.0, 10.0, 11.0, 12.0], [2, 1, 3])
    >>> (rows * torch.arange(6.)[:, None]).sum().backward()
    >>> tokens.grad.ravel()
    tensor([3., 6., 6.])
    """
    given = (tokens, routing_map, num_out_tokens, probs, drop_and_pad)
    if out is None:
        rows, permuted_probs, sorted_indices, counts = _ops.moe_token_permute_with_routing_map(*given)
        return rows, or_none(permuted_probs, probs is not None), sorted_indices, counts
    names = ("permuted_tokens", "permuted_probs", "sorted_indices", "tokens_per_expert")
    _ops.moe_token_permute_with_routing_map.out(*given, **dict(zip(names, outputs("out", out, 4))))
    return tuple(out)


# ---- unpermute

def _unpermute_fake(permuted_tokens, sorted_indices, routing_map, probs=None, drop_and_pad=False):
    return _like(permuted_tokens, routing_map.shape[0], permuted_tokens.shape[1])


def _save_unpermute(ctx, inputs, output):
    permuted_tokens, sorted_indices, routing_map, probs, ctx.drop_and_pad = inputs
    # Without probs the gradient only copies rows, so the rows need not be saved.
    ctx.save_for_backward(permuted_tokens if probs is not None else None, sorted_indices, routing_map, probs)


def _unpermute_backward(ctx, grad):
    permuted_tokens, sorted_indices, routing_map, probs = ctx.saved_tensors
    rows_grad, probs_grad = _ops.moe_token_unpermute_with_routing_map_grad(grad, sorted_indices, routing_map,
                                                                           permuted_tokens, probs, ctx.drop_and_pad)
    return rows_grad, None, None, or_none(probs_grad, probs is not None), None


register("moe_token_unpermute_with_routing_map",
         "Tensor permuted_tokens, Tensor sorted_indices, Tensor routing_map, Tensor? probs=None, bool drop_and_pad=False",
         "Tensor out", mluops.moe_token_unpermute_with_routing_map, _unpermute_fake, _unpermute_backward, _save_unpermute)


def moe_token_unpermute_with_routing_map(permuted_tokens, sorted_indices, routing_map, probs=None, drop_and_pad=False, *,
                                         out=None):
    """As mluops.moe_token_unpermute_with_routing_map, with gradients for permuted_tokens and probs.

    >>> rows = torch.tensor([[1.], [2], [3], [4]], requires_grad=True)
    >>> tokens = moe_token_unpermute_with_routing_map(rows, [0, 2, 1, 3], torch.ones(2, 2, dtype=torch.bool),
    ...                                               torch.tensor([[0.5, 0.5], [1, 0.25]]))
    >>> tokens.sum().backward()
    >>> tokens.ravel().tolist(), rows.grad.ravel().tolist()
    ([2.0, 3.0], [0.5, 1.0, 0.5, 0.25])
    """
    given = (permuted_tokens, as_indices("sorted_indices", sorted_indices), routing_map, probs, drop_and_pad)
    if out is None:
        return _ops.moe_token_unpermute_with_routing_map(*given)
    _ops.moe_token_unpermute_with_routing_map.out(*given, out=out)
    return out


# ---- their gradients

def _permute_grad_fake(rows_grad, sorted_indices, routing_map, probs_grad=None, drop_and_pad=False):
    probs = nothing(rows_grad) if probs_grad is None else _like(probs_grad, *routing_map.shape)
    return _like(rows_grad, routing_map.shape[0], rows_grad.shape[1]), probs


register("moe_token_permute_with_routing_map_grad",
         "Tensor permuted_tokens_grad, Tensor sorted_indices, Tensor routing_map, Tensor? permuted_probs_grad=None, "
         "bool drop_and_pad=False", "Tensor tokens_grad, Tensor? probs_grad", mluops.moe_token_permute_with_routing_map_grad,
         _permute_grad_fake)


def moe_token_permute_with_routing_map_grad(permuted_tokens_grad, sorted_indices, routing_map, permuted_probs_grad=None,
                                            drop_and_pad=False, *, out=None):
    """As mluops.moe_token_permute_with_routing_map_grad. It has no gradient of its own.

    >>> routing_map = torch.tensor([[0, 1], [1, 0]], dtype=torch.bool)
    >>> moe_token_permute_with_routing_map_grad(torch.tensor([[1.], [2]]), [1, 0], routing_map)[0].ravel()
    tensor([2., 1.])
    """
    given = (permuted_tokens_grad, as_indices("sorted_indices", sorted_indices), routing_map, permuted_probs_grad,
             drop_and_pad)
    if out is None:
        tokens, probs = _ops.moe_token_permute_with_routing_map_grad(*given)
        return tokens, or_none(probs, permuted_probs_grad is not None)
    tokens_grad, probs_grad = outputs("out", out, 2)
    _ops.moe_token_permute_with_routing_map_grad.out(*given, tokens_grad=tokens_grad, probs_grad=probs_grad)
    return tuple(out)


def _unpermute_grad_fake(grad, sorted_indices, routing_map, permuted_tokens=None, probs=None, drop_and_pad=False):
    return (_like(grad, sorted_indices.shape[0], grad.shape[1]),
            nothing(grad) if probs is None else _like(probs, *probs.shape))


register("moe_token_unpermute_with_routing_map_grad",
         "Tensor unpermuted_tokens_grad, Tensor sorted_indices, Tensor routing_map, Tensor? permuted_tokens=None, "
         "Tensor? probs=None, bool drop_and_pad=False", "Tensor permuted_tokens_grad, Tensor? probs_grad",
         mluops.moe_token_unpermute_with_routing_map_grad, _unpermute_grad_fake)


def moe_token_unpermute_with_routing_map_grad(unpermuted_tokens_grad, sorted_indices, routing_map, permuted_tokens=None,
                                              probs=None, drop_and_pad=False, *, out=None):
    """As mluops.moe_token_unpermute_with_routing_map_grad. It has no gradient of its own.

    >>> routing_map = torch.tensor([[0, 1], [1, 0]], dtype=torch.bool)
    >>> moe_token_unpermute_with_routing_map_grad(torch.tensor([[3.], [4]]), [1, 0], routing_map)[0].ravel()
    tensor([4., 3.])
    """
    given = (unpermuted_tokens_grad, as_indices("sorted_indices", sorted_indices), routing_map, permuted_tokens, probs,
             drop_and_pad)
    if out is None:
        rows, probs_grad = _ops.moe_token_unpermute_with_routing_map_grad(*given)
        return rows, or_none(probs_grad, probs is not None)
    rows_grad, probs_grad = outputs("out", out, 2)
    _ops.moe_token_unpermute_with_routing_map_grad.out(*given, permuted_tokens_grad=rows_grad, probs_grad=probs_grad)
    return tuple(out)
