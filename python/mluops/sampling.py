# SPDX-License-Identifier: MIT
"""Operators that draw tokens. The numbers of the examples are those of mlu_op.h."""
import ctypes
import warnings

from ._call import Workspace, call
from ._scalar import integer, real
from ._tensor import Tensor, empty_like, output, shape_of

_MAX_TOP_K = 1024


def _top_k(top_k, vocab):
    """The tensor; warns where a k that looks like a filter is none."""
    shape_of("top_k", top_k, 1)
    if bool(((top_k > _MAX_TOP_K) & (top_k < vocab)).any()):
        warnings.warn(f"top_k: a k above {_MAX_TOP_K} keeps all tokens of its row", stacklevel=3)
    return Tensor("top_k", top_k)


def top_k_top_p_sample(logits, top_k, top_p, q=None, min_p=None, eps=1e-8, top_k_guess=32, return_logits=False,
                       context=None):
    """Draws one token per row: returns int64 [batch], with return_logits also the kept logits [batch, vocab].

    logits [batch, vocab], top_k [batch] of int32 (below 1 or above 1024: all tokens are kept), top_p (and min_p) [batch] of the logits' type, q [batch, vocab] of
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
    batch, vocab = shape_of("logits", logits, 2)
    token = empty_like(logits, (batch,), "int64")
    kept = empty_like(logits, (batch, vocab), "float32") if return_logits else None
    rows = Tensor("logits", logits)
    filters = [_top_k(top_k, vocab), Tensor("top_p", top_p)]
    name = "mluOpTopKTopPSample"
    if min_p is not None:
        name += "_v2"
        filters.append(Tensor("min_p", min_p))
    call(context, name, rows, *filters, Tensor("q", q), real("eps", eps), ctypes.c_bool(return_logits),
         integer("top_k_guess", top_k_guess), Workspace("mluOpGetTopKTopPSampleWorkspaceSize", rows),
         output("logits_select_idx", token), output("logits_top_kp_select", kept))
    return (token, kept) if return_logits else token


def apply_top_k_top_p(logits, top_k, top_p, out=None, context=None):
    """Filters logits without drawing: what top-k and top-p remove becomes -inf. Returns [batch, vocab].

    A k below 1 or above 1024 keeps all tokens of its row.

    >>> import numpy
    >>> apply_top_k_top_p(numpy.float32([[0.5, 2, 1, 2, -1, 0]]), numpy.int32([3]), numpy.float32([0.7]))
    array([[-inf,   2., -inf,   2., -inf, -inf]], dtype=float32)
    """
    batch, vocab = shape_of("logits", logits, 2)
    out = empty_like(logits, (batch, vocab)) if out is None else out
    rows = Tensor("logits", logits)
    call(context, "mluOpApplyTopKTopP", rows, _top_k(top_k, vocab), Tensor("top_p", top_p),
         Workspace("mluOpGetApplyTopKTopPWorkspaceSize", rows), output("output", out))
    return out
