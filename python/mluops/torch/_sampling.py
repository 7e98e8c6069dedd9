# SPDX-License-Identifier: MIT
"""torch.ops.mluops.* that draw tokens: registrations and the functions around them."""
import numbers

import torch

from .. import sampling
from .._arguments import outputs
from .._library import MluOpError
from ._arguments import check_logits, per_row
from ._register import register

_ops = torch.ops.mluops


def _pass_kept(kept, grad, dtype):
    """What a filter keeps passes its gradient, what it removes has none."""
    return torch.where(kept == float("-inf"), 0.0, grad).to(dtype)


def _filters(logits, top_k, top_p):
    """Both with a number for each row; None filters nothing. A k for all rows needs no conversion by the operator."""
    top_k, dtype = 0 if top_k is None else top_k, torch.int64
    if isinstance(top_k, numbers.Integral):
        top_k, dtype = min(max(top_k, -1), 2**31 - 1), torch.int32
    return (per_row("top_k", top_k, logits, dtype),
            per_row("top_p", 1.0 if top_p is None else top_p, logits, logits.dtype))


# ---- sample

def _sample(logits, top_k, top_p, q=None, min_p=None, eps=1e-8, top_k_guess=32, return_logits=False, out=None):
    out = out[0] if out is not None and not return_logits else out
    results = sampling.top_k_top_p_sample(logits, top_k, top_p, q, min_p, eps, top_k_guess, return_logits, out=out)
    return results if return_logits else (results, logits.new_empty((0,), dtype=torch.float32))


def _sample_fake(logits, top_k, top_p, q=None, min_p=None, eps=1e-8, top_k_guess=32, return_logits=False):
    kept = logits.shape if return_logits else (0,)
    return (logits.new_empty((logits.shape[0],), dtype=torch.int64), logits.new_empty(kept, dtype=torch.float32))


def _save_sample(ctx, inputs, output):
    ctx.dtype = inputs[0].dtype
    ctx.save_for_backward(output[1] if inputs[-1] else None)


def _sample_backward(ctx, _, kept_grad):
    kept, = ctx.saved_tensors
    return (None if kept is None else _pass_kept(kept, kept_grad, ctx.dtype), *[None] * 7)


register("top_k_top_p_sample",
         "Tensor logits, Tensor top_k, Tensor top_p, Tensor? q=None, Tensor? min_p=None, float eps=1e-8, "
         "int top_k_guess=32, bool return_logits=False", "Tensor tokens, Tensor? kept", _sample, _sample_fake,
         _sample_backward, _save_sample)


def exponential_noise(logits, top_k, generator=None):
    """Noise for top_k_top_p_sample. Draws take it by rank, so with one top-k for all rows only that many numbers of a row
    are made; the others are not used and may be anything.

    >>> generator = torch.Generator().manual_seed(1)
    >>> exponential_noise(torch.zeros(2, 100), 5, generator).shape
    torch.Size([2, 100])
    """
    check_logits(logits)
    if generator is not None:
        sampling.check_generator(generator, torch.Generator, "torch.Generator")
    noise = torch.empty(logits.shape, dtype=torch.float32)
    columns = sampling.noise_columns(top_k, logits.shape[1])
    noise[:, :columns].exponential_(generator=generator)
    return noise


def top_k_top_p_sample(logits, top_k, top_p, q=None, min_p=None, eps=1e-8, top_k_guess=32, return_logits=False, *,
                       generator=None, greedy=False, out=None):
    """As mluops.top_k_top_p_sample, except that noise is made when none is given, by `generator` or torch's default one;
    with greedy=True there is no noise and the most probable token is taken.

    top_k, top_p and min_p: a number for all rows, a list or a tensor, or None for no such filter. Kept logits have a gradient.

    >>> logits = torch.tensor([[0.5, 2, 1, 2, -1, 0]])
    >>> top_k_top_p_sample(logits, 3, 0.7, greedy=True)
    tensor([1])
    >>> first, again = (top_k_top_p_sample(logits.expand(50, 6), 3, 0.9, generator=torch.Generator().manual_seed(7))
    ...                 for _ in range(2))
    >>> bool((first == again).all()), sorted(set(first.tolist()))
    (True, [1, 2, 3])
    """
    if generator is not None and q is not None:
        raise MluOpError("generator: wanted noise or a generator of it, got both")
    check_logits(logits)
    if q is None and not greedy:
        q = exponential_noise(logits, top_k, generator)
    given = (logits, *_filters(logits, top_k, top_p), q,
             per_row("min_p", min_p, logits, logits.dtype), eps, top_k_guess, return_logits)
    if out is None:
        tokens, kept = _ops.top_k_top_p_sample(*given)
        return (tokens, kept) if return_logits else tokens
    tokens, kept = outputs("out", out, 2) if return_logits else (out, None)
    _ops.top_k_top_p_sample.out(*given, tokens=tokens, kept=kept)
    return out


# ---- filter

def _save_filter(ctx, inputs, output):
    ctx.save_for_backward(output)


def _filter_backward(ctx, grad):
    kept, = ctx.saved_tensors
    return _pass_kept(kept, grad, kept.dtype), None, None


register("apply_top_k_top_p", "Tensor logits, Tensor top_k, Tensor top_p", "Tensor out", sampling.apply_top_k_top_p,
         lambda logits, top_k, top_p: logits.new_empty(logits.shape), _filter_backward, _save_filter)


def apply_top_k_top_p(logits, top_k, top_p, *, out=None):
    """As mluops.apply_top_k_top_p, with a gradient for logits: that of what is kept.

    >>> apply_top_k_top_p(torch.tensor([[0.5, 2, 1, 2, -1, 0]]), top_k=3, top_p=0.7)
    tensor([[-inf, 2., -inf, 2., -inf, -inf]])
    """
    check_logits(logits)
    given = (logits, *_filters(logits, top_k, top_p))
    if out is None:
        return _ops.apply_top_k_top_p(*given)
    _ops.apply_top_k_top_p.out(*given, out=out)
    return out
