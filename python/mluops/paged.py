# SPDX-License-Identifier: MIT
"""Operators of paged caches. The examples use the numbers of mlu_op.h.

Indices, positions, block tables, requests and counts may be int64 or lists. Without indices the result is empty; with an
empty cache every entry counts as outside the cache."""
from ._arguments import int32
from ._call import call
from ._scalar import integer, real
from ._tensor import Tensor, empty_like, output, shape_of


def _empty(*shapes):
    for shape in shapes:
        if 0 in shape:
            return True
    return False


def _fill(out, value):
    out[...] = value
    return out


def gather_in_ub(param, indices, block_table, block_size, axis=-2, out=None, context=None):
    """Gathers rows of a paged cache: returns [k, hidden]. indices [1, k], block_table [1, entries].

    >>> import numpy
    >>> gather_in_ub(numpy.float32([[0, 1], [10, 11], [20, 21], [30, 31], [40, 41], [50, 51]]),
    ...              numpy.int32([[0, 4, 3]]), numpy.int32([[0, 2, 1]]), block_size=2)
    array([[ 0.,  1.],
           [20., 21.],
           [50., 51.]], dtype=float32)
    """
    indices, block_table = int32("indices", indices, param), int32("block_table", block_table, param)
    (one, k), (size, hidden) = shape_of("indices", indices, 2), shape_of("param", param, 2)
    out = empty_like(param, (k, hidden)) if out is None else out
    if not (one and k and size and hidden and len(block_table)):
        return _fill(out, 0)
    call(context, "mluOpGatherInUb", Tensor("param", param, rows_apart=True), Tensor("indices", indices),
         Tensor("block_table", block_table), integer("block_size", block_size), integer("axis", axis),
         output("output", out))
    return out


def gather_in_ub_batched(param, indices, block_table, block_size, request_ids=None, valid_counts=None, axis=-2, out=None,
                         context=None):
    """gather_in_ub for many queries of many requests: returns [queries, k, hidden].

    >>> import numpy
    >>> gather_in_ub_batched(numpy.float32([[0], [10], [20], [30]]), numpy.int32([[0, 2], [3, 0]]),
    ...                      numpy.int32([[1, 0], [0, -1]]), 2, [1, 0], valid_counts=[2, 1]).tolist()
    [[[0.0], [0.0]], [[10.0], [0.0]]]
    """
    indices, block_table = int32("indices", indices, param), int32("block_table", block_table, param)
    (queries, k), (_, hidden) = shape_of("indices", indices, 2), shape_of("param", param, 2)
    out = empty_like(param, (queries, k, hidden)) if out is None else out
    if _empty(param.shape, indices.shape, block_table.shape):
        return _fill(out, 0)
    call(context, "mluOpGatherInUbBatched", Tensor("param", param, rows_apart=True), Tensor("indices", indices),
         Tensor("block_table", block_table), Tensor("request_ids", int32("request_ids", request_ids, param)),
         Tensor("valid_counts", int32("valid_counts", valid_counts, param)), integer("block_size", block_size),
         integer("axis", axis), output("output", out))
    return out


def paged_cache_write(input, positions, block_table, block_size, cache, request_ids=None, context=None):
    """Writes rows into a paged cache; returns the cache.

    >>> import numpy
    >>> cache = numpy.full((4, 1), -1, dtype=numpy.float32)
    >>> paged_cache_write(numpy.float32([[7], [8], [9]]), [0, -1, 3], [[1, 0]], 2, cache).ravel()
    array([-1.,  9.,  7., -1.], dtype=float32)
    """
    positions, block_table = int32("positions", positions, input), int32("block_table", block_table, input)
    if _empty(shape_of("input", input, 2), shape_of("cache", cache, 2), positions.shape, block_table.shape):
        return cache
    call(context, "mluOpPagedCacheWrite", Tensor("input", input), Tensor("positions", positions),
         Tensor("request_ids", int32("request_ids", request_ids, input)), Tensor("block_table", block_table),
         integer("block_size", block_size), output("cache", cache))
    return cache


def sparse_attention_scores(query, param, indices, block_table, block_size, scale=1.0, request_ids=None,
                            valid_counts=None, out=None, context=None):
    """Attention scores of selected keys of a paged cache: returns float32 [queries, heads, k].

    >>> import numpy
    >>> sparse_attention_scores(numpy.float32([[[2, 4]]]), numpy.float32([[1, 1], [3, 1]]), numpy.int32([[0, 1, -1]]),
    ...                         numpy.int32([[1, 0]]), block_size=1, scale=0.5)
    array([[[  5.,   3., -inf]]], dtype=float32)
    """
    indices, block_table = int32("indices", indices, param), int32("block_table", block_table, param)
    (queries, heads, _), (_, k) = shape_of("query", query, 3), shape_of("indices", indices, 2)
    out = empty_like(query, (queries, heads, k), "float32") if out is None else out
    if _empty(query.shape, shape_of("param", param, 2), indices.shape, block_table.shape):
        return _fill(out, float("-inf"))
    call(context, "mluOpSparseAttentionScores", Tensor("query", query), Tensor("param", param, rows_apart=True),
         Tensor("indices", indices), Tensor("block_table", block_table),
         Tensor("request_ids", int32("request_ids", request_ids, param)),
         Tensor("valid_counts", int32("valid_counts", valid_counts, param)), integer("block_size", block_size),
         real("scale", scale), output("scores", out))
    return out
