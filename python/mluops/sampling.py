# SPDX-License-Identifier: MIT
"""Operators that draw tokens. The numbers of the examples are those of mlu_op.h."""
import ctypes

from ._call import Workspace, call
from ._tensor import Tensor, empty_like


def top_k_top_p_sample(logits, top_k, top_p, q=None, min_p=None, eps=1e-8, top_k_guess=32, return_logits=False,
                       context=None):
    """Draws one token per row: returns int64 [batch], with return_logits also the kept logits [batch, vocab].

    logits [batch, vocab], top_k [batch] of int32, top_p (and min_p) [batch] of the logits' type, q [batch, vocab] of
    float32: exponential noise, or None for the most probable token.

    >>> import numpy
    >>> logits = numpy.float32([[0.5, 2, 1, 2, -1, 0]])
    >>> noise = numpy.float32([[1.2, 0.4, 0.9, 0.3, 2, 0.7]])
    >>> top_k_top_p_sample(logits, numpy.int32([3]), numpy.float32([0.7]), noise)
    array([3])
    >>> token, kept = top_k_top_p_sample(logits, numpy.int32([3]), numpy.float32([0.7]), return_logits=True)
    >>> token, kept
    (array([1]), array([[-inf,   2., -inf,   2., -inf, -inf]], dtype=float32))
    """
    token = empty_like(logits, (logits.shape[0],), "int64")
    kept = empty_like(logits, logits.shape, "float32") if return_logits else None
    rows = Tensor("logits", logits)
    filters = [Tensor("top_k", top_k), Tensor("top_p", top_p)]
    name = "mluOpTopKTopPSample"
    if min_p is not None:
        name += "_v2"
        filters.append(Tensor("min_p", min_p))
    call(context, name, rows, *filters, Tensor("q", q), ctypes.c_float(eps), ctypes.c_bool(return_logits), top_k_guess,
         Workspace("mluOpGetTopKTopPSampleWorkspaceSize", rows), Tensor("logits_select_idx", token),
         Tensor("logits_top_kp_select", kept))
    return (token, kept) if return_logits else token


def apply_top_k_top_p(logits, top_k, top_p, out=None, context=None):
    """Filters logits without drawing: what top-k and top-p remove becomes -inf. Returns [batch, vocab].

    >>> import numpy
    >>> apply_top_k_top_p(numpy.float32([[0.5, 2, 1, 2, -1, 0]]), numpy.int32([3]), numpy.float32([0.7]))
    array([[-inf,   2., -inf,   2., -inf, -inf]], dtype=float32)
    """
    out = empty_like(logits, logits.shape) if out is None else out
    rows = Tensor("logits", logits)
    call(context, "mluOpApplyTopKTopP", rows, Tensor("top_k", top_k), Tensor("top_p", top_p),
         Workspace("mluOpGetApplyTopKTopPWorkspaceSize", rows), Tensor("output", out))
    return out
