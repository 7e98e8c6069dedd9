# SPDX-License-Identifier: MIT
"""Functions with the names and arguments of flashinfer.sampling."""
import torch

from .._library import MluOpError
from ._sampling import top_k_top_p_sample


def top_k_top_p_sampling_from_logits(logits, top_k, top_p, indices=None, filter_apply_order="top_k_first",
                                     deterministic=True, generator=None, check_nan=False, seed=None, offset=None):
    """Draws one token per row, as flashinfer.sampling.top_k_top_p_sampling_from_logits: returns int32 [batch].

    What differs: the draws are other ones for the same generator; a top_k above 1024 keeps all tokens; of equal logits at
    the bound of top-k those with the lowest ids are kept, not all; logits may be float, half or bfloat16, and top_p is
    rounded to that type; results are always reproducible, so `deterministic` changes nothing;
    filter_apply_order="joint" and `offset` are refused.

    >>> logits = torch.tensor([[0.5, 2, 1, 2, -1, 0]])
    >>> draws = top_k_top_p_sampling_from_logits(logits, 3, 0.7, indices=torch.zeros(50, dtype=torch.int32), seed=1)
    >>> draws.dtype, sorted(set(draws.tolist()))
    (torch.int32, [1, 3])
    """
    if filter_apply_order != "top_k_first":
        raise MluOpError(f"filter_apply_order: wanted 'top_k_first', got {filter_apply_order!r}")
    if offset is not None:
        raise MluOpError(f"offset: wanted None and a generator in its place, got {offset!r}")
    if check_nan and bool(logits.isnan().any()):
        raise MluOpError("logits: wanted numbers, got NaN")
    if seed is not None:
        generator = torch.Generator().manual_seed(seed)
    if indices is not None:
        logits = logits[indices.long()]
    return top_k_top_p_sample(logits, top_k, top_p, generator=generator).to(torch.int32)
