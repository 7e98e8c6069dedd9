# SPDX-License-Identifier: MIT
"""Operators that draw tokens. The examples use the numbers of mlu_op.h."""
import ctypes
import numbers
import sys
import warnings

import numpy

from ._arguments import int32, outputs, per_row
from ._call import Workspace, call
from ._library import MluOpError
from ._scalar import integer, real
from ._tensor import Tensor, dtype_name, empty_like, is_torch, output, shape_of

_MAX_TOP_K = 1024


def _top_k(top_k, logits):
    """top_k as a tensor; warns if a k that looks like a filter is too large and keeps all tokens."""
    batch, vocab = logits.shape
    top_k = 0 if top_k is None else top_k
    if isinstance(top_k, numbers.Integral):
        is_large = _MAX_TOP_K < top_k < vocab
        top_k = per_row("top_k", min(max(top_k, -1), vocab), batch, "int32", logits)
    elif isinstance(top_k, numbers.Real):
        raise MluOpError(f"top_k: wanted an integer, or an array or a list of them, got {top_k!r}")
    else:
        top_k = per_row("top_k", int32("top_k", top_k, logits), batch, "int32", logits)
        is_large = vocab > _MAX_TOP_K and bool(((top_k > _MAX_TOP_K) & (top_k < vocab)).any())
    if is_large:
        warnings.warn(f"top_k: a k above {_MAX_TOP_K} keeps all tokens of its row", stacklevel=3)
    return Tensor("top_k", top_k)


def _mass(name, value, logits):
    """top_p or min_p as a tensor of the logits' type."""
    return Tensor(name, per_row(name, 1.0 if value is None else value, logits.shape[0], dtype_name(logits), logits))


def noise_columns(top_k, vocab):
    """Columns of noise that a draw can use: noise is indexed by rank, so with one top_k for all rows no more than that."""
    return min(top_k, vocab) if isinstance(top_k, numbers.Integral) and 1 <= top_k <= _MAX_TOP_K else vocab


def check_generator(generator, kind, name):
    if not isinstance(generator, kind):
        raise MluOpError(f"generator: wanted a {name}, got {type(generator).__name__}")


def _noise(generator, logits, top_k):
    """Exponential noise from a numpy or torch generator."""
    batch, vocab = logits.shape
    noise, columns = empty_like(logits, (batch, vocab), "float32"), noise_columns(top_k, vocab)
    if is_torch(logits):
        check_generator(generator, sys.modules["torch"].Generator, "torch.Generator")
        noise[:, :columns].exponential_(generator=generator)
    else:
        check_generator(generator, numpy.random.Generator, "numpy.random.Generator")
        noise[:, :columns] = generator.standard_exponential((batch, columns), numpy.float32)
    return noise


def top_k_top_p_sample(logits, top_k, top_p, q=None, min_p=None, eps=1e-8, top_k_guess=32, return_logits=False,
                       generator=None, out=None, context=None):
    """Draws one token per row: returns int64 [batch], with return_logits also the kept logits [batch, vocab] of float32.

    logits [batch, vocab]. top_k (below 1 or above 1024: all tokens are kept), top_p and min_p: a number for all rows, an
    array or a list with one per row, or None for no filter; they are converted to int32 and to the logits' type. q
    [batch, vocab] of float32: exponential noise. With a generator (numpy's for arrays, torch's for tensors) the noise is
    made here; with neither, the most probable token is taken. `out`: the tokens; with return_logits a tuple of both results.

    >>> import numpy
    >>> logits = numpy.float32([[0.5, 2, 1, 2, -1, 0]])
    >>> noise = numpy.float32([[1.2, 0.4, 0.9, 0.3, 2, 0.7]])
    >>> top_k_top_p_sample(logits, 3, 0.7, noise)
    array([3])
    >>> token, kept = top_k_top_p_sample(logits, numpy.int32([3]), numpy.float32([0.7]), return_logits=True)
    >>> token, kept
    (array([1]), array([[-inf,   2., -inf,   2., -inf, -inf]], dtype=float32))
    >>> top_k_top_p_sample(numpy.zeros((3, 9), numpy.float32), 5, 0.9, generator=numpy.random.default_rng(1))
    array([4, 0, 4])
    """
    batch, vocab = shape_of("logits", logits, 2)
    token, kept = outputs("out", out, 2) if return_logits else (out, None)
    token = empty_like(logits, (batch,), "int64") if token is None else token
    kept = empty_like(logits, (batch, vocab), "float32") if return_logits and kept is None else kept
    if generator is not None:
        if q is not None:
            raise MluOpError("generator: wanted noise or a generator of it, got both")
        q = _noise(generator, logits, top_k)
    rows = Tensor("logits", logits, rows_apart=True)
    filters = [_top_k(top_k, logits), _mass("top_p", top_p, logits)]
    name = "mluOpTopKTopPSample"
    if min_p is not None:
        name += "_v2"
        filters.append(_mass("min_p", min_p, logits))
    if batch != 0:
        call(context, name, rows, *filters, Tensor("q", q), real("eps", eps), ctypes.c_bool(return_logits),
             integer("top_k_guess", top_k_guess), Workspace("mluOpGetTopKTopPSampleWorkspaceSize", rows),
             output("logits_select_idx", token), output("logits_top_kp_select", kept))
    return (token, kept) if return_logits else token


def apply_top_k_top_p(logits, top_k, top_p, out=None, context=None):
    """Filters logits without drawing: logits that top-k or top-p removes become -inf. Returns [batch, vocab].

    top_k and top_p as in top_k_top_p_sample.

    >>> import numpy
    >>> apply_top_k_top_p(numpy.float32([[0.5, 2, 1, 2, -1, 0]]), top_k=3, top_p=0.7)
    array([[-inf,   2., -inf,   2., -inf, -inf]], dtype=float32)
    """
    batch, vocab = shape_of("logits", logits, 2)
    out = empty_like(logits, (batch, vocab)) if out is None else out
    rows, filters = Tensor("logits", logits, rows_apart=True), (_top_k(top_k, logits), _mass("top_p", top_p, logits))
    if batch != 0:
        call(context, "mluOpApplyTopKTopP", rows, *filters, Workspace("mluOpGetApplyTopKTopPWorkspaceSize", rows),
             output("output", out))
    return out
