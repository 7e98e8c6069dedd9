# SPDX-License-Identifier: MIT
"""torch.ops.mluops.* of caches in pages: registrations and the functions around them."""
import torch

import mluops
from ._arguments import as_indices
from ._register import register, register_in_place

_ops = torch.ops.mluops


def _rows(ids, block_table, block_size, request_ids, valid_counts, token_size):
    """The row of the cache that each id means, and whether there is one: what the operators do themselves, for what has
    no operator, their gradients."""
    requests, entries = block_table.shape
    queries, k = ids.shape
    request = torch.zeros(queries, dtype=torch.int64) if request_ids is None else request_ids.long()
    ids = ids.long()
    used = (ids >= 0) & (ids < entries * block_size) & ((request >= 0) & (request < requests))[:, None]
    if valid_counts is not None:
        used = used & (torch.arange(k) < valid_counts[:, None])
    ids = torch.where(used, ids, 0)
    block = block_table.long()[request.clamp(0, requests - 1)[:, None], ids // block_size]
    rows = block * block_size + ids % block_size
    used = used & (block >= 0) & (rows < token_size)
    return torch.where(used, rows, 0), used


def _add_to_rows(shape, dtype, rows, used, values):
    """The sum of `values` for each row of the cache, in float."""
    values = torch.where(used[..., None], values.float(), 0.0).reshape(-1, shape[1])
    return values.new_zeros(shape).index_add(0, rows.reshape(-1), values).to(dtype)


# ---- gather

def _save_gather(ctx, inputs, output):
    param, ids, block_table, ctx.block_size, _ = inputs
    ctx.shape, ctx.dtype = param.shape, param.dtype
    ctx.save_for_backward(ids, block_table)


def _gather_backward(ctx, grad):
    ids, block_table = ctx.saved_tensors
    rows, used = _rows(ids, block_table, ctx.block_size, None, None, ctx.shape[0])
    return _add_to_rows(ctx.shape, ctx.dtype, rows, used, grad[None]), None, None, None, None


register("gather_in_ub", "Tensor param, Tensor indices, Tensor block_table, int block_size, int axis=-2", "Tensor out",
         mluops.gather_in_ub,
         lambda param, ids, block_table, block_size, axis=-2: param.new_empty((ids.shape[1], param.shape[1])),
         _gather_backward, _save_gather)


def gather_in_ub(param, indices, block_table, block_size, axis=-2, *, out=None):
    """As mluops.gather_in_ub, with a gradient for param: rows that are read several times get the sum.

    >>> cache = torch.tensor([[1.], [2], [3], [4]], requires_grad=True)
    >>> gather_in_ub(cache, [[0, 3, 0, -1]], [[1, 0]], block_size=2).sum().backward()
    >>> cache.grad.ravel()
    tensor([0., 1., 2., 0.])
    """
    given = (param, as_indices("indices", indices), as_indices("block_table", block_table), block_size, axis)
    if out is None:
        return _ops.gather_in_ub(*given)
    _ops.gather_in_ub.out(*given, out=out)
    return out


def _save_batched(ctx, inputs, output):
    param, ids, block_table, ctx.block_size, request_ids, valid_counts, _ = inputs
    ctx.shape, ctx.dtype = param.shape, param.dtype
    ctx.save_for_backward(ids, block_table, request_ids, valid_counts)


def _batched_backward(ctx, grad):
    ids, block_table, request_ids, valid_counts = ctx.saved_tensors
    rows, used = _rows(ids, block_table, ctx.block_size, request_ids, valid_counts, ctx.shape[0])
    return _add_to_rows(ctx.shape, ctx.dtype, rows, used, grad), None, None, None, None, None, None


register("gather_in_ub_batched",
         "Tensor param, Tensor indices, Tensor block_table, int block_size, Tensor? request_ids=None, "
         "Tensor? valid_counts=None, int axis=-2", "Tensor out", mluops.gather_in_ub_batched,
         lambda param, ids, block_table, block_size, request_ids=None, valid_counts=None, axis=-2:
         param.new_empty((*ids.shape, param.shape[1])), _batched_backward, _save_batched)


def gather_in_ub_batched(param, indices, block_table, block_size, request_ids=None, valid_counts=None, axis=-2, *,
                         out=None):
    """As mluops.gather_in_ub_batched, with a gradient for param.

    >>> cache = torch.tensor([[0.], [10], [20], [30]])
    >>> gather_in_ub_batched(cache, [[0, 2], [3, 0]], [[1, 0], [0, -1]], 2, [1, 0], [2, 1]).squeeze(-1)
    tensor([[ 0.,  0.],
            [10.,  0.]])
    """
    given = (param, as_indices("indices", indices), as_indices("block_table", block_table), block_size,
             as_indices("request_ids", request_ids), as_indices("valid_counts", valid_counts), axis)
    if out is None:
        return _ops.gather_in_ub_batched(*given)
    _ops.gather_in_ub_batched.out(*given, out=out)
    return out


# ---- write

def _write(*given):
    mluops.paged_cache_write(*given)


register_in_place("paged_cache_write",
                  "Tensor input, Tensor positions, Tensor block_table, int block_size, Tensor(a!) cache, "
                  "Tensor? request_ids=None", _write)


def paged_cache_write(input, positions, block_table, block_size, cache, request_ids=None):
    """As mluops.paged_cache_write: changes the cache and returns it. Inputs that require a gradient are refused.

    >>> paged_cache_write(torch.tensor([[7.], [8], [9]]), [0, -1, 3], [[1, 0]], 2, torch.zeros(4, 1)).ravel()
    tensor([0., 9., 7., 0.])
    """
    _ops.paged_cache_write(input, as_indices("positions", positions), as_indices("block_table", block_table), block_size,
                           cache, as_indices("request_ids", request_ids))
    return cache


# ---- scores

def _save_scores(ctx, inputs, output):
    query, param, ids, block_table, ctx.block_size, ctx.scale, request_ids, valid_counts = inputs
    ctx.save_for_backward(query, param, ids, block_table, request_ids, valid_counts)


def _scores_backward(ctx, grad):
    query, param, ids, block_table, request_ids, valid_counts = ctx.saved_tensors
    rows, used = _rows(ids, block_table, ctx.block_size, request_ids, valid_counts, param.shape[0])
    # A missing score is -inf for any query and keys, so its gradient is 0 even if the incoming one is NaN.
    grad = torch.where(used[:, None, :], grad * ctx.scale, 0.0)
    keys = _ops.gather_in_ub_batched(param, ids, block_table, ctx.block_size, request_ids, valid_counts)
    to_query = torch.matmul(grad, keys.float()).to(query.dtype)
    to_keys = torch.matmul(grad.transpose(1, 2), query.float())
    return (to_query, _add_to_rows(param.shape, param.dtype, rows, used, to_keys), *[None] * 6)


register("sparse_attention_scores",
         "Tensor query, Tensor param, Tensor indices, Tensor block_table, int block_size, float scale=1.0, "
         "Tensor? request_ids=None, Tensor? valid_counts=None", "Tensor out", mluops.sparse_attention_scores,
         lambda query, param, ids, *_: query.new_empty((query.shape[0], query.shape[1], ids.shape[1]),
                                                       dtype=torch.float32), _scores_backward, _save_scores)


def sparse_attention_scores(query, param, indices, block_table, block_size, scale=1.0, request_ids=None,
                            valid_counts=None, *, out=None):
    """As mluops.sparse_attention_scores, with gradients for query and param.

    >>> query, keys = torch.tensor([[[2., 4]]]), torch.tensor([[1., 1], [3, 1]])
    >>> sparse_attention_scores(query, keys, [[0, 1, -1]], [[1, 0]], block_size=1, scale=0.5)
    tensor([[[5., 3., -inf]]])
    """
    given = (query, param, as_indices("indices", indices), as_indices("block_table", block_table), block_size, scale,
             as_indices("request_ids", request_ids), as_indices("valid_counts", valid_counts))
    if out is None:
        return _ops.sparse_attention_scores(*given)
    _ops.sparse_attention_scores.out(*given, out=out)
    return out
