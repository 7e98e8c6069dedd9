# SPDX-License-Identifier: MIT
"""Functions with the names and arguments of vllm.model_executor.layers.fused_moe.moe_permute_unpermute."""
import torch

from .._library import MluOpError
from ._permute import moe_token_permute_with_routing_map, moe_token_unpermute_with_routing_map


def _check_experts(topk_ids, n_expert):
    """Refuses what has no row in a routing map: experts that do not exist, and one that a token selects twice."""
    ordered = topk_ids.sort(1).values
    if ordered.numel() != 0 and (int(ordered[:, 0].min()) < 0 or int(ordered[:, -1].max()) >= n_expert):
        raise MluOpError(f"topk_ids: wanted experts from 0 to {n_expert - 1}, got {int(ordered[:, 0].min())} to "
                         f"{int(ordered[:, -1].max())}")
    twice = (ordered[:, 1:] == ordered[:, :-1]).nonzero()
    if len(twice) != 0:
        token, place = twice[0].tolist()
        raise MluOpError(f"topk_ids: wanted different experts for each token, got {int(ordered[token, place])} twice for "
                         f"token {token}")


def moe_permute(hidden_states, a1q_scale, topk_ids, n_expert, n_local_expert=-1, expert_map=None,
                permuted_hidden_states=None):
    """Copies rows into the order of their experts, as vLLM's moe_permute: returns (permuted_hidden_states, a1q_scale,
    expert_first_token_offset [n_expert + 1] of int64, inv_permuted_idx [tokens * topk] of int32).

    hidden_states [tokens, hidden], topk_ids [tokens, topk]: different experts for each token. a1q_scale [tokens, ...] or
    None is permuted as well. Compiled calls do not look for experts that do not exist or that a token selects twice.

    What differs: all experts are local (`expert_map` and another `n_local_expert` are refused), rows are not aligned to
    blocks, hidden may have any size, and there is a gradient for hidden_states.

    >>> rows, _, offsets, inverse = moe_permute(torch.tensor([[10.], [11]]), None, torch.tensor([[2, 0], [0, 1]]), 3)
    >>> rows.ravel().tolist(), offsets.tolist(), inverse.tolist()
    ([10.0, 11.0, 11.0, 10.0], [0, 2, 3, 4], [3, 0, 1, 2])
    """
    if expert_map is not None or n_local_expert not in (-1, n_expert):
        raise MluOpError(f"expert_map, n_local_expert: wanted None and -1, all experts here, got {expert_map!r} and "
                         f"{n_local_expert}")
    tokens, topk = topk_ids.shape
    topk_ids = topk_ids.long()
    if not torch.compiler.is_compiling():
        _check_experts(topk_ids, n_expert)
    routing_map = torch.zeros((tokens, n_expert), dtype=torch.bool).scatter(1, topk_ids, True)
    out = None
    if permuted_hidden_states is not None:
        out = (permuted_hidden_states, None, torch.empty(tokens * topk, dtype=torch.int32),
               torch.empty(n_expert, dtype=torch.int32))
    rows, _, row_of_slot, counts = moe_token_permute_with_routing_map(hidden_states, routing_map, tokens * topk, out=out)
    # Our slots are ordered by expert, vLLM's by topk_ids.
    inverse = torch.empty((tokens, topk), dtype=torch.int32).scatter(1, topk_ids.argsort(1), row_of_slot.view(tokens, topk))
    offsets = torch.nn.functional.pad(counts.long().cumsum(0), (1, 0))
    if a1q_scale is not None:
        token_of_row = torch.empty(tokens * topk, dtype=torch.int64).scatter(
            0, inverse.reshape(-1).long(), torch.arange(tokens).repeat_interleave(topk))
        a1q_scale = a1q_scale[token_of_row]
    return rows, a1q_scale, offsets, inverse.reshape(-1)


def moe_unpermute(out, permuted_hidden_states, topk_weights, inv_permuted_idx, expert_first_token_offset=None):
    """Writes the sum of each token's rows, times their weights, to `out` [tokens, hidden], as vLLM's moe_unpermute.

    What differs: with out=None the result is new, and has gradients for permuted_hidden_states and topk_weights; the result
    is returned in any case. expert_first_token_offset is not needed.

    >>> moe_unpermute(None, torch.tensor([[1.], [2], [3], [4]]), torch.tensor([[0.5, 1], [1, 0]]),
    ...               torch.tensor([3, 0, 1, 2])).ravel()
    tensor([3., 2.])
    """
    everything = torch.ones(topk_weights.shape, dtype=torch.bool)
    return moe_token_unpermute_with_routing_map(permuted_hidden_states, inv_permuted_idx, everything, topk_weights, out=out)
