# SPDX-License-Identifier: MIT
"""Functions with the names and arguments of megatron.core.transformer.moe.moe_utils."""
import torch

from .._library import MluOpError
from ._permute import moe_token_permute_with_routing_map, moe_token_unpermute_with_routing_map


def permute(tokens, routing_map, probs=None, num_out_tokens=None, fused=False, drop_and_pad=False):
    """Copies tokens into the order of their experts, as Megatron's permute: returns (permuted_tokens, permuted_probs,
    sorted_indices).

    What differs: sorted_indices is for `unpermute` here and not the token of each row, except with drop_and_pad. Tokens may
    select different numbers of experts; a num_out_tokens that is given is rounded down to a multiple of tokens. `fused`
    changes nothing.

    >>> tokens, routing_map = torch.tensor([[1.], [2]]), torch.tensor([[True, True, False], [False, True, False]])
    >>> rows, _, sorted_indices = permute(tokens, routing_map)
    >>> rows.ravel()
    tensor([1., 1., 2.])
    >>> unpermute(rows, sorted_indices, tokens.shape, routing_map=routing_map).ravel()
    tensor([2., 2.])
    """
    rows = num_out_tokens
    if num_out_tokens is None:
        if drop_and_pad:
            raise MluOpError("num_out_tokens: wanted experts times capacity with drop_and_pad, got None")
        per_token = routing_map.bool().sum(1)
        rows, num_out_tokens = int(per_token.sum()), int(per_token.max()) * tokens.shape[0] if tokens.shape[0] else 0
    permuted, permuted_probs, sorted_indices, _ = moe_token_permute_with_routing_map(tokens, routing_map, num_out_tokens,
                                                                                     probs, drop_and_pad)
    return permuted[:rows], None if probs is None else permuted_probs[:rows], sorted_indices


def unpermute(permuted_tokens, sorted_indices, restore_shape, probs=None, routing_map=None, fused=False,
              drop_and_pad=False):
    """Puts rows back to their tokens, each times its prob, as Megatron's unpermute: returns a tensor of restore_shape.

    What differs: sorted_indices is that of `permute` here; with drop_and_pad a routing_map is wanted. Sums are in float
    and rounded once. `fused` changes nothing.
    """
    if routing_map is None:
        if probs is not None or drop_and_pad:
            raise MluOpError("routing_map: wanted one beside probs and with drop_and_pad, got None")
        count = restore_shape[0]
        routing_map = torch.ones((count, sorted_indices.shape[0] // count if count else 0), dtype=torch.bool)
    missing = sorted_indices.shape[0] - permuted_tokens.shape[0]
    if missing > 0:  # tokens with fewer experts than others leave slots without a row
        permuted_tokens = torch.cat((permuted_tokens, permuted_tokens.new_zeros((missing, permuted_tokens.shape[1]))))
    return moe_token_unpermute_with_routing_map(permuted_tokens, sorted_indices, routing_map, probs,
                                                drop_and_pad).view(restore_shape)
